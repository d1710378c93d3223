"""Words of hints: what people write when they correct a run, in the languages they write.

Regular expressions over folded text (lower case, no accents). Columns are already replaced by marks such as
`§3§`, so that a column called `date` is not taken for a word. To teach another language, add its words.
"""

from __future__ import annotations

# Model families: AutoGluon's keys, what people call them, and what the answer calls them.
MODELS: list[tuple[tuple[str, ...], str, str]] = [
    (("GBM",), r"light ?gbm|\blgbm?\b|\bgbm\b", "LightGBM"),
    (("CAT",), r"cat ?boost", "CatBoost"),
    (("XGB",), r"xg ?boost|\bxgb\b", "XGBoost"),
    (("RF",), r"random ?forests?|zufallsw[a-z]+|bosques? aleatorios?|forets? aleatoires?|florestas? aleatorias?|随机森林|ランダムフォレスト", "random forests"),
    (("XT",), r"extra[- ]?trees?|extremely random", "extra trees"),
    (("NN_TORCH", "FASTAI"), r"neural[- ]net\w*|\bnns?\b|deep learning|neuronale?[nrs]? netz\w*|red(?:es)? neuronal(?:es)?|reseaux? de neurones|redes? neura(?:l|is)|神经网络|深度学习|ニューラル", "neural networks"),
    (("LR",), r"linear (?:models?|regressions?)|logistic (?:models?|regressions?)|linear[- ]?models?|lineare[nrs]? (?:modelle?n?|regression)|modelos? lineal(?:es)?|modeles? lineaires?|modelos? linear(?:es)?|线性(?:模型|回归)|逻辑回归|線形", "linear models"),
    (("KNN",), r"\bk[- ]?nns?\b|nearest neighbou?rs?|nachste\w* nachbar\w*|vecinos mas cercanos|plus proches voisins|近邻|近傍", "nearest neighbours"),
    (("GBM", "CAT", "XGB"), r"(?:gradient[- ])?boosting|boosted trees|\bgbdt\b|梯度提升|勾配ブースティング", "gradient boosting"),
    (("GBM", "CAT", "XGB", "RF", "XT"), r"tree[- ](?:based )?models?|baummodelle?|modelos de arboles|树模型|決定木", "tree models"),
]  # fmt: skip

NOT = (
    r"\b(?:do|is|are|was|does|should|need|must)(?:es)? ?n[o']?t\b|\bdo not\b|\bdont\b|\bnot\b|\bno\b|\bnever\b|\bwithout\b|\bstop\b|\bavoid\b|\bkeine?[nmrs]?\b|\bnicht\b|\bohne\b|"
    r"\bsin\b|\bevita\w*|\bne\b|\bn'|\bpas\b|\bsans\b|\bevite\w*|\bnao\b|\bsem\b|不要|不用|别(?=用|使|删|忽)|避免|使わない|なしで"
)
INSTEAD = (
    r"\b(?:instead of|rather than|anstatt|anstelle von|statt|en vez de|en lugar de|au lieu de?|em vez de)\b.*|而不是.*"
)
OUT = (
    r"\bdrop\w*|\bremov\w+|\bignor\w+|\bexclud\w+|\bleav\w+ (?:\w+ )?out\b|\bleave\b.*\bout\b|\bdelet\w+|\bskip\w*|\bthrow\w* (?:away|out)|\bget rid\b|"
    r"\bdiscard\w*|\bweglassen|\blass\w*\b.*\bweg\b|\bentfern\w+|\bloesch\w+|\blosch\w+|\bquit[ae]\w*|\belimin\w+|\bexclu\w+|\bdescart\w+|"
    r"\bsupprim\w+|\benlev\w+|\bretir\w+|\bremov[ae]\w*|忽略|删除|去掉|删掉|排除|除外|削除|無視"
)
USELESS = (
    r"\b(?:is|are|seems?|looks?) (?:\w+ )?(?:useless|irrelevant|noise|noisy|misleading|nonsense|wrong|garbage|a leak|leak\w*)|"
    r"\b(?:(?:is|are) not|(?:is|are)n't) (?:\w+ )?(?:useful|helpful|relevant|needed|known|available)|"
    r"\b(?:only )?known (?:only )?(?:afterwards|later)|\bleaks\b|\b(?:ist|sind) (?:nutzlos|unwichtig|irrelevant)|\bno sirve|\bes inutil|\best inutile|没用|无用|无关|泄漏"
)
KEEP = (
    r"\bkeep\w*|\bwith (?=§)|\bmit (?=§)|\buse\b|\busing\b|\binclud\w+|\bbring back\b|\badd back\b|\bput back\b|\bbehalt\w*|\bverwend\w+|\bnutz\w+|\bbenutz\w+|\bnimm\b|"
    r"\busa[r]?\b|\buses\b|\butiliza\w*|\bconserva\w*|\bincluy\w+|\bmant[eé]n\w*|\butilise\w*|\bgarde\w*|\bmantenha\w*|保留|使用|用上|使う|残す"
)
ONLY = r"\bonly\b|\bjust\b|\bnothing but\b|\bnur\b|\bausschliesslich\b|\bsolo\b|\bsolamente\b|\bseulement\b|\buniquement\b|\bapenas\b|只|仅|だけ"
EXCEPT = r"\bexcept\b|\bapart from\b|\bbut (?=§)|\bother than\b|\bausser\b|\bbis auf\b|\bexcepto\b|\bmenos\b|\bsauf\b|\bexceto\b|除了|以外"

