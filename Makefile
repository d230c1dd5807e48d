# Needs Python 3.11 or newer (with venv) and make; everything else is installed into .venv, by hash.
PYTHON ?= python3
ARGS ?=

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
LOCK := $(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate \
	--custom-compile-command "make lock" --system-certs pyproject.toml --extra postgres --group build
# One more at a time than there are cores, since much of a test is waiting (for a browser, a server that starts). Files
# go to them one by one, in the order of tests/conftest.py.
AT_ONCE := --numprocesses $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1) --dist loadfile --no-loadscope-reorder
PYTEST := scripts/ensure_programs.sh bash curl git pgbouncer && chromium=$$(scripts/ensure_chromium.sh) && PENDESK_CHROMIUM="$$chromium" $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help serve install dev test audit coverage test-clients docs generated reference answers bench client crash fuzz model mutants pictures races snapshots exchange lint format lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

serve: export STARTED_BY := make serve
serve: install ## Install what running needs, then start the server (ARGS="--port 8080")
	$(BIN)/pendesk serve $(ARGS)

install: .venv/.runtime ## Build .venv with the runtime only

dev: .venv/.dev ## Build .venv with the development tools as well

test: lint ## Static checks, then all tests (ARGS="-k claim" to choose)
	$(PYTEST) $(AT_ONCE) tests --ignore=tests/clients $(ARGS)

coverage: dev ## All tests with the lines counted that they run; fails below the floor in pyproject.toml
	$(BIN)/coverage erase
	$(subst $(BIN)/python -m,$(BIN)/coverage run -m,$(PYTEST)) $(AT_ONCE) tests --ignore=tests/clients $(ARGS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

test-clients: dev .clients/.installed ## Tests with the real agent clients, pinned in scripts/install_clients.sh
	export PATH="$$PWD/.clients/node_modules/.bin:$$PATH" && $(PYTEST) $(AT_ONCE) tests/clients $(ARGS)

audit: dev ## What is installed against the lock files, and these against known advisories (needs the network for those)
	$(BIN)/python scripts/audit_dependencies.py $(ARGS)

bench: dev ## Measure on this machine, on both engines (ARGS="dispatch flat" to choose; see bench/README.md)
	$(BIN)/python -m bench $(ARGS)

generated: client answers reference snapshots ## Regenerate all that follows from the operations; run it when one has changed

client: dev ## Generate the parts of the Python client that follow from the routes
	$(BIN)/python scripts/write_client.py

answers: dev ## Write the examples of answers in the OpenAPI description, from a real run
	$(BIN)/python -m tests.answers

snapshots: dev ## Write every MCP tool's text and schema to tests/transports/mcp/snapshots
	$(BIN)/python -m tests.transports.mcp.snapshots

crash: dev ## Kill -9, power cuts and database restarts under load, about half an hour (ARGS="--kills 50")
	$(BIN)/python -m tests.crash $(ARGS)

fuzz: dev ## The REST routes called by their description, many calls each, about ten minutes
	export PENDESK_FUZZ=thorough && $(PYTEST) tests/contract/test_description.py $(ARGS)

model: dev ## The building loop against its reference, many long runs on both stores
	export PENDESK_MODEL=thorough && $(PYTEST) tests/model $(ARGS)

mutants: dev ## Small faults put into claims, access, limits, tokens and signatures: which no test finds (hours; ARGS="pendesk.domain.claim.*")
	$(BIN)/mutmut run $(ARGS)
	$(BIN)/mutmut results

races: dev ## A thousand callers in several processes at one barrier, on both stores, with figures
	$(BIN)/python -m tests.races

exchange: dev ## A project of 5,000 actions from SQLite to PostgreSQL, same bytes, with figures (ARGS="1000")
	$(BIN)/python -m tests.exchange_scale $(ARGS)

pictures: dev ## Pictures of every page, light and dark, wide and narrow, into .pictures
	chromium=$$(scripts/ensure_chromium.sh) && PENDESK_CHROMIUM="$$chromium" $(BIN)/python -m tests.e2e.pictures .pictures $(ARGS)

lint: dev ## Formatting, lint, types, import layers
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: dev ## Rewrite the code as lint wants it
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: .venv/.docs ## Build the documentation site into site/, with search
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

reference: dev ## Write the generated pages of docs/reference anew
	$(BIN)/python -m tests.reference.pages

# Not after dev: that would install by the old lock files, which lack what pyproject.toml has just got.
lock: ## Lock the dependencies again (ARGS="--upgrade" for newer ones)
	test -x $(BIN)/uv || $(MAKE) dev
	$(LOCK) $(ARGS) -o locks/runtime.txt
	$(LOCK) $(ARGS) --group dev -c locks/runtime.txt -o locks/dev.txt
	$(LOCK) $(ARGS) --group docs -c locks/runtime.txt -o locks/docs.txt

clean: ## Remove everything that make has built
	rm -rf .venv .clients .bench .pictures dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage* mutants

.venv/.runtime: pyproject.toml locks/runtime.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=...")'
	$(PYTHON) -m venv .venv
	$(PIP) install -qq --require-hashes -r locks/runtime.txt
	$(PIP) install -qq --no-deps --no-build-isolation -e .
	$(PIP) check
	touch $@

.venv/.dev: .venv/.runtime locks/dev.txt clients/python/pyproject.toml
	$(PIP) install -qq --require-hashes -r locks/dev.txt
	$(PIP) install -qq --no-deps --no-build-isolation -e clients/python
	$(PIP) check
	touch $@

.venv/.docs: .venv/.runtime locks/docs.txt
	$(PIP) install -qq --require-hashes -r locks/docs.txt
	touch $@

.clients/.installed: scripts/install_clients.sh
	scripts/install_clients.sh .clients
	touch $@
