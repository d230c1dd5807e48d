from tests.transports.mcp.snapshots import read_snapshots, tool_texts


async def test_every_tool_is_as_in_its_snapshot(served):
    texts, snapshots = await tool_texts(served), read_snapshots()
    assert sorted(texts) == sorted(snapshots), "run `make snapshots`"
    for name, text in texts.items():
        assert text == snapshots[name], f"{name} differs: run `make snapshots`, and review the difference"