# Work on columns that no recipe has a switch for.
NEW_WORK = (
    r"\bratios?\b|\bpolynom\w*|\blog(?:arithm)?s? of\b|\blog-?transform\w*|\bbins?\b|\bbucket\w*|\bcombin\w+|\bmultipl\w+|\bdivide\b|\binteraction\w*|"
    r"\bnew (?:feature|column)\w*|\bcreate\b|\bcomput\w+|\bderiv\w+|\bextract\w*|\bimput\w+|\bfill\b|\bscale\b|\bnormali[sz]\w+|\bclip\b|\boutlier\w*|"
    r"\bmerge\b|\bjoin\b|\bcluster\w*|\bembed\w*|\bverhaltnis\b|\bberechn\w+|\bcalcula\w*|比值|计算|填充|組み合わせ"
)
TARGET = (
    r"\btarget\b|\bpredict(?:ing)?\b|\bto predict\b|\blabel(?: column)? (?:is|should|=)|\banswer(?: column)? (?:is|should|=)|\bzielspalte\b|\bziel\b|"
    r"\bvorhersag\w+|\bsage?\b.*\bvoraus\b|\bvariable objetivo\b|\bobjetivo\b|\bpredic\w+|\bpredec\w+|\bcible\b|\bpredi(?:re|s|t)\b|\balvo\b|\bprever\b|目标|预测|目的変数|予測"
)
ID = r"\b(?:as|als|como|comme)\b[^.]{0,12}\b(?:id|identifier|row name|kennung|identificador|identifiant)\b|\b(?:id|identifier)(?: column)? (?:is|should be|=)|\bnames the rows\b"

# "Treat it as a ...": the kind of column, and the words.
KINDS: list[tuple[str, str]] = [
    ("category", r"categor\w+|kategor\w+|\bcodes?\b|\bclass(?:es)?\b|\bnominal\b|类别|分类|カテゴリ"),
    ("number", r"\bnumbers?\b|\bnumeric(?:al)?\b|\bzahl(?:en)?\b|\bnumerisch\w*|\bnumeros?\b|\bnumerico\b|\bnombres?\b|\bnumerique\b|数字|数值|数値"),
    ("date", r"\bdates?\b|\btimestamps?\b|\bdatum\b|\bfechas?\b|\bdata\b|日期|日付"),
    ("text", r"\btexts?\b|\bfree text\b|\btextos?\b|\btexte\b|\bfreitext\b|文本|テキスト"),
]  # fmt: skip
AS = r"(?:\b(?:as|is|are|be|to|into|als|ist|zu|como|es|comme|est|en|em)\b|当作|当成|视为|作为|として|是)(?:\s*(?:not|an?|nicht|eine?|keine?|una?|pas|une?|der|the|really|actually|just))*\s*"
TREAT = (
    r"\btreat\w*|\bhandle\w*|\bconsider\w*|\bread\b|\bconvert\w*|\bbehand\w+|\btrata\w*|\btraite\w*|当作|当成|视为|扱"
)

