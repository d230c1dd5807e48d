import pytest

from pendesk.domain.limits import MINUTE_US
from pendesk.settings import SETTINGS, SettingError, load


def test_without_anything_the_defaults_count(tmp_path):
    settings = load(data_folder=str(tmp_path), environ={})
    assert (settings.host, settings.port, settings.database_url) == ("127.0.0.1", 3847, None)
    assert settings.sqlite_file == tmp_path / "pendesk.sqlite3"
    assert settings.origins["port"].source == "default"
    assert settings.origins["data"].source == "--data"


def test_an_option_wins_over_the_environment_and_that_over_the_file(tmp_path):
    (tmp_path / "pendesk.toml").write_text('port = 1001\nhost = "0.0.0.0"\nlease_minutes = 5\n')
    environ = {"PENDESK_DATA": str(tmp_path), "PENDESK_PORT": "1002", "PENDESK_HOST": "127.0.0.2"}
    settings = load(environ=environ, options={"port": 1003, "host": None})
    assert (settings.port, settings.host, settings.limits.lease_us) == (1003, "127.0.0.2", 5 * MINUTE_US)
    sources = {name: origin.source for name, origin in settings.origins.items()}
    assert sources["port"] == "--port"
    assert sources["host"] == "PENDESK_HOST"
    assert sources["lease_minutes"] == str(tmp_path / "pendesk.toml")
    assert sources["data"] == "PENDESK_DATA"


def test_every_setting_can_come_from_the_environment():
    assert all(setting.environment_variable_name == f"PENDESK_{setting.name.upper()}" for setting in SETTINGS)


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"PENDESK_PROT": "1"}, "PENDESK_PROT is not a setting. Did you mean PENDESK_PORT?"),
        ({"PENDESK_PORT": "70000"}, "port, from PENDESK_PORT, must be a whole number from 0 to 65535"),
        ({"PENDESK_PORT": "tcp://10.0.0.1:3847"}, "port, from PENDESK_PORT"),
        ({"PENDESK_PORT": "٣"}, "must be a whole number"),
        ({"PENDESK_PUBLIC_URL": "https://a.example/path"}, "public_url, from PENDESK_PUBLIC_URL"),
        ({"PENDESK_PUBLIC_URL": "ftp://a.example"}, "must be an address without a path"),
        ({"PENDESK_DATABASE_URL": "mysql://x"}, "must start with postgresql://"),
        ({"PENDESK_LOG_FORMAT": "xml"}, "must be one of: auto, text, json"),
        ({"PENDESK_SECRET_KEY": "short"}, "must have 32 characters or more"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_source(tmp_path, environ, told):
    with pytest.raises(SettingError) as caught:
        load(data_folder=str(tmp_path), environ=environ)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("prot = 1", "'prot' in"),
        ("port = true", "must be a text or a whole number"),
        ("port = [1]", "must be a text or a whole number"),
        ("port =", "is not valid TOML"),
        ("port = -1", "must be a whole number"),
    ],
)
def test_a_bad_file_is_named(tmp_path, text, told):
    (tmp_path / "pendesk.toml").write_text(text)
    with pytest.raises(SettingError, match=r"pendesk\.toml") as caught:
        load(data_folder=str(tmp_path), environ={})
    assert told in str(caught.value)


def test_a_config_file_that_was_asked_for_must_be_there(tmp_path):
    with pytest.raises(SettingError, match="There is no settings file"):
        load(data_folder=str(tmp_path), config_file=str(tmp_path / "none.toml"), environ={})


def test_no_secret_is_told_by_a_refusal_or_shown(tmp_path):
    url = "postgresql://ada:hunter2:hunter4/@db/pendesk?password=hunter3"
    secret = "x" * 40
    settings = load(data_folder=str(tmp_path), environ={"PENDESK_DATABASE_URL": url, "PENDESK_SECRET_KEY": secret})
    shown = str(settings.origins)
    assert "hunter" not in shown
    assert secret not in shown
    with pytest.raises(SettingError) as caught:
        load(data_folder=str(tmp_path), environ={"PENDESK_DATABASE_URL": "mysql://ada:hunter2@db"})
    assert "hunter" not in str(caught.value)


def test_variables_of_clients_and_of_kubernetes_are_left_alone(tmp_path):
    environ = {"PENDESK_MCP_TOKEN": "t", "PENDESK_SERVICE_HOST": "10.0.0.1", "PENDESK_PORT_3847_TCP": "x"}
    assert load(data_folder=str(tmp_path), environ=environ).port == 3847


def test_an_empty_variable_is_as_if_not_set(tmp_path):
    assert load(data_folder=str(tmp_path), environ={"PENDESK_PORT": ""}).port == 3847
