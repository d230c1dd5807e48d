import pytest

from pendesk.ids import new_id


@pytest.fixture(params=["sqlite", "postgres"])
def old_target(request, tmp_path):
    """A place for a database that does not exist yet."""
    if request.param == "sqlite":
        yield tmp_path / "pendesk.db", None
        return
    name = f"old_{new_id().replace('-', '')}"
    yield None, request.getfixturevalue("postgres").create_database(name)
    request.getfixturevalue("postgres").drop_database(name)
