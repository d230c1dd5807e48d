PROJECT = "HRB"
REPOSITORY = "https://github.com/example/harbour"


def test_the_secret_is_printed_once(run, ask):
    ask("init")
    ask("demo")
    created = ask("github", "set", PROJECT, "--repository", REPOSITORY)
    assert created["payloadUrl"].endswith(ask("github", "show", PROJECT)["payloadUrl"].rsplit("/", 1)[1])
    assert len(created["secret"]) >= 32
    result = run("github", "show", PROJECT)
    assert f"Repository: {REPOSITORY}\nWebhook: set\n" in result.stdout
    assert created["secret"] not in result.stdout


def test_setting_it_again_makes_another_secret(ask):
    ask("init")
    ask("demo")
    first = ask("github", "set", PROJECT, "--repository", REPOSITORY)
    assert ask("github", "set", PROJECT)["secret"] != first["secret"]


def test_a_project_without_a_repository_is_told_what_to_do(run, ask):
    ask("init")
    ask("demo")
    refused = run("github", "set", PROJECT)
    assert refused.exit_code == 1
    assert "repository_url" in refused.stderr


def test_removed_is_not_set(run, ask):
    ask("init")
    ask("demo")
    ask("github", "set", PROJECT, "--repository", REPOSITORY)
    assert run("github", "remove", PROJECT).exit_code == 0
    assert ask("github", "show", PROJECT)["isSet"] is False


def test_a_token_comes_from_stdin_and_is_saved_only_if_github_accepts_it(run, ask, monkeypatch):
    monkeypatch.setenv("PENDESK_OUTGOING_PRIVATE_ADDRESSES", "on")
    ask("init")
    ask("demo")
    ask("github", "set", PROJECT, "--repository", "http://127.0.0.1:9/example/harbour")
    assert "no token on stdin" in run("github", "token", PROJECT, stdin="").stderr
    refused = run("github", "token", PROJECT, stdin="ghp_of_the_harbour\n")
    assert refused.exit_code == 1
    assert "The token was not saved" in refused.stderr
    assert "ghp_of_the_harbour" not in refused.output
    assert run("github", "token", PROJECT, "--remove").exit_code == 1
