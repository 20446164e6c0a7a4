"""Settings: from a file, from variables, and what is said of those that cannot be used."""

import dataclasses
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machjudge.adjudicator.names import MachjudgeError
from machjudge.app.application import place_of, way_to
from machjudge.mail.mailbox import TokenLogin
from machjudge.settings import (
    TABLE,
    MailboxAddress,
    MailboxSecurity,
    Protocol,
    RelayAddress,
    RelaySecurity,
    Settings,
    SettingsError,
    TcpAddress,
    UnixAddress,
    find_folder,
    load,
    maps_folder,
    migrations_folder,
    read_listen,
    templates_folder,
    write_listen,
)

CASES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def written(folder: Path, text: str) -> Path:
    """A settings file with that text."""
    file = folder / "judge.toml"
    file.write_text(text, encoding="utf-8")
    return file


def refusal(environ: dict[str, str], file: Path | None = None) -> str:
    """What is said of settings that cannot be used."""
    with pytest.raises(SettingsError) as raised:
        load(environ, file, usual=[])
    return str(raised.value)


def test_without_file_and_variables_the_defaults_are_in_force() -> None:
    """A judge on loopback, with SQLite in one file."""
    settings = load({}, usual=[])

    assert settings == Settings()
    assert settings.database == "sqlite:///machjudge.db"
    assert settings.listen == (TcpAddress(Protocol.SMTP, "127.0.0.1", 2525),)
    assert settings.relay == RelayAddress(RelaySecurity.PLAIN, "127.0.0.1", 25)
    assert (settings.address, settings.code, settings.keeper) == ("judge@localhost", "MACH", None)
    assert (settings.size_limit, settings.timezone) == (1048576, ZoneInfo("UTC"))
    assert set(settings.origins.values()) == {"default"}


def test_variables_win_over_the_file(tmp_path: Path) -> None:
    """What both name is taken from the variable, the rest from the file."""
    file = written(tmp_path, 'code = "FILE"\naddress = "file@example.org"\n')

    settings = load({"MACHJUDGE_CODE": "ENV"}, file)

    assert (settings.code, settings.address) == ("ENV", "file@example.org")
    assert settings.origins["code"] == "MACHJUDGE_CODE"
    assert settings.origins["address"] == str(file)


def test_the_file_is_looked_for_in_order(tmp_path: Path) -> None:
    """The command line goes before MACHJUDGE_CONFIG, and that before the usual places."""
    files = {name: tmp_path / name for name in ("line", "variable", "first", "second")}
    for name, file in files.items():
        file.write_text(f'code = "{name}"', encoding="utf-8")
    environ = {"MACHJUDGE_CONFIG": str(files["variable"])}
    usual = [tmp_path / "missing", files["first"], files["second"]]

    assert load(environ, files["line"], usual).code == "line"
    assert load(environ, None, usual).code == "variable"
    assert load({}, None, usual).code == "first"
    assert load({"MACHJUDGE_CONFIG": ""}, None, usual[:1]).code == "MACH"


def test_a_folder_that_may_not_be_entered_is_told_unless_we_happen_to_be_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else's home is no place for settings; settings that one may not read are a fault."""
    closed = tmp_path / "closed"
    closed.mkdir()
    monkeypatch.chdir(closed)
    closed.chmod(0o000)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)  # root may enter any folder
    try:
        unseen = load({}, usual=[Path("machjudge.toml")])
        with pytest.raises(SettingsError, match="cannot be read: Permission denied"):
            load({}, usual=[closed / "machjudge.toml"])
    finally:
        if is_root:
            os.seteuid(0)
        closed.chmod(0o700)

    assert unseen.code == "MACH"


def test_lists_are_arrays_or_words(tmp_path: Path) -> None:
    """A list is an array in the file, or words between spaces or commas anywhere."""
    array = load({}, written(tmp_path, 'listen = ["smtp://h:1", "lmtp://h:2"]\nretry = [5, 10]'))
    words = load(
        {"MACHJUDGE_LISTEN": "smtp://h:1, lmtp://h:2", "MACHJUDGE_RETRY": "5 10"}, usual=[]
    )

    assert array == words
    assert array.retry == (5, 10)


