"""Chat models: implementations of the `ChatModel` port, and what they share.

- Models: `openai_compatible`, `transformers_local`, `llama_cpp`, `scripted`, `replay`; `conformance` says what each
  must do. `openai_embeddings` asks the same servers for vectors.
- Replies as values: `structured`, over `lenient_json` and `schema`; `constrained` enforces schemas in this process.
- Servers: `http_json` sends and retries, `wire` knows the JSON, `probe` finds out what a model can take.
- `pictures` keeps pictures within what a model takes; `real_calls` is the switch that makes a call an error.
"""
