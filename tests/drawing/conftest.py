"""The maps that come with the program, as the tests of the atlas have them."""

from tests.map_files.conftest import atlas, classic, keepers_maps, of_1454, standard

__all__ = ["atlas", "classic", "keepers_maps", "of_1454", "standard"]
