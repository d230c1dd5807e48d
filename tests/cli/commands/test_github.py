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
