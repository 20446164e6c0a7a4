"""No secret of a game reaches anybody but those whom it is for, in any header or part of a mail.

Each secret is a marker that occurs nowhere else.  The rightful readers must get it, so that the
search cannot be empty; all mails to all others are searched for it.
"""

import pytest

from machjudge.judge.records import Status
from machjudge.messages.visibility import Sight
from tests.cases import cases
from tests.judge.secrets import ORGANISER, POWERS, STRANGER, Secret, Secretive
from tests.judge.year import SPRING

TREASURIES = (12007, 12511, 13033, 13537, 14051, 14563, 15073, 15581)


def ducats(number: int) -> str:
    """An amount as a word of its own; its digits come first, as they are found fast."""
    return rf"{number}(?<!\w{number})(?:d|(?!\w))"


def hide_treasuries(game: Secretive, treasuries) -> list[Secret]:
    """What each power has, in a game that hides money."""
    if not game.hidden:
        return []
    return [
        game.secret(ducats(number), {game.address(power), *game.master_sees})
        for power, number in treasuries.items()
    ]


def hide_names(game: Secretive) -> list[Secret]:
    """Who leads what, in an anonymous game: a line with power and name."""
    if not game.anonymous:
        return []
    powers = game.house.services.scenario(game.house.game()).powers
    return [
        game.secret(rf"{powers[power].name}: {game.name(power)}", {game.address(power), ORGANISER})
        for power in POWERS
        if game.address(power) != ORGANISER
    ]


def act_in_secret(game: Secretive, giver: str, receiver: str, gift: int, price: int):
    """Press, a gift, an expense, a chit and votes; those of them that the phase's end tells."""
    own = {game.address(giver), *game.master_sees}
    secrets = [
        game.secret(ducats(gift), own),
        game.secret(ducats(price), own),
        game.secret("its chit on", own, must_reach=False),
        game.secret(r"has won\.?\s|a draw between|draw of(?!\s+all\s+who\s+are\s+left)", own),
    ]
    invite_and_go_away(game, giver)
    third = next(power for power in POWERS if power not in (giver, receiver))
    names = {p.id: p.name for p in game.house.services.scenario(game.house.game()).powers.values()}
    game.player(
        giver,
        f"pay {gift} ducats to {names[receiver]}",
        f"expense 1: {price} ducats famine relief mil",
        f"give {names[third]} to {names[receiver]}",
        "SET DRAW",
        f"SET CONCEDE {receiver}",
    )
    return secrets


def write_in_secret(game: Secretive, writer: str, reader: str) -> Secret:
    """Press to one, anonymous and faked press, a diary; and postal press, which is told later."""
    name = game.house.services.scenario(game.house.game()).powers[writer].name
    own, both = {game.address(writer)}, {game.address(writer), game.address(reader)}
    game.secret("arcanum7word", {*both, *game.master_sees})
    game.secret("simulatum5word", {*both, *game.master_sees})
    game.secret("diarium8word", own)
    game.secret(f"nonymous (press|broadcast) from (the )?{name}", {*own, *game.master_sees})
    game.secret(rf"(?s)\A(?!.*HISTORY OF).*{name}.*grisaille6word", own, must_reach=False)
    if game.master_sees:
        game.secrets[-1].readers |= game.master_sees
    postal = game.secret("posta9word", own)
    game.player(writer, f"PRESS TO {reader}", "arcanum7word", "ENDPRESS")
    game.player(writer, f"PRESS TO {reader} FAKE BROADCAST", "simulatum5word", "ENDPRESS")
    game.player(writer, "BROADCAST GREY", "grisaille6word", "ENDPRESS")
    game.player(writer, "DIARY", "diarium8word", "ENDPRESS", "DIARY READ 1")
    game.player(writer, "POSTAL PRESS", "posta9word", "ENDPRESS")
    return postal


def change_password(game: Secretive, power: str) -> None:
    """Nobody reads the new one either."""
    game.secret("newsecret55pw", (), must_reach=False)
    hide_tokens(game, 2, power)
    game.player(power, "SET PASSWORD newsecret55pw", f"SET PASSWORD {game.password(power)}")
    ask_for_a_token(game, power)


def hide_tokens(game: Secretive, number: int, power: str) -> None:
    """The next tokens are for the player of one power."""
    given = game.house.services.chance.given
    for token in range(given + 1, given + 1 + number):
        game.secret(rf"t{token}(?<!\wt{token})\b", {game.address(power)})


def ask_for_a_token(game: Secretive, power: str) -> None:
    """Its owner reads it; anyone who asks for it, in his name or his own, does not."""
    if game.address(power) == ORGANISER:
        return
    hide_tokens(game, 1, power)
    game.write(STRANGER, "SEND TOKEN borgia", "SEND TOKEN nothing", name="Strange")
    game.write(game.address(power), "SEND TOKEN borgia", name=game.name(power))


