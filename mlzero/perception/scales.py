"""Scales of words that people grade things by, in the languages that data comes in.

A line is a scale, the lowest grade first: `<` parts grades, `|` words for one grade. Words are folded (lower case, no accents).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from mlzero.perception.wording import words_of

_SCALES = """
terrible|awful|very poor|very bad|unacceptable < poor|bad|insufficient|unsatisfactory|weak < below average < fair|average|ok|okay|acceptable|sufficient|satisfactory|mediocre|medium|moderate|regular|neutral < above average < good|decent < very good < excellent|great < outstanding|exceptional|perfect
none|no|zero|absent|negligible|not at all < extremely low|minimal < very low < low|a little|slightly < rather low < medium|med|mid|middle|moderate|average|normal|intermediate|moderately|somewhat < rather high < elevated < high|a lot|very < very high < extreme|extremely high|extremely|critical
none|no|absent|healthy|normal < minimal|trace|very mild < mild|light|slight|minor < moderate|medium < moderately severe|serious|major < severe|heavy|strong < very severe|critical|extreme < fatal|death
never < almost never|hardly ever|very rarely < rarely|seldom < occasionally|sometimes|now and then < often|frequently|regularly < very often|very frequently|usually|mostly|most of the time < almost always|nearly always < always|constantly
never < yearly|annually < quarterly < monthly < fortnightly|biweekly < weekly < daily < hourly
strongly disagree|completely disagree|totally disagree|fully disagree < disagree < slightly disagree|somewhat disagree|rather disagree|mildly disagree < neutral|undecided|unsure|neither|neither agree nor disagree < slightly agree|somewhat agree|rather agree|mildly agree < agree < strongly agree|completely agree|totally agree|fully agree
extremely dissatisfied|completely dissatisfied < very dissatisfied|very unsatisfied < dissatisfied|unsatisfied < somewhat dissatisfied|rather dissatisfied < neutral|neither|neither satisfied nor dissatisfied < somewhat satisfied|rather satisfied < satisfied < very satisfied < extremely satisfied|completely satisfied
impossible < very unlikely|highly unlikely < unlikely|improbable < possible|neutral < likely|probable < very likely|highly likely < certain
very unimportant|not important|not at all important < unimportant < slightly important < neutral|moderately important < important < very important < extremely important
very negative|extremely negative < negative < slightly negative|somewhat negative < neutral|mixed < slightly positive|somewhat positive < positive < very positive|extremely positive
much worse < worse < same|the same|unchanged|stable|equal < better|improved < much better
tiny|very small|extra small < small|little < medium|mid|middle|moderate|average|normal < large|big < very large|extra large|huge|giant
xxxs < xxs < xs < s < m < l < xl < xxl|2xl < xxxl|3xl < 4xl
freezing|very cold < cold < cool < mild|lukewarm < warm < hot < very hot
very slow < slow < medium|moderate|average|normal < fast < very fast
very easy < easy < medium|moderate|average|normal|intermediate < hard|difficult|challenging < very hard|very difficult|expert
beginner|novice|basic < elementary|pre intermediate < intermediate < upper intermediate < advanced < expert|proficient|master
none|no schooling < primary|primary school|elementary|elementary school < middle school|lower secondary < secondary|secondary school|high school|upper secondary < some college|vocational < bachelor|bachelors|bachelor's|undergraduate|college < master|masters|master's|graduate|postgraduate < doctorate|doctoral|phd
bronze < silver < gold < platinum
basic|economy < standard < premium|deluxe
i < ii < iii < iv < v < vi < vii < viii < ix < x
first < second < third < fourth < fifth < sixth < seventh < eighth < ninth < tenth
one < two < three < four < five < six < seven < eight < nine < ten
ungenugend < sehr schlecht|mangelhaft < schlecht < ausreichend|genugend|massig|mittelmassig < befriedigend|mittel|durchschnittlich < gut < sehr gut < ausgezeichnet|hervorragend
kein|keine|keiner|keines < sehr niedrig|sehr gering|minimal < niedrig|gering|leicht|schwach < mittel|mittlere|mittelschwer|moderat|massig|normal|durchschnittlich < hoch|schwer|stark < sehr hoch|sehr schwer|sehr stark|extrem
nie|niemals < fast nie|sehr selten < selten < manchmal|gelegentlich|hin und wieder < oft|haufig|regelmassig < sehr oft|sehr haufig|meistens < fast immer < immer|standig
stimme gar nicht zu|stimme uberhaupt nicht zu|trifft gar nicht zu|trifft uberhaupt nicht zu < stimme nicht zu|trifft nicht zu|lehne ab < stimme eher nicht zu|trifft eher nicht zu < neutral|teils teils|teils/teils|weder noch|unentschieden < stimme eher zu|trifft eher zu < stimme zu|trifft zu < stimme voll zu|stimme voll und ganz zu|trifft voll zu|trifft voll und ganz zu
sehr unzufrieden < unzufrieden < eher unzufrieden < neutral|teils teils|teils/teils < eher zufrieden < zufrieden < sehr zufrieden
sehr klein|winzig < klein < mittel|mittelgross|normal < gross < sehr gross|riesig
sehr leicht < leicht|einfach < mittel|mittelschwer|normal < schwer|schwierig < sehr schwer|sehr schwierig
tres mauvais|tres mauvaise < mauvais|mauvaise|insuffisant|insuffisante < mediocre < passable|moyen|moyenne|correct|correcte|suffisant < assez bon|assez bonne|assez bien < bon|bonne|bien < tres bon|tres bonne|tres bien < excellent|excellente
nul|nulle|aucun|aucune < tres faible|tres bas|tres basse < faible|bas|basse < moyen|moyenne|modere|moderee|normal|normale < eleve|elevee|haut|haute|fort|forte < tres eleve|tres elevee|tres haut|tres haute|tres fort|tres forte
aucun|aucune|absent|absente < leger|legere|mineur|mineure < modere|moderee|moyen|moyenne < grave|severe|majeur|majeure < tres grave|tres severe|critique
jamais < presque jamais|tres rarement < rarement < parfois|quelquefois|occasionnellement|de temps en temps < souvent|frequemment|regulierement < tres souvent|presque toujours < toujours
pas du tout d'accord|fortement en desaccord < pas d'accord|en desaccord < plutot pas d'accord < neutre|ni d'accord ni pas d'accord|sans opinion < plutot d'accord < d'accord < tout a fait d'accord|fortement d'accord
tres insatisfait|tres insatisfaite < insatisfait|insatisfaite < neutre < satisfait|satisfaite < tres satisfait|tres satisfaite
tres petit|tres petite < petit|petite < moyen|moyenne < grand|grande < tres grand|tres grande
pesimo|pesima|muy malo|muy mala < malo|mala|deficiente|insuficiente < regular|aceptable|medio|media|suficiente < bueno|buena|bien < muy bueno|muy buena|muy bien|notable < excelente|sobresaliente
nulo|nula|ninguno|ninguna < muy bajo|muy baja < bajo|baja < medio|media|moderado|moderada|normal < alto|alta < muy alto|muy alta
ninguno|ninguna|ausente < leve|ligero|ligera < moderado|moderada|medio|media < grave|severo|severa < muy grave|muy severo|muy severa|critico|critica
nunca|jamas < casi nunca|muy raramente|muy rara vez < raramente|rara vez|pocas veces < a veces|ocasionalmente|algunas veces|de vez en cuando < a menudo|con frecuencia|frecuentemente|muchas veces < muy a menudo|casi siempre < siempre
totalmente en desacuerdo|muy en desacuerdo < en desacuerdo < algo en desacuerdo < neutral|neutro|ni de acuerdo ni en desacuerdo|indiferente < algo de acuerdo < de acuerdo < totalmente de acuerdo|muy de acuerdo
muy insatisfecho|muy insatisfecha < insatisfecho|insatisfecha < neutral|neutro|indiferente < satisfecho|satisfecha < muy satisfecho|muy satisfecha
muy pequeno|muy pequena < pequeno|pequena < mediano|mediana|medio < grande < muy grande|enorme
muy facil < facil < medio|media|normal|intermedio|intermedia < dificil < muy dificil
很差|极差 < 差|较差|不合格 < 中|中等|一般|合格|及格 < 良|好|良好 < 很好 < 优|优秀|极好
无|没有 < 很低 < 低|较低|轻|轻度|轻微 < 中|中等|中度|一般 < 高|较高|重|重度|严重 < 很高|极重|非常严重
"""


def order_of(labels: Sequence[str]) -> list[str] | None:
    """The labels, the lowest grade first, where one scale knows all of them as different grades; else None.

    A word that all labels share does not count: `low risk` and `high risk`, `Stage I` and `Stage IV`.
    """
    if len(labels) < 2:
        return None
    words = {label: words_of(label.replace("’", "'")) for label in labels}
    shared = set.intersection(*map(set, words.values()))
    plain = [" ".join(words[label]) for label in labels]
    bare = [" ".join(word for word in words[label] if word not in shared) for label in labels]
    for texts in (plain, bare):
        for scale in _scales():
            places = {label: scale[text] for label, text in zip(labels, texts, strict=True) if text in scale}
            if len(places) == len(labels) == len({*places.values()}):
                return sorted(labels, key=places.__getitem__)
    return None


@cache
def _scales() -> list[dict[str, int]]:
    """For every scale the place of each of its words."""
    return [
        {" ".join(words_of(text)): place for place, grade in enumerate(line.split(" < ")) for text in grade.split("|")}
        for line in _SCALES.strip().splitlines()
    ]
