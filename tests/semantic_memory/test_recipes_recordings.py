"""A solution for recordings learns and answers; later ones come as a folder or a file."""

import numpy as np
import pytest
import soundfile

from mlzero.iterative_coding.contract import Failure, Machine
from mlzero.perception.scan import profile
from mlzero.perception.understand import infer_task
from mlzero.semantic_memory.recall import recall
from tests.rendered import module_of

RATE = 8000
TONES = {"low": 150, "middle": 400, "high": 1200}


def record(path, hertz, dice):
    path.parent.mkdir(parents=True, exist_ok=True)
    moments = np.arange(RATE // 4) / RATE
    sound = 0.3 * np.sin(2 * np.pi * hertz * dice.uniform(0.9, 1.1) * moments) + dice.normal(0, 0.02, len(moments))
    soundfile.write(path, sound, RATE)


@pytest.mark.parametrize("layout", ["folders", "names with speakers"])
def test_learns_and_answers(tmp_path, layout):
    dice = np.random.default_rng(0)
    data = tmp_path / "data"
    for tone, hertz in TONES.items():
        for n in range(18):
            name = f"{tone}/{n}.wav" if layout == "folders" else f"{tone}_{['ann', 'bob', 'cy', 'dee'][n % 4]}_{n}.wav"
            record(data / "known" / name, hertz, dice)
    for n, hertz in enumerate(TONES.values()):
        record(data / "new" / f"rec{n}.wav", hertz, dice)
    found = profile(data)
    task = infer_task(found, data, "Is the tone low, middle or high?")
    recipe = recall(task, found).recipes[0]
    assert recipe.name == "recordings"
    (variant,) = recipe.ladder(task, found, Machine(2, 8.0), 60)
    source = recipe.render(task, found, variant)
    module = module_of(source, tmp_path)
    module.fit(module.load_train(data), tmp_path, 60)
    answers = module.predict(module.load_test(data), tmp_path)
    assert answers[module.TARGET].tolist() == ["low", "middle", "high"]
    np.testing.assert_allclose(answers.filter(like="probability_").sum(axis=1), 1, atol=1e-6)
    later = module.predict(module.load_new(data / "new", tmp_path), tmp_path)
    assert later[module.TARGET].tolist() == ["low", "middle", "high"]
    one = module.predict(module.load_new(data / "new" / "rec1.wav", tmp_path), tmp_path)
    assert one[module.TARGET].tolist() == ["middle"]


def test_steps_down_to_fewer_recordings():
    from mlzero.iterative_coding.contract import Variant
    from mlzero.semantic_memory.recipes.recordings import Recordings

    variant = Variant("recordings", "quick", "", "", {"rows": 900})
    smaller = Recordings().step_down(variant, Failure("fit", "timeout", "late"))
    assert smaller.options["sample_rows"] == 300
    assert Recordings().step_down(smaller, Failure("fit", "timeout", "late")) is None
    assert Recordings().step_down(variant, Failure("fit", "exception", "x")) is None


def test_no_table_is_learnt_from_recordings_alone(tmp_path):
    dice = np.random.default_rng(0)
    for tone, hertz in TONES.items():
        for n in range(4):
            record(tmp_path / tone / f"{n}.wav", hertz, dice)
    found = profile(tmp_path)
    task = infer_task(found, tmp_path, "Which tone is it?")
    assert [recipe.name for recipe in recall(task, found).recipes] == ["recordings", "encoded"]
