"""What people call things: folded words (lower case, no accents) in the languages that goals come in.

A `*` leaves the ending open, `_` joins the words of a phrase. Every table is plain data; to teach another language, add its words.
"""

from __future__ import annotations

# What a goal talks about (left) and how columns that hold it tend to be called (right).
CONCEPTS: list[tuple[str, str]] = [
    (
        "churn* leave* leaving quit* resign* cancel* attrition lose loses losing lost kundig* gekundigt* abwander* verlassen baja abandon* resili* desabonn* "
        "depart* demission* demiti* dimit* renunci* 离职 辞职 退職 partir cancelam* 流失 离开 取消 解約 離脱",
        "churn* left leave* resigned exited exit attrition cancel* cancelled canceled quit closed kundig* kuendig* gekundigt* gekuendigt* abwander* baja abandon* "
        "resili* desabonn* 流失 解約 離脱",
    ),
    (
        "price* cost* expensive teuer* caro cara cher chere worth charge* pay_for have_to_pay preis* kost* wert precio* costar costo* coste* vale valer prix cout* valeur preco* custo custos custa custam custar "
        "价格 售价 房价 多少钱 値段 価格",
        "price* saleprice cost* value amount preis* kosten wert precio* costo* prix cout* valeur preco* custo custos custa custam custar valor 价格 售价 房价 "
        "单价 価格",
    ),
    (
        "cost* expensive teuer* caro cara cher chere charge* pay_for have_to_pay kost* costar coste* costo* cuesta* cout* custo* custa* custam 多少钱 rent rents miete* alquiler* arriendo loyer* aluguel* 租金 "
        "房租 家賃",
        "rent rents miete* kaltmiete warmmiete alquiler* arriendo loyer* aluguel* 租金 房租 家賃",
    ),
    (
        "default* repay* repaid paid pay_back pay_off pay_their not_pay borrower* debtor* lend* creditworth* loan* zuruckgezahlt zuruckzahl* ausfall* ausgefallen kreditwurdig* impago* "
        "moros* devol* remboursement rembours* defaut inadimpl* 违约 逾期 还款 返済",
        "default* loan_status repaid paid bad good_bad ausfall* kreditwurdig* bonitat kredit impago* moroso defaut inadimpl* 违约 "
        "逾期 返済",
    ),
    (
        "surviv* will_die would_die to_die dies died dying death dead mortality alive uberleb* sterb* gestorben tot sobreviv* muer* morir surviv* survie deces "
        "mourir morte 存活 死亡 幸存 生存",
        "surviv* died death* dead mortality alive uberleb* gestorben tod sobreviv* muert* survie deces deceased 存活 死亡 生存",
    ),
    (
        "late delay* delayed on_time punctual* verspat* punktlich* retras* tarde retard* atras* 延误 晚点 遅延 遅れ",
        "late delay* islate is_delayed ontime verspat* retras* retard* atras* 延误 晚点 遅延",
    ),
    (
        "fraud* betrug* betrueg* fraude* estafa* 欺诈 不正",
        "fraud* isfraud betrug* fraude* 欺诈 不正",
    ),
    (
        "spam junk",
        "spam label class",
    ),
    (
        "buy* purchas* order* convert* conversion subscrib* kauf* bestell* abschliess* compra* acheter achat suscri* souscri* "
        "购买 购入 購入",
        "purchase* bought buy order* convert* conversion subscribed subscribe y kauf* gekauft bestell* compra* achat* suscri* "
        "souscri* revenue 购买 購入",
    ),
    (
        "disease sick* ill illness diagnos* diabet* cancer* tumor* heart krank* erkrank* enferm* malad* doenca* 患病 疾病 诊断 病気",
        "disease diagnos* outcome diabet* cancer* tumor* malignant target num krank* enferm* malad* doenca* 患病 疾病 诊断 病気",
    ),
    (
        "sales sell sold demand turnover revenue umsatz* absatz* verkauf* nachfrage ventas vender demanda ventes vendas 销量 销售 "
        "需求 売上",
        "sales sold units quantity demand turnover revenue umsatz* absatz* verkauf* ventas demanda ventes vendas 销量 销售额 売上",
    ),
    (
        "salary salaries wage* earn* income gehalt* verdien* einkommen salario* sueldo* gana salaire* revenu* renda 工资 收入 年収",
        "salary wage* income earnings gehalt* einkommen lohn salario* sueldo* salaire* revenu* renda 工资 收入 年収",
    ),
    (
        "grade* score* pass exam* note* noten punkt* nota* calificacion* bestehen reussir 成绩 分数 成績 点数",
        "grade* score g3 pass* result* final note* nota* punkte calificacion* 成绩 分数 成績",
    ),
    (
        "quality qualitat calidad qualite qualidade 质量 品质 品質",
        "quality qualitat calidad qualite qualidade 质量 品质 品質",
    ),
    (
        "rating* rate stars review* sentiment opinion* bewert* stern* valoracion* note avis 评分 评价 情感 評価",
        "rating* stars score sentiment polarity bewert* sterne valoracion* note 评分 情感 評価",
    ),
    (
        "fail* failure* break* broken breakdown* defect* faulty ausfall* defekt* ausschuss fallo* averia* defecto* panne* defaut "
        "falha* 故障 缺陷 不良",
        "fail* failure* broken breakdown defect* fault* ausfall* defekt* fallo* averia* panne* defaut falha* 故障 缺陷 不良",
    ),
    (
        "consum* energy power electricity verbrauch* strom* consumo energia consommation 能耗 用电 消費",
        "consum* energy power load kwh verbrauch* consumo energia consommation mpg 能耗 用电量 消費",
    ),
    (
        "type species kind sort category categor* class classify art sorte typ especie* tipo espece* 种类 类别 品种 种 種類",
        "species type class category variety label kind art sorte klasse especie* tipo clase espece* classe 种类 类别 品种 種類",
    ),
    (
        "stroke schlaganfall ictus avc derrame 中风 脳卒中",
        "stroke schlaganfall ictus avc 中风 脳卒中",
    ),
    (
        "wait* duration how_long takes dauer* lange duracion duree duracao 时长 多久 所要時間",
        "duration wait* time length dauer* duracion duree duracao 时长 所要時間",
    ),
]

