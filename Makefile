# make run    serve the page on http://127.0.0.1:8000 (HOST and PORT are honoured)
# make test   everything that CI runs, the browser tests included
# make check  the fast part: format, lint, types, unit tests
# make sight  measure in a browser how every example and larger program stands in windows of five sizes, and what axe
#             finds in every language, theme and level together
# make browsers  walk through the page in Firefox and in WebKit, which is what an iPad has
# make fuzz   look for programs and requests that are not answered well, for a quarter of an hour
# make reliability  hurt a service in a dozen ways, with figures: load, kills, full disks, slow readers, nonsense
#             (RELIABILITY="--only cached following": some of them)
# make compare  what TensorFlow 1.15, TensorFlow 2, numpy and SymPy answer to some thousand expressions, beside ours
#             (GRADLENS_TF1, GRADLENS_TF2, GRADLENS_SYMPY: a Python that has the library; without, what is recorded)
# make bench  ours beside other systems, and how long the common paths take, on this machine
#             (PEERS=all: with PyTorch and TensorFlow; BENCH="--only W1 W2": some workloads)
# make bench-view  the page beside TensorBoard and Netron, in a browser
# make lock   pin the newest dependencies that pyproject.toml allows
# make docs   write the pages and data that are made from the engine again
# make pictures take the pictures of the documentation again
# make vendor bundle the page's third-party modules again
# make bundle  make the few files of which the page is delivered again, of its modules

HOST ?= 127.0.0.1
PORT ?= 8000

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
INSTALLED_FOR_TESTS := $(VENV)/installed-for-tests
BENCH_VENV := .venv-bench
INSTALLED_FOR_BENCH := $(BENCH_VENV)/installed
SIGHT := $(addprefix tests/browser/,page charts share/test_presenting.py lesson/test_every_mode.py)
PEERS ?= usual
COMPILE := $(VENV)/bin/uv pip compile --universal --python-version 3.11 \
	--fork-strategy fewest --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate \
	--custom-compile-command "make lock" --quiet
LOCK := $(COMPILE) pyproject.toml --group build --extra pictures --extra scale --extra terminal

.PHONY: run test check sight browsers fuzz reliability compare bench bench-view lock docs vendor bundle pictures format clean

run: $(INSTALLED)
	@exec $(BIN)/gradlens serve --host "$(HOST)" --port "$(PORT)"

test: # check.sh installs the tools itself, and makes .venv beside
	@sh scripts/check.sh all

check:
	@sh scripts/check.sh fast

sight: $(INSTALLED_FOR_TESTS)
	@GRADLENS_SIGHT=all $(BIN)/python -m pytest $(SIGHT) -p no:xdist

browsers: $(INSTALLED_FOR_TESTS)
	@sh scripts/install_tools.sh browsers
	@GRADLENS_BROWSERS=all $(BIN)/python -m pytest tests/browsers -p no:xdist

fuzz: $(INSTALLED_FOR_TESTS)
	@GRADLENS_FUZZ=long $(BIN)/python -m pytest tests/fuzz --timeout 3600

reliability: $(INSTALLED_FOR_TESTS)
	@$(BIN)/python -m tests.reliability $(RELIABILITY)

compare: $(INSTALLED_FOR_TESTS)
	@$(BIN)/python -m tests.compared

bench: $(INSTALLED_FOR_BENCH)
	@[ "$(PEERS)" != all ] || $(BENCH_VENV)/bin/python -m pip install --quiet --only-binary :all: torch tensorflow-cpu
	@$(BENCH_VENV)/bin/python -m benchmarks --peers $(PEERS) $(BENCH) --write
	@$(BENCH_VENV)/bin/python -m benchmarks.answers

bench-view: $(INSTALLED_FOR_BENCH)
	@sh scripts/install_tools.sh
	@$(BENCH_VENV)/bin/python -m benchmarks.view --write

lock: $(INSTALLED)
	@$(BIN)/python -m pip install --quiet uv
	$(LOCK) --upgrade --output-file requirements.lock
	$(LOCK) --group dev --constraint requirements.lock --upgrade --output-file requirements-dev.lock
	$(COMPILE) --group pyproject.toml:bench --constraint requirements.lock --upgrade --output-file requirements-bench.lock

docs: $(INSTALLED)
	$(BIN)/python -m scripts.ops_page
	$(BIN)/python -m scripts.default_example
	$(BIN)/python -m scripts.thumbnails

pictures: $(INSTALLED_FOR_TESTS)
	@sh scripts/install_tools.sh
	$(BIN)/python -m scripts.pictures

vendor:
	@sh scripts/install_tools.sh
	npm ci
	npm run vendor
	npm run bundle

bundle:
	@sh scripts/install_tools.sh
	[ -e node_modules/.package-lock.json ] || npm ci
	npm run --silent bundle

format: $(INSTALLED_FOR_TESTS)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	if command -v npm >/dev/null; then npm run --silent format; fi

clean:
	rm -rf $(VENV) $(BENCH_VENV) node_modules build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(INSTALLED): requirements.lock pyproject.toml scripts/install.sh
	@sh scripts/install.sh requirements.lock
	@touch $@

$(INSTALLED_FOR_TESTS): requirements-dev.lock pyproject.toml scripts/install.sh
	@sh scripts/install.sh requirements-dev.lock
	@touch $(INSTALLED) $@

$(INSTALLED_FOR_BENCH): requirements.lock requirements-bench.lock pyproject.toml scripts/install.sh
	@sh scripts/install.sh requirements.lock $(BENCH_VENV)
	@$(BENCH_VENV)/bin/python -m pip install --quiet --require-hashes --requirement requirements-bench.lock
	@touch $@
