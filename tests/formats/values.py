"""Strategies for the values of the core, with names that the format can write."""

from hypothesis import strategies as st

from machjudge.adjudicator.board import Spot
from machjudge.adjudicator.moments import Campaign, Moment, Season, Stage
from machjudge.adjudicator.names import Coast, PlaceId, PowerId
from machjudge.adjudicator.orders import Named
from machjudge.adjudicator.units import Kind, Quality, Unit

places = st.from_regex(r"[a-z]{3}", fullmatch=True).map(PlaceId)
powers = st.sampled_from("AFILNPTV&").map(PowerId)
coasts = st.sampled_from(["", "nc", "sc", "ec", "wc"]).map(Coast)
campaigns = st.builds(Campaign, st.integers(1, 9999), st.sampled_from(Season))
units = st.builds(
    Unit,
    powers,
    st.sampled_from(Kind),
    places,
    coasts,
    st.sampled_from(Quality),
    st.none() | campaigns,
)


def register() -> None:
    """Let ``from_type`` make values whose names the format can write."""
    st.register_type_strategy(Unit, units)
    st.register_type_strategy(Campaign, campaigns)
    st.register_type_strategy(Moment, st.builds(Moment, campaigns, st.sampled_from(Stage)))
    st.register_type_strategy(Spot, st.builds(Spot, places, coasts))
    st.register_type_strategy(
        Named,
        st.builds(Named, st.none() | st.sampled_from(Kind), places, coasts, st.none() | powers),
    )
    st.register_type_strategy(PlaceId, places)
    st.register_type_strategy(PowerId, powers)
    st.register_type_strategy(Coast, coasts)
