# make demo, make test: each sets up what it needs in .venv.
VENV := .venv
PYTHON ?= python3
BIN := $(VENV)/bin
EXTRAS := dev,record3d,onnx,tflite,minilm,transformers,sentence-transformers,fastembed,http,odometry
MEMORY := demo-memory

.PHONY: demo test lint bench clean

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --editable '.[$(EXTRAS)]'
	touch $@

demo: $(VENV)/installed
	$(BIN)/recall4d ingest examples/demo_house --memory $(MEMORY)
	@for question in \
	  "Where is the blue book?" \
	  "Is the green bottle still on the kitchen counter?" \
	  "What is on the dining table?" \
	  "How far is the teapot from the laptop?" \
	  "Is there a bicycle in the house?"; do \
	  echo; echo "? $$question"; $(BIN)/recall4d ask $(MEMORY) "$$question"; done
	@echo
	$(BIN)/recall4d show $(MEMORY)

lint: $(VENV)/installed-dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest

bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) $(MEMORY)
