import pytest
from django import forms
from hypothesis import given, settings
from hypothesis import strategies as st

from economy.texts import MOST_MARKS, UnfitText, WrittenField, clean_text
from tests.forms import form

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


@pytest.mark.plain
@pytest.mark.parametrize(
    "text",
    [
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u06f1\u06f4\u06f0\u06f0 \u0647\u200d.\u0634",
        "\u0915\u094d\u200d\u0937", "\u0d28\u0d4d\u200d", FAMILY, SCOTLAND, f"a {SCOTLAND} b",
        "\U0001f3f4\u200d\u2620\ufe0f", "\u2764\ufe0f\u200d\U0001f525", "1\ufe0f\u20e3",
        "\U0001fa77", "\U0001fae8\u200d\U0001fa77", "\u05e9\u05c1\u05bc\u05b8\u0591",
        "e\u0323\u0302", "\U0001d11e",
    ],
)  # fmt: skip
def test_a_text_keeps_joiners_flags_marks_and_young_pictures(text):
    assert (clean_text(text), clean_text(text, has_lines=True)) == (text, text)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\u200bb\u200dc\ufeff", "abc"), ("\u2066a\u2069", "a"), ("so\u00adlo", "solo"),
        ("a\r\nb\u2028c\u00a0d", "a b c d"), ("a\x07b\x1b[0m", "ab[0m"),
        ("\U0001f3a9 ok", "\U0001f3a9 ok"),
        ("\u0645\u200c\u200c\u0646", "\u0645\u200c\u0646"), ("\u200d\u200c!mine B", "!mine B"),
        ("a\U000e0067\U000e007f", "a"), ("\U0001f3f4\U000e0067", "\U0001f3f4"), ("\ue000a", "a"),
        ("\u3164\ufe0f \u2800!mine\u3164", "!mine"), ("\u0301!mine B", "!mine B"),
        ("  ", ""), ("", ""),
    ],
)  # fmt: skip
def test_a_text_loses_signs_that_nobody_sees(text, kept):
    assert clean_text(text) == kept


@pytest.mark.plain
@pytest.mark.parametrize(
    "text",
    [
        "\u200b", "\u2800", "\u3164", "\u00ad", "\u115f\u1160", "\uffa0", "\ufe0f", "\u0301",
        "\u202eabc", "abc\u202d", "a" + "\u0301" * (MOST_MARKS + 1),
        "\u0e01" + "\u0e49\u200c" * (MOST_MARKS + 1), "\u200d", "\x07",
    ],
)  # fmt: skip
def test_a_text_that_is_empty_turned_or_stacked_is_refused(text):
    for has_lines in (False, True):
        with pytest.raises(UnfitText):
            clean_text(text, has_lines=has_lines)


def test_a_text_with_lines_keeps_them():
    text = "one\r\n\ttwo\u3000\u200b2\x07\u2028\n\nthree "
    assert clean_text(text, has_lines=True) == "one\n\ttwo 2\n\n\nthree"


#: Signs of every kind that the rule looks at.
SIGNS = st.sampled_from(
    "a \n\t\r\x07\u00a0\u0301\u200b\u200c\u200d\u200e\u2028\u202a\u2800\u3164\ufe0f\u0645\u094d"
    "\u0915\ue000\U0001f3f4\U0001f469\U0001fae8\U000e0067\U000e0062\U000e0065\U000e007f"
)


@settings(max_examples=form(100, in_all=300, in_long=3_000), deadline=None)
@given(st.text(SIGNS | st.characters(exclude_categories=["Cs"]), max_size=12), st.booleans())
def test_what_is_clean_stays_as_it_is(text, has_lines):
    try:
        cleaned = clean_text(text, has_lines=has_lines)
    except UnfitText:
        return
    assert clean_text(cleaned, has_lines=has_lines) == cleaned
    assert has_lines or "\n" not in cleaned


def test_a_field_of_a_form_keeps_what_was_typed_and_says_what_is_wrong():
    class Some(forms.Form):
        line = WrittenField(max_length=3)
        lines = WrittenField(widget=forms.Textarea, required=False)

    good = Some({"line": " a\u200b\nb", "lines": "a\r\nb"})
    assert good.is_valid()
    assert good.cleaned_data == {"line": "a b", "lines": "a\nb"}
    bad = Some({"line": "\u202ea", "lines": "\u2800"})
    codes = {
        name: [each["code"] for each in found] for name, found in bad.errors.get_json_data().items()
    }
    assert codes == {"line": ["invalid"], "lines": ["invalid"]}
    assert 'value="\u202ea"' in str(bad["line"])
    assert all('dir="auto"' in str(field) for field in bad)
