def test_the_sample_is_loaded_once(run, ask):
    ask("init")
    first = run("demo")
    assert "Loaded Harbour (HRB)" in first.stdout
    assert "pendesk connect" in first.stdout
    second = run("demo")
    assert second.exit_code == 0
    assert "nothing was changed" in second.stdout


def test_it_needs_something_to_load_into(run):
    refused = run("demo")
    assert refused.exit_code == 1
    assert "pendesk init" in refused.stderr