# Column names that say "this is the answer".
ANSWER_NAMES = "target label labels class outcome response y output result answer ziel zielvariable klasse ergebnis objetivo " \
    "clase etiqueta resultado cible classe etiquette alvo rotulo 目标 标签 结果 类别 目的変数 ラベル"  # fmt: skip

# "Predict" and its like; the column named next is what is wanted.
PREDICT = (
    "predict* forecast* estimat* guess* classify determine find_out tell_me_which tell_me_whether fill_in would_like we'd_like i'd_like want_to_know need_to_know wonder vorherzusagen "
    "vorhersag* sage schatz* prognos* bestimm* predec* predic* estim* prever clasific* rellen* completar adivin* predi* prevo* "
    "devin* classer 预测 估计 估算 判断 分类 预计 予測 推定 score"
)

# "From these": the columns named next are inputs.
FROM = (
    "based_on from using given considering taking_into_account by_means_of out_of auf_basis aus anhand aufgrund mit_hilfe basierend a_partir_de usando segun con "
    "base en a_partir_de selon a_l'aide com_base_em 根据 基于 利用 按照 から もとに 基づいて"
)

# "Every row has one of these": how rows are named.
ID_PARTS = (
    "id ids uuid guid key nr no number num reference ref code identifier index nummer kennung aktenzeichen numero referencia "
    "codigo identificador identifiant matricule 编号 序号 号码 番号 单号 识别码"
)
NAMES = "name fullname full_name nombre nom nome 姓名 名字 名前 氏名"  # of people and things
ID_ENDINGS = ("id", "nummer", "nr", "key", "编号", "番号", "序号")

# Rows to predict, by the name of their file or sheet.
TEST_NAMES = (
    "test* te predict* score scoring unlabel* unlabeled unknown new current future upcoming next todo to_predict holdout eval "
    "neu neue neuen neuer neues neuan* neube* neuda* neuein* neufa* neukund* neuver* neuzu* aktuell* offen offene offenen offener offenes unbekannt* vorhersage* prognose nuevo* nueva* actual* pendiente* predecir prueba nouveau* nouvelle* "
    "actuel* novo* nova* atuais to_label* to_classify* to_rate* to_score* to_annotate* to_tag to_recogni* to_identify to_sort unsorted unidentified unrated not_rated not_labelled unscored ohne_label* "
    "ohne_bewertung unbewertet* unbeschriftet* sin_etiqueta* sin_clasificar por_clasificar sans_etiquette a_classer sem_rotulo 待预测 预测 测试 未知 新 未来 待评 予測 テスト 新規"
)
WHOSE = (
    "speaker* person subject patient actor actress singer reader user participant player author animal individual bird device "
    "station site session sprecher* sprech* proband* patient* schauspieler person* hablante* locutor* sujeto paciente actor* "
    "locuteur* sujet acteur* falante* sujeito 说话人 话者 話者 人 患者 被験者"
)
TRAIN_NAMES = (
    "train* training tr history hist historic* historical past old labelled labeled known dev learn* alt* alte fruher* bekannt* "
    "bisher* rated scored annotated bewertet* gelabelt* beschriftet* etiquetad* annote* rotulad* entrenamiento historico* historial antiguo* anterior* entrainement historique ancien* passe treino antigo* 历史 训练 "
    "已知 学習 過去 履歴"
)
SAMPLE_NAMES = (
    "sample*submission sample_submission samplesubmission submission submission_format submissionformat example_submission "
    "sample_output sample_predictions answer_format template beispiel_abgabe abgabe muster* ejemplo_envio plantilla exemple "
    "提交样例 提交示例 提交 提出例"
)
BRIEF_NAMES = (
    "assignment task readme brief instructions exercise homework challenge competition project aufgabe* auftrag anleitung ubung "
    "tarea* instrucciones enunciado ejercicio devoir consigne* sujet exercice enonce tarefa 作业 任务 说明 要求 課題 問題"
)

