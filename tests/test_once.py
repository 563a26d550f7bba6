"""Work that is done once for each object."""

from __future__ import annotations

from aabalance.once import once_per_object


def test_once_per_object__goes_by_what_an_object_is_not_by_what_it_equals() -> None:
    asked = []
    of = once_per_object(lambda one: asked.append(one) or len(asked))
    one, equal = [1], [1]
    assert [of(one), of(equal), of(one)] == [1, 2, 1]


def test_once_per_object__no_later_object_gets_the_result_of_one_that_is_gone() -> None:
    of = once_per_object(list[int].copy)
    assert [of([number]) for number in range(200)] == [[number] for number in range(200)]
