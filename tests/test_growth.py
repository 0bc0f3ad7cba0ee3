"""Time grows as the text does: a sample of shapes on every route. ``tests.growth`` measures thousands by hand."""

from __future__ import annotations

import pytest

from tests.growth.kept import KEPT, STREAMED
from tests.growth.measure import MOST, measure
from tests.growth.routes import ROUTES
from tests.growth.shapes import Shape, some_shapes


@pytest.mark.parametrize("route", [route for route in ROUTES if "stream" not in route])
def test_eight_times_the_text_costs_at_most_twelve_times_as_much(route: str) -> None:
    for shape in some_shapes(8, seed=[*ROUTES].index(route)):
        growth = measure(shape, route)
        assert growth.ratio <= MOST, growth


@pytest.mark.parametrize(("shape", "route"), [*KEPT, *STREAMED], ids=str)
def test_what_took_longer_once(shape: Shape, route: str) -> None:
    growth = measure(shape, route)
    assert growth.ratio <= MOST, growth