# "How alike are the two texts?"
ALIKE = (
    "similar* alike same_meaning mean_the_same paraphras* relatedness related_are semantic* ahnlich* gleiche_bedeutung dasselbe_bedeut* "
    "bedeutungsgleich* parecid* semejan* mismo_significado ressembl* meme_sens similaridade parecenca 相似 相近 同义 類似 同じ意味"
)

# What a goal says that points to a document.
SEE_DOCUMENT = (
    "pdf docx document assignment readme attached instructions brief exercise homework description file anhang beiliegend* "
    "aufgabe* dokument beschreibung adjunto documento tarea enunciado joint ci-joint sujet anexo 文档 文件 作业 附件 说明 課題 添付"
)

# "Give me a probability".
PROBABILITY = (
    "probabilit* chance chances risk risks likelihood how_likely odds propensity between_0_and_1 confidence wahrscheinlich* "
    "risiko* zwischen_0_und_1 probabilidad* riesgo* entre_0_y_1 probabilite* risque* entre_0_et_1 probabilidade* risco* "
    "entre_0_e_1 概率 可能性 风险 几率 0到1 0和1之间 確率 リスク"
)

# "Give me yes or no".
YES_OR_NO = (
    "yes_or_no yes/no true_or_false 0_or_1 1_or_0 0/1 flag* filter* ja_oder_nein ja/nein 0_oder_1 si_o_no si/no 0_o_1 oui_ou_non oui/non 0_ou_1 "
    "sim_ou_nao 是或否 是否 はいかいいえ"
)

# "Which of these hold?", "for each of these": the columns named next (in Chinese and Japanese before) are all wanted.
EACH_OF = (
    "which_of which_ones_of each_of every_one_of all_of any_of both either_of welche_von welche_der jede_von jedes_von jeden_von "
    "jeder_von fur_jede fur_jedes beide cuales_de cual_de cada_uno_de cada_una_de ambos ambas lesquels_de lesquelles_de "
    "lesquels_parmi chacun_de chacune_de quais_de quais_dos quais_das cada_um_de cada_uma_de 哪些 哪个 分别 各自 每个 それぞれ どれ どちら 各々"
)

# "Yes".
YES = "1 true yes y t ja j wahr oui o vrai si s sim verdadero verdadeiro positive positiv positivo present 是 有 阳性 はい 真"

# Money, where people ask "how far off" and few large errors should not rule.
MONEY = (
    "price* cost* charge* fee* rent preis* kosten miete precio* costo* coste* alquiler prix cout* loyer preco* custo custos custa custam custar aluguel "
    "价格 售价 房价 租金 价 値段 価格 家賃"
)

# Names that carry a point in time.
YEAR = "year yr jahr ano annee 年 年份 年度"
MONTH = "month mo monat mes mois 月 月份"

# Names of columns that explain or follow an answer rather than being it: `churn_reason` beside `churned`.
BESIDE_ANSWER = (
    "reason reasons cause why comment comments note notes remark date timestamp grund ursache datum bemerkung motivo "
    "razon fecha comentario raison motif commentaire 原因 理由 备注 日期"
)

# "A table of answers", by the name of its file.
ANSWER_FILES = "label labels target targets answer answers outcome outcomes y solution ziel ergebnis* etiqueta* respuesta* etiquette* reponse* 标签 答案"

# Words that a description uses for the target.
TARGET_WORDS = (
    "target dependent_variable response_variable class_label class_attribute outcome_variable to_predict to_be_predicted "
    "zielvariable zielgrosse vorherzusagen variable_objetivo variable_dependiente a_predecir variable_cible a_predire variavel "
    "alvo 目标变量 因变量 预测目标 目的変数"
)


def table(text: str) -> list[str]:
    """The words and phrases of one of the tables above."""
    return [word.replace("_", " ") for word in text.split()]
