"""Values of every kind that the desk keeps, to be stored and read again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.events import (
    Advanced,
    DiceThrown,
    Held,
    PhaseEnded,
    UnitDislodged,
)
from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.names import Coast, PlaceId, PowerId
from machjudge.adjudicator.options import JUDGE, with_option
from machjudge.adjudicator.state import Dislodged, Loan, State
from machjudge.adjudicator.units import Kind, Quality, Unit
from machjudge.judge.game_settings import Fakes, FromLate, GameSettings, PressRules, Tones
from machjudge.judge.records import (
    Calendar,
    Clock,
    FiledOrder,
    Game,
    GameId,
    MailId,
    Notify,
    OrderSet,
    Person,
    PersonId,
    Role,
    Seat,
    Status,
    StoredPhase,
    Wishes,
)

NOW = datetime(2026, 11, 20, 12, 30, 15, 123456, tzinfo=UTC)
SPRING = Campaign(1454, Season.SPRING)

LUCIA = Person(
    PersonId("p1"), "Lucia Rossi", ("lucia@example.com", "l.rossi@example.org"), "Europe/Rome", NOW
)
OTTO = Person(
    PersonId("p2"),
    "Otto Müller",
    ("otto@example.com",),
    "UTC",
    NOW,
    calendar=Calendar.INVITE,
    language="es",
    notify=Notify.DAILY,
    digest_hour=18,
    alarms=(48,),
)

VENICE, FLORENCE = PowerId("V"), PowerId("F")
ARMY = Unit(VENICE, Kind.ARMY, PlaceId("pad"), quality=Quality.PROFESSIONAL, since=SPRING)
FLEET = Unit(VENICE, Kind.FLEET, PlaceId("nap"), Coast("nc"))
GARRISON = Unit(FLORENCE, Kind.GARRISON, PlaceId("flo"))

STATE = State(
    moment=Moment(SPRING, Stage.CAMPAIGN),
    field={PlaceId("pad"): ARMY, PlaceId("nap"): FLEET},
    garrisons={PlaceId("flo"): GARRISON},
    dislodged=(
        Dislodged(replace(ARMY, place=PlaceId("bol")), (Spot(PlaceId("mod")),), convert=True),
    ),
    provinces={PlaceId("pad"): VENICE, PlaceId("flo"): FLORENCE},
    cities={PlaceId("pad"): VENICE},
    homes={PlaceId("pad"): VENICE},
    sieges=frozenset({PlaceId("flo")}),
    famine=frozenset({PlaceId("mil"), PlaceId("pav")}),
    province_rebellions={PlaceId("pad"): VENICE, PlaceId("cre"): None},
    city_rebellions={PlaceId("flo"): None},
    treasuries={VENICE: 12, FLORENCE: 0},
    loans=(Loan(VENICE, 10, 5, Campaign(1456, Season.SPRING)),),
    defaulted=frozenset({FLORENCE}),
    chits={VENICE: (FLORENCE,)},
    eliminated=frozenset({PowerId("N")}),
)

RULES = with_option(JUDGE, "summer", value=False)

GAME = Game(
    id=GameId("borgia"),
    name="Borgia",
    version=1,
    status=Status.RUNNING,
    scenario="1454",
    rules=RULES,
    settings=GameSettings(
        campaign_hours=96,
        listed=False,
        press=PressRules(Tones.GREY_WHITE, fakes=Fakes.MAY, late=FromLate.PARTIAL, watched=True),
    ),
    secret=bytes(range(32)),
    created=NOW,
    master=LUCIA.id,
    seats=(
        Seat(
            0,
            Role.MASTER,
            LUCIA.id,
            "lucia@example.com",
            "$argon2id$1",
            wishes=Wishes(broadcasts=False, all_press=True),
        ),
        Seat(
            1, Role.PLAYER, OTTO.id, "otto@example.com", "$argon2id$2", (VENICE,), "VF*", waits=True
        ),
        Seat(
            2, Role.PLAYER, None, "gone@example.com", "", (FLORENCE,), approved=False, public=True
        ),
    ),
    position=0,
    clock=Clock(
        NOW,
        NOW + timedelta(hours=72),
        late_told=NOW,
        grace=NOW + timedelta(hours=96),
        warned=(24, 12),
    ),
    heard=NOW,
    warned=NOW,
)

LINE = FiledOrder("a pad h  # stay", "A pad H", NOW, MailId(1))
WRITTEN_BY_US = FiledOrder("A flo H", "A flo H", NOW, None)
SHEET = OrderSet(GameId("borgia"), 0, VENICE, 1, (LINE,), flawed=True, received=NOW, mail=None)

PHASE = StoredPhase(
    game=GameId("borgia"),
    number=0,
    parent=None,
    moment="S1454M",
    before=STATE,
    after=replace(STATE, moment=Moment(SPRING, Stage.RETREATS), treasuries={VENICE: 3}),
    orders={VENICE: (LINE,), FLORENCE: (WRITTEN_BY_US,)},
    rules=RULES,
    events=(
        DiceThrown("income venice", (6, 1), 2),
        Held(GARRISON),
        Advanced(FLEET, PlaceId("iol"), Coast(""), 2, left_empty=True),
        UnitDislodged(ARMY, FLEET, 2, 1, (Spot(PlaceId("mod")),), convert=False),
        PhaseEnded(Moment(SPRING, Stage.RETREATS)),
    ),
    adjudicator="0.1.0",
    processed=NOW,
)
