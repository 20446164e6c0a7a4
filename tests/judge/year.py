"""The first year of a game of 1454, told in orders: what the letters of the tests are about."""

from collections.abc import Mapping

from machjudge.adjudicator.names import PowerId
from machjudge.judge.mails import Outgoing
from tests.judge.house import House
from tests.judge.letters_in import write

Orders = Mapping[str, tuple[str, ...]]

OPENING: Orders = {
    "I": ("maintain A mil", "maintain A pav", "maintain A cre", "build G mil"),
    "V": ("maintain A pad", "maintain A ver", "maintain F dal", "maintain G ven"),
    "L": ("maintain A are", "maintain A flo", "maintain F psa"),
    "P": ("maintain A bol", "maintain A per", "maintain A rme", "maintain F anc"),
    "N": ("maintain A bar", "maintain F nap", "maintain A mes", "maintain F pal"),
    "T": ("maintain A alb", "maintain F dur", "maintain F tun"),
    "A": ("maintain A hun", "maintain A aus", "maintain A tyr"),
    "F": ("maintain A swi", "maintain A avi", "maintain F mar"),
}
SPRING: Orders = {
    "I": ("A cre - man", "A mil - trt", "A pav - mon", "G mil h"),
    "V": ("A pad - fer", "A ver h", "F dal - las", "G ven c f"),
    "L": ("A flo - sie", "A are h", "F psa - pio"),
    "P": ("A per - urb", "A bol - fer", "A rme - per", "F anc - uas"),
    "N": ("A bar h", "F nap - gon", "A mes h", "F pal - ion"),
    "T": ("A alb - her", "F dur h", "F tun - bot"),
    "A": ("A tyr h", "A aus h", "A hun h"),
    "F": ("A swi - tur", "A avi h", "F mar - wgl"),
}
SUMMER: Orders = {
    "I": ("A man - ver", "A trt b", "A mon b", "G mil h"),
    "V": ("A pad - fer", "A ver s A pad - fer", "F las h", "F ven c g"),
    "L": ("A are - per", "A sie s A are - per", "F pio h"),
    "P": ("A per h", "A bol - fer", "A urb h", "F uas h"),
    "N": ("A bar h", "F gon h", "A mes - ion - dur", "F ion t A mes - dur"),
    "T": ("A her h", "F dur - alb", "F bot h"),
    "A": ("A tyr h", "A aus h", "A hun h"),
    "F": ("A tur h", "A avi h", "F wgl h"),
}
FALL: Orders = {
    "I": ("A man h", "A trt b", "A mon h", "G mil h"),
    "V": ("A pad h", "A ver h", "F las h", "G ven h"),
    "L": ("A per h", "A sie b", "F pio h"),
    "P": ("A spo h", "A bol h", "A urb h", "F uas h"),
    "N": ("A bar h", "F gon h", "A dur b", "F ion h"),
    "T": ("A her h", "F alb h", "F bot h"),
    "A": ("A tyr h", "A aus h", "A hun h"),
    "F": ("A tur h", "A avi h", "F wgl h"),
}


def address_of(house: House, power: str) -> str:
    """Where the mails of a power go."""
    return next(seat.address for seat in house.game().seats if power in seat.powers)


def order(house: House, power: str, *lines: str, subject: str = "Orders") -> list[Outgoing]:
    """A power sends an order mail."""
    own = f"SIGNON {power}borgia pw{power}"
    return write(house, address_of(house, power), own, *lines, "SIGNOFF", subject=subject)


def play(house: House, orders: Orders, without: str = "") -> list[Outgoing]:
    """All powers send their orders, those in *without* excepted; everything that was sent."""
    sent: list[Outgoing] = []
    for power, lines in orders.items():
        if power not in without:
            sent += order(house, power, *lines)
    return sent


def on_file(house: House) -> list[str]:
    """The canonical orders of Florence."""
    order_set = house.view().order_sets.get(PowerId("L"))
    return [line.canonical for line in order_set.lines] if order_set is not None else []