def test_relative_paths_in_a_file_count_from_its_folder(tmp_path: Path) -> None:
    """Cron finds the same database and folders from whatever folder it starts."""
    (tmp_path / "letters").mkdir()
    file = written(
        tmp_path, 'database = "sqlite:///games/j.db?timeout=5"\ntemplates = "letters"\nmaps = ""'
    )

    settings = load({}, file)

    assert settings.database == f"sqlite:///{tmp_path}/games/j.db?timeout=5"
    assert settings.templates == tmp_path / "letters"
    assert settings.maps is None


def test_absolute_databases_stay_as_they_are(tmp_path: Path) -> None:
    """An absolute path and a server are not touched by the file's folder."""
    for url in ("sqlite:////srv/judge/j.db", "postgresql+psycopg://judge@db/mach"):
        assert load({}, written(tmp_path, f'database = "{url}"')).database == url


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("smtp://0.0.0.0:25", TcpAddress(Protocol.SMTP, "0.0.0.0", 25)),  # noqa: S104
        ("lmtp://localhost:2424", TcpAddress(Protocol.LMTP, "localhost", 2424)),
        ("smtp://[::1]:2525", TcpAddress(Protocol.SMTP, "::1", 2525)),
        ("lmtp+unix:/run/judge.sock", UnixAddress(Protocol.LMTP, Path("/run/judge.sock"))),
        ("smtp+unix:/run/my%20judge", UnixAddress(Protocol.SMTP, Path("/run/my judge"))),
    ],
)
def test_addresses_to_listen_on(text: str, address: TcpAddress | UnixAddress) -> None:
    """Each form is read, and written again as it was."""
    assert read_listen(text) == address
    assert write_listen(address) == text


@pytest.mark.parametrize(
    ("text", "relay"),
    [
        ("smtp://mx.example.org", RelayAddress(RelaySecurity.PLAIN, "mx.example.org", 25)),
        ("smtps://[::1]", RelayAddress(RelaySecurity.TLS, "::1", 465)),
        ("smtp+starttls://h:26", RelayAddress(RelaySecurity.STARTTLS, "h", 26)),
        ("smtp+starttls://u:p@h", RelayAddress(RelaySecurity.STARTTLS, "h", 587, "u", "p")),
        ("smtps://a%40b:p%2F%C3%A9:@h", RelayAddress(RelaySecurity.TLS, "h", 465, "a@b", "p/é:")),
    ],
)
def test_relays(text: str, relay: RelayAddress) -> None:
    """Each form is read, with the usual port of its kind and the login decoded."""
    assert load({"MACHJUDGE_RELAY": text}, usual=[]).relay == relay


@pytest.mark.parametrize(
    ("text", "mailbox"),
    [
        (
            "imaps://judge@example.org:p:w@imap.example.org/INBOX",
            MailboxAddress(
                MailboxSecurity.TLS, "imap.example.org", 993, "judge@example.org", "p:w"
            ),
        ),
        ("imap+starttls://j:p@h", MailboxAddress(MailboxSecurity.STARTTLS, "h", 143, "j", "p")),
        (
            "imap://j:p@[::1]:1143/In%20box/J%C3%BCry",
            MailboxAddress(MailboxSecurity.PLAIN, "::1", 1143, "j", "p", "In box/Jüry"),
        ),
    ],
)
def test_mailboxes(text: str, mailbox: MailboxAddress) -> None:
    """Each form is read; the user may be an address, and the folder is INBOX unless it is named."""
    assert load({"MACHJUDGE_INBOX": text}, usual=[]).inbox == mailbox


def test_with_a_mailbox_mails_come_in_elsewhere_only_if_that_is_set() -> None:
    """A judge on a mailbox opens no port by itself."""
    inbox = {"MACHJUDGE_INBOX": "imaps://j:p@h"}

    assert load(inbox, usual=[]).listen == ()
    assert load(inbox | {"MACHJUDGE_LISTEN": "smtp://h:25"}, usual=[]).listen


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "here are 0"),
        ({"INBOX": "imaps://j:p@h", "INBOX_PASSWORD_FILE": "/p"}, "here are 2"),
        ({"INBOX_TOKEN_URL": "https://h/", "INBOX_CLIENT_ID": "j"}, "must be set together"),
    ],
)
def test_a_mailbox_is_opened_in_one_way(more: dict[str, str], said: str) -> None:
    """With a password in its address or in a file, or with tokens: which is meant must be plain."""
    variables = {"INBOX": "imaps://j@h", **more}
    refused = refusal({f"MACHJUDGE_{name}": text for name, text in variables.items()})

    assert said in refused


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "here are 0"),
        ({"RELAY": "smtps://u:p@h", "RELAY_PASSWORD_FILE": "/p"}, "here are 2"),
        ({"RELAY": "smtps://h", "RELAY_PASSWORD_FILE": "/p"}, "must have a user"),
    ],
)
def test_a_relay_is_entered_with_one_password(more: dict[str, str], said: str) -> None:
    """In its address or in a file, and only for a user."""
    variables = {"RELAY": "smtps://u@h", **more}
    refused = refusal({f"MACHJUDGE_{name}": text for name, text in variables.items()})

    assert said in refused
    assert load({"MACHJUDGE_RELAY": "smtps://u@h", "MACHJUDGE_RELAY_PASSWORD_FILE": "/p"}, usual=[])


