"""Solutions as text, and as programs that are run."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from mlzero.iterative_coding import metrics
from mlzero.iterative_coding.coder import check
from mlzero.iterative_coding.contract import Attempt, Evaluation, Failure, Machine
from mlzero.iterative_coding.search import Search
from mlzero.perception.task import Inferred, SplitPlan
from mlzero.semantic_memory.recall import recall
from tests.rendered import module_of

CASES = {
    "number": ("number", "Predict the answer, judged by RMSLE", {"target": "answer"}),
    "yes or no": ("yes or no", "Predict the answer, judged by balanced accuracy", {"target": "answer"}),
    "grades": ("grades", "Predict the answer, macro F1", {"target": "answer", "problem_type": "multiclass"}),
    "several labels": ("several labels", "Predict big and red", {"target": "big, red", "problem_type": "multilabel"}),
}


def solutions(upload, seconds=120):
    recipe = recall(upload.task, upload.profile).recipes[0]
    for variant in recipe.ladder(upload.task, upload.profile, Machine(2, 8.0), seconds):
        yield variant, recipe.render(upload.task, upload.profile, variant)


@pytest.mark.parametrize("case", CASES)
def test_every_variant_is_a_solution_that_reads_well(upload, case):
    kind, goal, overrides = CASES[case]
    made = upload(kind, goal, later=30, **overrides)
    names = []
    for variant, source in solutions(made):
        names.append(variant.name)
        check(source)
        tree = ast.parse(source)
        assert goal.split(",")[0] in " ".join(ast.get_docstring(tree).split())
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        assert all(ast.get_docstring(function) for function in functions)
        assert all("mlzero" not in line for line in source.splitlines() if "import" in line)
        assert max(map(len, source.splitlines())) <= 140
        for node in tree.body:  # nothing happens when it is imported
            assert isinstance(
                node, ast.FunctionDef | ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom | ast.Expr
            )
    assert names[0] == "quick" and len(names) >= 2


def test_what_is_left_out_is_said(upload):
    made = upload("yes or no", "Predict the answer", target="answer")
    source = next(solutions(made))[1]
    assert "#   order: It names the rows." in source
    assert "'order'" not in source and '"order"' not in source


def test_a_goal_cannot_break_out_of_the_docstring(upload):
    made = upload("yes or no", 'Predict the answer """ + print("boo") \\ \n\n """', target="answer")
    for _, source in solutions(made):
        tree = ast.parse(source)
        assert "boo" in ast.get_docstring(tree)
        assert "print" not in {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }


@pytest.mark.parametrize("case", CASES)
def test_reads_the_same_rows_now_and_later(upload, case, tmp_path):
    kind, goal, overrides = CASES[case]
    made = upload(kind, goal, later=30, **overrides)
    module = module_of(next(solutions(made))[1], tmp_path)
    train, test = module.load_train(made.root), module.load_test(made.root)
    assert list(train.index) == list(range(240)) and len(test) == 30
    assert str(train["day"].dtype).startswith("datetime") and train["paid"].dtype == float
    later = module.load_new(made.root / "new.csv", tmp_path)
    columns = list(module.KINDS)
    pd.testing.assert_frame_equal(later[columns], test[columns])


def test_new_rows_may_come_as_another_format_and_lack_a_column(upload, tmp_path):
    made = upload("yes or no", "Predict the answer", later=30, target="answer")
    module = module_of(next(solutions(made))[1], tmp_path)
    raw = pd.read_csv(made.root / "new.csv").drop(columns="colour")
    raw.to_excel(tmp_path / "later.xlsx", index=False)
    shaped = module.shaped(module.load_new(tmp_path / "later.xlsx", tmp_path), module.KINDS)
    assert len(shaped) == 30 and shaped.shape[1] == len(module.KINDS)
    assert shaped[f"c{list(module.KINDS).index('colour')}"].isna().all()


def test_clock_times_are_minutes(upload, tmp_path):
    made = upload("yes or no", "Predict the answer", target="answer")
    module = module_of(next(solutions(made))[1], tmp_path)
    assert module.KINDS["at"] == "clock"
    rows = pd.DataFrame({"at": [730, 2359, None]})
    assert module.shaped(rows, {"at": "clock"})["c0"].tolist()[:2] == [450, 1439]


@pytest.mark.parametrize(
    ("kind", "bagged", "plain"),
    [
        (SplitPlan(kind="time", column="day"), "num_bag_folds", 'latest_rows(train["day"]'),
        (SplitPlan(kind="group", column="colour"), 'groups="fold"', 'group_folds(train["colour"]'),
        (SplitPlan(kind="stratified"), "num_bag_folds", "hyperparameters=MODELS"),
    ],
    ids=["time", "group", "chance"],
)
def test_models_are_compared_as_the_run_compares_attempts(upload, kind, bagged, plain):
    made = upload("yes or no", "Predict the answer", target="answer")
    made.task.split = Inferred[SplitPlan](value=kind)
    sources = {variant.name: source for variant, source in solutions(made)}
    assert bagged in sources["bagged"] and plain in sources["ensemble"]
    assert ('DATE_PARTS = ["elapsed"' in sources["quick"]) is (
        kind.kind != "time"
    )  # dates to come lie outside of those seen


def test_wishes_are_kept(upload):
    made = upload("yes or no", "Predict the answer", target="answer")
    made.task.preferences.avoid_models = ["CAT", "NN_TORCH"]
    made.task.preferences.sample_rows = 100
    for _, source in solutions(made):
        assert '"CAT"' not in source and '"NN_TORCH"' not in source and "rows.sample(100" in source
    made.task.preferences.use_models = ["XT"]
    assert all('MODELS = {"XT"' in source for _, source in solutions(made))


def test_more_time_is_taken_when_asked_for(upload):
    made = upload("yes or no", "Predict the answer", target="answer")
    before = [variant.fit_seconds for variant, _ in solutions(made)]
    made.task.preferences.more_time = True
    after = [variant.fit_seconds for variant, _ in solutions(made)]
    assert after[0] == before[0] and after[1] == 2 * before[1]


@pytest.mark.parametrize("case", ["number", "several labels"])
@pytest.mark.parametrize("kind", ["memory", "timeout", "exception"])
def test_steps_down_until_there_is_nothing_less(upload, case, kind):
    what, goal, overrides = CASES[case]
    made = upload(what, goal, rows=240, **overrides)
    recipe = recall(made.task, made.profile).recipes[0]
    variant = recipe.ladder(made.task, made.profile, Machine(2, 8.0), 120)[-1]
    variant.options["rows"] = 200_000
    seen = []
    while variant is not None:
        check(recipe.render(made.task, made.profile, variant))
        seen.append(variant.options.get("sample_rows", 200_000))
        variant = recipe.step_down(variant, Failure("fit", kind, "It broke."))
        assert len(seen) < 10
    assert seen[:2] == [200_000, 200_000]
    assert (len(seen) > 2) is (kind != "exception") and min(seen) >= 1000


@pytest.mark.parametrize(
    ("kind", "first"), [("random", "sample"), ("stratified", "sample"), ("group", "quick"), ("time", "quick")]
)
def test_millions_of_rows_begin_with_a_sample_where_rows_are_kept_aside_by_chance(upload, kind, first):
    made = upload("yes or no", "Predict the answer", target="answer")
    made.profile.tables[0].rows = 3_000_000
    made.task.split.value.kind = kind
    recipe = recall(made.task, made.profile).recipes[0]
    variant = recipe.ladder(made.task, made.profile, Machine(2, 8.0), 120)[0]
    assert variant.name == first
    source = recipe.render(made.task, made.profile, variant)
    assert ("rows.sample(200000" in source) is (first == "sample")
    assert recipe.step_down(variant, Failure("fit", "memory", "It broke.")) is not None


def test_a_minute_is_enough_for_a_second_attempt_on_few_rows(upload):
    made = upload("yes or no", "Predict the answer", target="answer")
    ladder = recall(made.task, made.profile).recipes[0].ladder(made.task, made.profile, Machine(2, 8.0), 57)
    seconds = {"load": 1.4, "start": 1.0, "fit": 6.8, "predict_holdout": 2.1, "predict_test": 1.7, "explain": 0.8}
    quick = Attempt(1, ladder[0], evaluation=Evaluation(1, "roc_auc", True, score=0.8, seconds=seconds))
    step = Search(ladder, lambda attempt: None, 8).next([quick], 42)
    assert step is not None and step.variant.name == "bagged"


def test_options_that_failed_are_left_out(upload):
    made = upload("yes or no", "Predict the answer", target="answer")
    recipe = recall(made.task, made.profile).recipes[0]
    bagged = recipe.ladder(made.task, made.profile, Machine(2, 8.0), 120)[1]
    bagged.options["drop_options"] = ["ag_args_fit"]
    source = recipe.render(made.task, made.profile, bagged)
    assert "ag_args_fit" not in source and "num_bag_folds" in source


@pytest.mark.slow
def test_rare_classes_get_their_weight_when_asked(upload, tmp_path):
    made = upload("yes or no", "Predict the answer", target="answer")
    made.task.preferences.balance_classes = True
    source = next(solutions(made))[1]
    assert 'sample_weight="balance_weight"' in source
    solution = module_of(source, tmp_path)
    train = solution.load_train(made.root)
    rare = train[train["answer"] == "yes"].index[12:]
    (tmp_path / "model").mkdir()
    solution.fit(train.drop(index=rare), tmp_path / "model", 60.0)
    said = solution.predict(train, tmp_path / "model")
    assert (said["answer"] == "yes").mean() > 0.05


FIT_AND_PREDICT = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import solution
data, model = Path(sys.argv[2]), Path(sys.argv[3])
if sys.argv[4] == "fit":
    train = solution.load_train(data)
    solution.fit(train.iloc[:-60], model, float(sys.argv[5]))
else:
    solution.predict(solution.load_train(data).iloc[-60:], model).to_parquet(model / "answers.parquet")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "which"),
    [
        ("number", 1),
        ("yes or no", 1),
        ("grades", 1),
        ("grades", 2),
        ("several labels", 1),
    ],
)
def test_learns_and_answers_in_another_process(upload, tmp_path, case, which):
    kind, goal, overrides = CASES[case]
    made = upload(kind, goal, rows=360, **overrides)
    variant, source = list(solutions(made))[which]
    (tmp_path / "solution.py").write_text(source, encoding="utf-8")
    model = tmp_path / "model"
    model.mkdir()
    for step in ("fit", "predict"):
        argv = [sys.executable, "-c", FIT_AND_PREDICT, str(tmp_path), str(made.root), str(model), step, "30"]
        done = subprocess.run(argv, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr[-3000:]
    answers = pd.read_parquet(model / "answers.parquet")
    truth = module_of(source, tmp_path).load_train(made.root).iloc[-60:]
    assert list(answers.index) == list(truth.index)
    metric = metrics.get(made.task.metric.value)
    score = metrics.score(metric.name, made.task, truth[made.task.targets], answers)
    limits = {"number": 0.8, "yes or no": 0.75, "grades": 0.5, "several labels": 0.75}
    assert score < limits[case] if not metric.higher_is_better else score > limits[case]
    chances = [name for name in answers if name.startswith("probability_")]
    wanted = {
        "number": [],
        "yes or no": ["no", "yes"],
        "grades": ["1", "2", "3", "4", "9"],
        "several labels": ["big", "red"],
    }
    assert sorted(chances) == [f"probability_{name}" for name in wanted[case]]
    if case == "several labels":
        assert set(answers["big"]) <= {"yes", "no"}
    size = sum(path.stat().st_size for path in Path(model).rglob("*") if path.is_file())
    assert size < 60e6, json.dumps(variant.options)
