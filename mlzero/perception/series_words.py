"""What a goal says about forecasts: whether one is wanted, how far ahead, in which steps; names of months."""

from __future__ import annotations

import re

from mlzero.perception import vocabulary
from mlzero.perception.wording import first_of, fold

FORECAST = (
    "forecast* continue extrapolat* next_weeks next_months next_days next_hours next_years next_quarters next_week next_month "
    "next_year project_forward still_to_come to_come upcoming future prognos* fortsetz* fortfuhr* zukunft* kommende* nachste* hochrechn* "
    "pronostic* proyecta* proxim* futur* prevoi* prevision* previsao prever prochain* continua* "
    "预报 未来 接下来 预测未来 下个月 下周 予測 今後 来月 将来"
)
NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10, "twelve": 12,
    "zwei": 2, "drei": 3, "vier": 4, "sechs": 6, "sieben": 7, "zwolf": 12, "dos": 2, "tres": 3, "seis": 6, "doce": 12,
    "deux": 2, "trois": 3, "douze": 12, "dois": 2, "doze": 12, "一": 1, "两": 2, "三": 3, "六": 6, "七": 7, "十二": 12,
}  # fmt: skip
UNITS = {  # unit -> how it is called
    "h": r"hours?|stunden?|horas?|heures?|小时|個小時|时|時間",
    "D": r"days?|tagen?|dias?|jours?|天|日",
    "7D": r"weeks?|wochen?|semanas?|semaines?|周|星期|週間?",
    "MS": r"months?|monaten?|mes(?:es)?|mois|个?月|か月",
    "QS": r"quarters?|quartalen?|trimestres?|季度|四半期",
    "YS": r"years?|jahren?|anos?|ans|annees?|年",
    "15min": r"minutes?|minuten|minutos",
}
_ADJECTIVES = {  # unit -> words for one value each
    "h": "hourly|stundlich", "D": "daily|taglich|diari", "7D": "weekly|wochentlich|semanal", "MS": "monthly|monatlich|mensual",
    "QS": "quarterly|quartalsweise|trimestral", "YS": "yearly|annual|jahrlich",
}  # fmt: skip
STEPS = {"h": "hourly", "D": "daily", "7D": "weekly", "MS": "monthly", "QS": "quarterly", "YS": "yearly"}
USUAL_SEASONS = {"h": [24, 168], "D": [7, 364], "7D": [52], "MS": [12], "ME": [12], "QS": [4], "B": [5, 260]}
_HOURS = {  # of a step
    "h": 1.0, "D": 24.0, "7D": 168.0, "MS": 730.5, "ME": 730.5, "QS": 2191.5, "YS": 8766.0, "B": 33.6, "15min": 0.25,
}  # fmt: skip
MONTHS = [
    "jan|ene|gen", "feb|fev|fév", "mar|mär|mrz|mae", "apr|abr|avr", "may|mai|mag", "jun|juin|giu", "jul|juil|lug", "aug|ago|aou|aoû",
    "sep|set", "oct|okt|out|ott", "nov", "dec|dez|dic|dic|déc",
]  # fmt: skip


def says_forecast(text: str) -> str | None:
    """The word that asks for a forecast."""
    found = first_of(fold(text), vocabulary.table(FORECAST))
    return found.rstrip("*") if found else None


def ahead(text: str) -> tuple[int, str] | None:
    """How far ahead a goal looks: a count and its unit as in `UNITS`, such as (48, "h") of "the next 48 hours"."""
    folded = fold(text)
    words = "|".join(sorted(NUMBERS, key=len, reverse=True))
    best: tuple[int, int, str] | None = None
    for unit, called in UNITS.items():
        for match in re.finditer(rf"(?<![\w.-])(\d{{1,4}}|{words})[\s-]*(?:\w+\s+)?(?:{called})(?![a-z])", folded):
            count = NUMBERS.get(match.group(1)) or int(match.group(1))
            if count and (best is None or match.start() < best[0]):
                best = (match.start(), count, unit)
    if best:
        return best[1], best[2]
    for unit, called in UNITS.items():
        if re.search(
            rf"(?:next|coming|nachste\w*|kommende\w*|proxim[oa]|prochaine?|下个?|来)\s*(?:{called})(?![a-z])", folded
        ):
            return 1, unit
    return None


def unit_of(text: str) -> str | None:
    """The unit of time that a goal names: the step of a series that is merely counted."""
    found = ahead(text)
    if found:
        return found[1]
    folded = fold(text)
    return next((unit for unit, called in _ADJECTIVES.items() if re.search(rf"\b(?:{called})", folded)), None)


def in_steps(count: int, unit: str, frequency: str) -> int:
    """Steps of a frequency in a stretch of time, at least 1: two weeks are 14 daily steps."""
    if not frequency or frequency == unit:
        return count
    own = _HOURS.get(frequency) or _hours(frequency)
    return max(1, round(count * _HOURS[unit] / own))


def _hours(frequency: str) -> float:
    import pandas as pd

    return float(pd.Timedelta(frequency if frequency[0].isdigit() else f"1{frequency}") / pd.Timedelta("1h"))


def seasons_of(frequency: str) -> list[int]:
    """Lengths of the usual seasons of a frequency, in steps."""
    if frequency in USUAL_SEASONS:
        return USUAL_SEASONS[frequency]
    if not frequency or frequency == "YS":
        return []
    a_day = 24 / _hours(frequency)
    if a_day >= 2 and a_day == round(a_day):
        return [int(a_day), int(7 * a_day)]
    return []


def month_of(name: str) -> int | None:
    """The month a column name says, 1 to 12: `Jan`, `März`, `3`, `3月`."""
    plain = name.strip().casefold().rstrip(".")
    number = re.fullmatch(r"m?(\d{1,2})月?", plain)
    if number:
        return int(number.group(1)) if 1 <= int(number.group(1)) <= 12 else None
    found = [i + 1 for i, starts in enumerate(MONTHS) if re.match(rf"(?:{starts})[a-zà-ÿ]*$", plain)]
    return found[0] if len(found) == 1 else None


def quarter_of(name: str) -> int | None:
    """The quarter a column name says: `Q1`, `1. Quartal`, `T3`."""
    found = re.fullmatch(
        r"(?:q|t|quarter|quartal)\s*([1-4])|([1-4])\.?\s*(?:q|quarter|quartal|trimestre?)", name.strip().casefold()
    )
    return int(found.group(1) or found.group(2)) if found else None