TOKENS = {"INBOX_TOKEN_URL": "https://h/", "INBOX_CLIENT_ID": "j", "INBOX_REFRESH_TOKEN_FILE": "/t"}


@pytest.mark.parametrize(
    ("more", "for_relay"),
    [
        ({}, True),
        ({"INBOX": "imaps://j@h"}, True),
        ({"INBOX": "imaps://j:p@h"}, True),
        ({"INBOX": "imaps://j@h", "RELAY": "smtps://u:p@h"}, False),
        ({"INBOX": "imaps://j@h", "RELAY": "smtp://h"}, False),
    ],
)
def test_a_relay_without_a_password_is_shown_the_token(more, for_relay: bool) -> None:
    """Whether the mailbox has tokens, a password, or is not there; a password goes before it."""
    variables = {"RELAY": "smtps://u@h", **TOKENS, **more}
    settings = load({f"MACHJUDGE_{name}": text for name, text in variables.items()}, usual=[])
    way = way_to(settings)

    assert (way.tokens is not None, settings.relay_takes_token) == (for_relay, for_relay)
    if settings.inbox is not None:
        login = place_of(settings, settings.inbox).login
        assert isinstance(login, TokenLogin) is (settings.inbox.password is None)


def test_tokens_that_nothing_takes_are_refused() -> None:
    """A mailbox with a password, and a relay with one: which is meant must be plain."""
    variables = {"INBOX": "imaps://j:p@h", "RELAY": "smtps://u:p@h", **TOKENS}

    assert "here are 2" in refusal({f"MACHJUDGE_{name}": each for name, each in variables.items()})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *CASES["a_value_that_cannot_be_used_is_refused"],
        ("address", f"judge@{'a' * 250}.org"),
        ("maps", "x" * 5000),
    ],
)
def test_a_value_that_cannot_be_used_is_refused(name: str, text: str) -> None:
    """The refusal names the variable, the key and what is expected."""
    (entry,) = [entry for entry in TABLE if entry.name == name]

    said = refusal({entry.variable: text})

    assert said.startswith(f"{entry.variable}: {name} must be {entry.kind.expected}")


@pytest.mark.parametrize(
    "line",
    ["size_limit = true", "size_limit = 1.5", "code = 1979-05-27", 'listen = [["smtp://h:1"]]'],
)
def test_a_value_of_the_wrong_type_is_refused(tmp_path: Path, line: str) -> None:
    """A value that no text can stand for is refused with the file, the key and what it is."""
    file = written(tmp_path, line)

    said = refusal({}, file)

    assert said.startswith(f"{file}: {line.partition(' ')[0]} must be ")


@pytest.mark.parametrize("name", ["relay", "database", "inbox"])
def test_a_refusal_repeats_no_password(name: str) -> None:
    """A mistyped address is not repeated where it may hold a password."""
    said = refusal({f"MACHJUDGE_{name.upper()}": "smtqs://user:s3cret@host"})

    assert "s3cret" not in said


def test_a_long_value_is_cut_in_the_refusal() -> None:
    """A refusal stays one readable line."""
    assert len(refusal({"MACHJUDGE_CODE": "x" * 10_000})) < 250


def test_unknown_keys_name_the_nearest(tmp_path: Path) -> None:
    """A mistyped key or variable is refused with the one that was probably meant."""
    file = written(tmp_path, 'adress = "judge@example.org"')

    assert refusal({}, file) == f"{file}: there is no setting 'adress'; did you mean address?"
    assert refusal({"MACHJUDGE_LISTN": ""}) == (
        "there is no variable MACHJUDGE_LISTN; did you mean MACHJUDGE_LISTEN?"
    )


