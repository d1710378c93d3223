"""What names of files tell: classes, groups, numbers; as a description calls them."""

import re

import pytest

from mlzero.perception.kinds.file_names import described_parts, fits, name_pattern


def names(form: str, **values: list[str]) -> list[str]:
    import itertools

    return [
        form.format(**dict(zip(values, row, strict=True)), n=n)
        for n, row in enumerate(itertools.product(*values.values()))
    ]


DIGITS = names("{digit}_{who}_{take}", digit=list("0123456789"), who=["ann", "bob", "cy"], take=list("0123"))


@pytest.mark.parametrize(
    ("stems", "found"),
    [
        (DIGITS, {"label": "0", "part_2": "ann", "part_3": "0"}),
        (names("{k}.{m}", k=["cat", "dog"], m=list(map(str, range(20)))), {"label": "cat"}),
        (names("IMG {n} {k}", k=["cat", "dog"] * 10), {"label": "cat"}),
        (names("happy{n}", k=[""] * 10) + names("sad{n}", k=[""] * 10), {"label": "happy"}),
        (names("rec{n}", k=[""] * 30), None),
        (names("photo_{year}_{n}", year=["2019", "2020"] * 9), None),
        (["a_1", "b_2"], None),
    ],
    ids=["digits", "point", "last", "glued", "numbers", "years", "few"],
)
def test_parts_with_few_values(stems, found):
    pattern = name_pattern(stems, [])
    match = re.search(pattern, stems[0]) if pattern else None
    assert (match and match.groupdict()) == found


@pytest.mark.parametrize(
    "text",
    [
        "The recordings are called digit_speaker_take.wav, 8 kHz.",
        "Files are named in the following format: {digit}_{speaker}_{take}.wav Example: 7_ann_3.wav",
        "Every name is <digit>_<speaker>_<take>.",
    ],
)
def test_description_names_the_parts(text):
    assert described_parts(DIGITS, ["Nothing here about state_of_the_art.", text]) == ["digit", "speaker", "take"]
    assert list(re.compile(name_pattern(DIGITS, [text])).groupindex) == ["digit", "speaker", "take"]


@pytest.mark.parametrize("text", ["A well-known set.", "See 7_ann_3.wav.", "one_two", ""])
def test_other_words_are_no_description(text):
    assert described_parts(DIGITS, [text]) == []


def test_words_with_hyphens_are_no_description():
    assert described_parts(names("{a}-{b}", a=["x", "y"], b=list("1234")), ["A well-known set."]) == []


def test_whether_other_names_are_made_alike():
    pattern = name_pattern(DIGITS, [])
    assert fits(pattern, ["3_ann_1", "4_bob_2"], DIGITS)
    assert not fits(pattern, ["ann_3_1", "bob_4_2"], DIGITS)
    assert not fits(pattern, ["rec01", "rec02"], DIGITS)