def invite_and_go_away(game: Secretive, power: str) -> None:
    """Who is invited or unwelcome is the masters' affair, an absence its owner's and theirs."""
    game.secret("zorro31qx@guest\\.example", {ORGANISER})
    game.secret("zerlina32qx@guest\\.example", {ORGANISER})
    game.master(
        "SET ALLOW PLAYER zorro31qx@guest.example",
        "SET ALLOW PLAYER -zorro31qx@guest.example",
        "SET DENY PLAYER zerlina32qx@guest.example",
    )
    game.secret(r"17 Jun 2027|2027-06-17", {game.address(power), ORGANISER})
    game.player(power, "SET ABSENCE 17 Jun 2027")


def look_ahead(game: Secretive) -> None:
    """A preview and its token are for a master who does not play."""
    game.secret("PREVIEW OF S1454M", game.master_sees)
    game.secret(r"PROCESS S1454M [0-9a-f]{8}", game.master_sees)
    game.master("PREVIEW")
    game.player("V", "PREVIEW")
    game.master("NUDGE")


def order_in_secret(game: Secretive) -> list[Secret]:
    """Orders are their power's, and the master's who does not play, until they are played."""
    secrets = [
        game.secret("(?i)A Tyrolea H(?!ome)", {game.address("A"), *game.master_sees}),
        game.secret("(?i)A Swiss - Turin", {game.address("F"), *game.master_sees}),
    ]
    # What is kept for later is for nobody else, the master included.
    game.secret("9973", {game.address("A")})
    later = ("PHASE F1458M", "if treasury >= 9973 then A tyr h endif", "pay 9973 d to Milan")
    game.player("A", *SPRING["A"], *later)
    game.player("F", *SPRING["F"])
    return secrets


def play_and_search(game: Secretive, giver: str, receiver: str, gift: int, price: int) -> None:
    """Play the game with its secrets to its end, and search its mails."""
    game.begin()
    number = game.house.game().secret.hex()[:24]
    dice, names = game.secret(number, (), must_reach=False), hide_names(game)
    treasuries = dict(zip(POWERS, TREASURIES, strict=True))
    game.fill(treasuries)
    hidden = hide_treasuries(game, treasuries)
    game.everybody_asks()
    told = act_in_secret(game, giver, receiver, gift, price)
    change_password(game, receiver)
    game.reveal_now(*order_in_secret_and_ask(game, giver, receiver), told[3])
    if game.hidden:
        told[0].readers |= {game.address(receiver)}
    else:
        game.reveal_now(*told[:2])
    game.spring()
    hidden += hide_treasuries(game, game.house.view().state.treasuries)
    game.everybody_asks()
    game.reveal_now(dice, *told[:3], *hidden, *(names if game.reveal else []))
    game.master("DECLARE VICTORY V")
    game.everybody_asks()

    assert game.house.game().status is Status.FINISHED
    assert [leak[:2] for leak in game.leaks()] == []
    assert game.unread() == []
    assert any(number in mail.text for mail in game.sent)


def order_in_secret_and_ask(game: Secretive, writer: str, reader: str) -> list[Secret]:
    """Orders and press on file, and everybody asking for everything before they are played."""
    secrets = [*order_in_secret(game), write_in_secret(game, writer, reader)]
    look_ahead(game)
    game.everybody_asks()
    return secrets


def test_no_secret_of_a_game_that_hides_everything_reaches_anybody_else() -> None:
    """Passwords, addresses, ducats, gifts, chits, orders, votes, press, names, the dice."""
    game = Secretive(hidden=True, anonymous=True, master_plays=False)
    play_and_search(game, "L", "V", 4001, 5001)


@pytest.mark.slow
@cases
def test_no_secret_reaches_anybody_else(game, giver, receiver, gift, price) -> None:
    """With the one above, any two of: ducats or names hidden, the master plays, names revealed."""
    assert not {t - gift for t in TREASURIES} & set(TREASURIES)
    play_and_search(Secretive(*game), giver, receiver, gift, price)


@pytest.mark.parametrize("plays", [True, False])
def test_a_master_who_plays_sees_no_more_than_a_player(plays: bool) -> None:
    """Orders and ducats of others are his only where he does not play himself."""
    sight = Sight(frozenset({"L"}), is_master=True, plays=plays, hidden_money=True)

    assert sight.sees_orders_of("V") is not plays
    assert sight.sees_money_of("V") is not plays
    assert sight.sees_chits_of("V") is not plays
    assert sight.sees_orders_of("L")