def test_unknown_keys_without_likeness_name_all(tmp_path: Path) -> None:
    """Where nothing is near, all keys are named."""
    said = refusal({}, written(tmp_path, "[qqq]\nx = 1"))

    assert all(entry.name in said for entry in TABLE)


def test_other_variables_are_nobody_s_business() -> None:
    """Only variables that begin with MACHJUDGE_ are looked at."""
    assert load({"MACHJUDGER": "x", "PATH": "/bin"}, usual=[]) == Settings()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [(b'code = "MACH', "at end of document"), (b"code = '\xff'", "codec can't decode")],
)
def test_a_broken_file_is_refused(tmp_path: Path, content: bytes, complaint: str) -> None:
    """A file that is not TOML is refused with its name and where it breaks."""
    file = tmp_path / "broken.toml"
    file.write_bytes(content)

    said = refusal({}, file)

    assert said.startswith(f"{file}: not a TOML file: ")
    assert complaint in said


def test_a_folder_is_no_settings_file(tmp_path: Path) -> None:
    """A file that cannot be read is refused with the reason."""
    assert refusal({}, tmp_path) == f"{tmp_path}: the settings cannot be read: Is a directory"


def test_no_repr_holds_a_password() -> None:
    """Neither the settings nor the relay print a password when logged by mistake."""
    environ = {
        "MACHJUDGE_RELAY": "smtps://u:s3cret@h",
        "MACHJUDGE_DATABASE": "postgresql://u:s3cret@h/d",
    }
    settings = load(environ, usual=[])

    assert settings.relay.password == "s3cret"
    assert "s3cret" not in repr(settings) + repr(settings.relay)


def test_settings_do_not_change() -> None:
    """Settings are a value."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().code = "X"


def test_every_default_reads_as_itself() -> None:
    """The default in the table is what one would write to get it."""
    environ = {entry.variable: entry.default for entry in TABLE}

    assert load(environ, usual=[]) == Settings()


def origin_or_refusal(variable: str, text: str) -> str:
    """Where the value comes from if it can be used, otherwise what is said of it."""
    try:
        settings = load({variable: text}, usual=[])
    except SettingsError as error:
        return str(error)
    return settings.origins[variable.removeprefix("MACHJUDGE_").lower()]


@given(variable=st.sampled_from([entry.variable for entry in TABLE]), text=st.text(max_size=40))
def test_any_text_is_a_setting_or_refused(variable: str, text: str) -> None:
    """Whatever a variable holds, the end is a value or a refusal, never another error."""
    assert origin_or_refusal(variable, text).startswith(variable)


@given(
    variable=st.sampled_from(["MACHJUDGE_LISTEN", "MACHJUDGE_RELAY", "MACHJUDGE_DATABASE"]),
    scheme=st.sampled_from(["smtp://", "smtps://", "smtp+starttls://", "lmtp+unix:", "sqlite:///"]),
    rest=st.text(alphabet="a1:@/[].%?# \t\n\u2100", max_size=15),
)
def test_any_address_is_read_or_refused(variable: str, scheme: str, rest: str) -> None:
    """Near misses of addresses never end in another error either."""
    assert origin_or_refusal(variable, scheme + rest).startswith(variable)


def test_data_is_found_beside_the_package_of_a_checkout(tmp_path: Path) -> None:
    """Beside the package counts only where pyproject.toml lies too; inside goes first."""
    package = tmp_path / "machjudge"
    (tmp_path / "maps").mkdir()
    with pytest.raises(MachjudgeError, match="folder maps is missing"):
        find_folder(package, "maps")
    (tmp_path / "pyproject.toml").touch()
    beside = find_folder(package, "maps")
    (package / "maps").mkdir(parents=True)

    assert beside == tmp_path / "maps"
    assert find_folder(package, "maps") == package / "maps"


@pytest.mark.parametrize(
    ("find", "name"),
    [
        (maps_folder, "maps"),
        (templates_folder, "templates"),
        (migrations_folder, "migrations"),
    ],
)
def test_the_data_of_this_checkout_is_found(find: Callable[[], Path], name: str) -> None:
    """The tests themselves run with the maps, letters and migrations of the checkout."""
    assert find() == Path(__file__).resolve().parents[2] / name
