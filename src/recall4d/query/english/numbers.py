"""Numbers in digits and in words."""

from __future__ import annotations

_ONES = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_SCALES = {"hundred": 100, "thousand": 1000}
_FIXED: dict[str, float] = {
    "half a": 0.5, "half an": 0.5, "a half": 0.5, "a quarter of a": 0.25, "three quarters of a": 0.75,
    "a couple of": 2, "a couple": 2, "a pair of": 2, "both": 2, "both the": 2,
    "both of the": 2, "a dozen": 12, "half a dozen": 6, "a single": 1, "a hundred": 100, "the only": 1,
}  # fmt: skip


def number(words: tuple[str, ...]) -> float | None:
    """The number that words say: ("twenty", "five") is 25; None if they are not one number."""
    fixed = _FIXED.get(" ".join(words))
    if fixed is not None:
        return fixed
    if words[-3:] == ("and", "a", "half"):
        whole = number(words[:-3])
        return None if whole is None else whole + 0.5
    if len(words) == 1 and words[0].replace(".", "", 1).isdigit():
        return float(words[0])
    total, last = 0.0, 1000.0
    for word in (part for each in words for part in each.split("-")):
        if word in _SCALES and total > 0 and last < 100:
            total, last = total * _SCALES[word], float(_SCALES[word])
        elif word in _TENS and last >= 100:
            total, last = total + _TENS[word], 10.0
        elif word in _ONES and (last >= 100 or (last == 10 and _ONES[word] < 10)):
            total, last = total + _ONES[word], 1.0
        else:
            return None
    return total
