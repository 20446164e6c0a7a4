"""Bots at a game's open seats, and practice: one person against them, who may take phases back."""

from collections.abc import Mapping
from dataclasses import replace

from machjudge.bots.policies import BotOrder, BotPolicy
from machjudge.judge.clock import change_times
from machjudge.judge.commands import NOT_PLAYED, PLAYERS, command, setting
from machjudge.judge.credentials import Act
from machjudge.judge.endings import ancestors, moved_to, stored_phases
from machjudge.judge.game_view import GameView, has_to_order, load
from machjudge.judge.mail_context import LineParser, MailContext
from machjudge.judge.mails import KeptMail
from machjudge.judge.order_sets import choices_of
from machjudge.judge.outgoing import view_for_power
from machjudge.judge.ports import Services
from machjudge.judge.records import StoredPhase
from machjudge.language.commands import Create, Join, Observe, PlainCommand, Setting, SignOn
from machjudge.mail_parser.lines import Line, Mail, MailFlaw
from machjudge.messages.layout import marked
from machjudge.messages.notation import order_text
from machjudge.messages.render import Text, phase_name
from machjudge.messages.wording import Words
from machjudge.translatable import Message, MessageOrText

_WORDS: Mapping[str, BotPolicy | None] = {
    "": BotPolicy.PLANNER,
    "bots": BotPolicy.PLANNER,
    **{each.value: each for each in BotPolicy},
    **dict.fromkeys(("off", "nobody", "none", "wait")),
}


@setting("vacant", also=("set bots",))
def set_vacant(context: MailContext, line: Line, said: Setting) -> None:
    """Set whether a bot orders for powers without a player, and how it plays."""
    words = [word.lower() for word in said.value]
    if words[:1] == ["bot"]:
        words = words[1:]
    named = " ".join(words) if said.on else "off"
    chosen = _WORDS.get(named)
    game, _ = context.sitting()
    if named not in _WORDS:
        context.refuse(line, Message("practice.vacant.unknown"))
    elif game.settings.practice and chosen is None:
        context.refuse(line, Message("practice.vacant.needed"))
    else:
        settings = replace(game.settings, vacant=chosen)
        change_times(
            context,
            game,
            settings,
            Message("practice.vacant.set", bot=chosen.value if chosen else "off"),
        )


def with_practice(services: Services, kept: KeptMail, mail: Mail, said: LineParser) -> Mail:
    """Return a mail to ``judge+practice@…`` or with ``GET TUTORIAL`` with the line that begins it.

    A mail that opens a seat, or answers a message, is left as it is.
    """
    user, _, domain = services.judge.address.lower().partition("@")
    naming = [line for line in mail.lines if "tutorial" in line.text.lower()]
    is_tutorial = any(_asks(said.command(line)) for line in naming)
    to_practice = f"{user}+practice@{domain}" in [each.lower() for each in kept.recipients]
    if not (is_tutorial or to_practice):
        return mail
    commands = [said.command(line) for line in mail.lines]
    opens = SignOn | Join | Observe | Create
    if mail.codes or any(isinstance(each, opens) for each in commands):
        return mail
    code, kind = services.secret.code, "tutorial" if is_tutorial else "practice"
    name = f"{kind}-{code('practice/name', kept.id, length=3)}"
    password = code("practice/password", kept.id, length=5)
    number = max((line.number for line in mail.lines), default=0) + 1
    kept_lines = [line for line, each in zip(mail.lines, commands, strict=True) if not _asks(each)]
    text = f"CREATE ?{name} {password} {kind.upper()}"
    defects = tuple(each for each in mail.defects if each.flaw is not MailFlaw.EMPTY)
    return replace(mail, defects=defects).with_lines((*kept_lines, Line(number, text, text)))


def _asks(said: object) -> bool:
    """Return whether a command asks for the tutorial."""
    return isinstance(said, PlainCommand) and (said.name, said.text.lower()) == ("get", "tutorial")


@command("hint", act=Act.PLAY, who=PLAYERS, is_dry=True, refused_in=NOT_PLAYED)
def hint(context: MailContext, line: Line, _: PlainCommand) -> None:
    """Show what the planner would order for one's powers, and why."""
    view, (game, seat) = context.playing(), context.sitting()
    if not game.settings.practice:
        context.refuse(line, Message("practice.only"))
        return
    lines: list[MessageOrText] = []
    for power in seat.powers:
        seen = view_for_power(view, power)
        chosen = choices_of(view, power, BotPolicy.PLANNER)
        for each in chosen:
            order = context.say(order_text(seen.words, each.order))
            lines += [marked("typed", order), _reason(seen.words, each)]
    if not lines:
        lines = [Message("practice.no_hint")]
    title = Message("practice.hint_title", code=view.state.moment.code)
    context.answer.texts.append(Text(title, tuple(lines)))


def _reason(words: Words, choice: BotOrder) -> Message:
    at = words.place(choice.at) if choice.at is not None else ""
    why = Message(f"practice.goal.{choice.goal.value}", place=at)
    return Message("practice.because", why=why)


@command("takeback", act=Act.PLAY, who=PLAYERS, refused_in=NOT_PLAYED)
def take_back(context: MailContext, line: Line, _: PlainCommand) -> None:
    """Go back to the phase before in which one had to order; its orders are given anew."""
    view, (game, seat) = context.playing(), context.sitting()
    if not game.settings.practice:
        context.refuse(line, Message("practice.only"))
        return
    if context.changes.phases or context.changes.order_sets:
        context.refuse(line, Message("practice.alone"))
        return
    goal = _last_decision(context, view)
    if goal is None:
        context.refuse(line, Message("ending.rollback.first_phase"))
        return
    went = moved_to(game, goal, context, at_once=True)
    context.set_game(went)
    context.current = now = load(context.services, context.uow, went)
    # Its orders would play it again at once.
    for power in seat.powers:
        if power in now.order_sets:
            context.file(now.next_order_set(power, (), context.received, context.mail_id))
    name = phase_name(Words(view.world), goal.after.moment)
    context.note("rollback", Message("practice.taken_back_logged", phase=goal.after.moment.code))
    context.done(Message("practice.taken_back", phase=name))
    context.progress.sat_down = True


def _last_decision(context: MailContext, view: GameView) -> StoredPhase | None:
    """The position before this one in which the player had something to order."""
    _, seat = context.sitting()
    for phase in ancestors(stored_phases(context, view), view.phase):
        state = phase.after
        if state.moment != view.state.moment and any(
            has_to_order(view.world, state, power) for power in seat.powers
        ):
            return phase
    return None