BALANCE = (
    r"\bimbalanc\w*|\bunbalanc\w*|\bclass balanc\w*|\bbalanc\w+ (?:the )?class\w*|\bclass weight\w*|\brare class\w*|\bminority\b|\bunausgewogen\w*|"
    r"\bunausgeglichen\w*|\bklassen (?:ausgleichen|gewichten)|\bdesbalance\w*|\bbalance\w* (?:las )?clases|\bdesequilibr\w*|\bequilibr\w+ les classes|不平衡|不均衡|类别权重"
)
LONGER = (
    r"\bmore time\b|\blonger\b|\btake your time\b|\bdouble the time\b|\bmehr zeit\b|\blanger\b|\blass dir zeit\b|\bmas tiempo\b|\bplus de temps\b|"
    r"\b(?:more|mehr|mas|plus d'|mais) ?epo(?:ch|c|qu)\w*|更多轮|\bplus longtemps\b|\bmais tempo\b|更多时间|久一点|更长时间|もっと時間|長く"
)
ROWS = r"rows?|examples?|samples?|records?|lines?|zeilen?|datensatze?|filas?|registros?|lignes?|linhas?|行|条|样本"
HALF = r"\bhalf\b|\bhalfte\b|\bmitad\b|\bmoitie\b|\bmetade\b|一半|半分"
SAMPLE = r"\bsampl\w+|\bsubsampl\w+|\bsubset\b|\bstichprobe\b|\bmuestra\b|\bechantillon\b|\bamostra\b|抽样|采样|抽取|サンプル"

SPLIT = r"\bsplit\w*|\bhold ?out\b|\bvalidat\w+|\bcross[- ]valid\w+|\baufteil\w+|\bdivid\w+|\bdivis\w+|划分|拆分|分割"
BY_TIME = (
    r"\btime\b|\bdates?\b|\bchronolog\w*|\bin order\b|\bzeit\w*|\bdatum\b|\btiempo\b|\bfecha\b|\btemps\b|时间|日期|時間"
)
BY_GROUP = r"\bgroup\w*|\bgrupp\w+|\bgrupo\w*|\bgroupe\w*|\bby §|\bper §|\bnach §|\bpor §|\bpar §|按§|组"
ORDER = r"<|\border(?:ed)?\b|\breihenfolge\b|\bgeordnet\b|\borden\b|\bordre\b|\bordem\b|顺序|順序"
POSITIVE = r"\bpositive\b|\bpositive[rn]? (?:klasse|wert)\b|\bclase positiva\b|\bclasse positive\b|正类|阳性"
PROBABILITIES = (
    r"\bprobabilit\w+|\bchances?\b|\brisks?\b|\bwahrscheinlichkeit\w*|\bprobabilidad\w*|\bprobabilite\w*|概率|確率"
)
LABELS = r"\b(?:labels?|yes or no|yes/no|0 or 1|0/1|hard (?:labels|classes))\b|\bja oder nein\b|\bsi o no\b|\boui ou non\b|标签|是或否"
PROBLEMS: list[tuple[str, str]] = [
    ("regression", r"\bregression\b|\bregresion\b|\bregressao\b|回归|回帰|\bas (?:a )?numbers?\b|\bals zahl\b"),
    ("classes", r"\bclassification\b|\bmulti-?class\b|\bas (?:separate )?class(?:es)?\b|\bklassifikation\b|\bals klassen?\b|\bclasificacion\b|\bclassificacao\b|分类问题|分類"),
]  # fmt: skip

# Words that begin something new after a comma or "and".
STARTS = (
    r"(?:(?:please|also|then|just|now|bitte|dann|por favor|tambien|s'il te plait|aussi|请|再|并且?)\s*)*(?:"
    r"with §|do ?n[o']?t\b|do not\b|no\b|not\b|without\b|avoid\b|stop\b|never\b|drop|remov|ignor|exclud|leave|delet|skip|keep|us[ea]\b|using\b|try\b|includ|"
    r"treat|handle|consider|predict|target|the target|judge|optimi|score|metric|measure|balanc|take\b|train|sampl|split|give\b|i want\b|make\b|add\b|"
    r"lass\b|entfern|ohne\b|kein|nimm\b|nutz|verwend|behalt|behand|ignorier|miss\b|quita|elimina|sin\b|trata|utiliz|sans\b|traite|garde|supprim|"
    r"§\d+§ (?:is|are|as|should|ist|es|est|als|como)\b|不要|忽略|删除|使用|用|把|保留)"
)
# Names of columns that are words of hints as well; taken for columns only where nothing else can be meant.
ORDINARY = (
    "a i is no in on to of or and the use keep drop all row rows time date text number category class classes target label model models "
    "metric sample id type data column columns not only test train split group accuracy recall precision f1 auc mae rmse order good more"
)
