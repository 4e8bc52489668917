"""Serves a .gguf file over HTTP on a loopback port; prints the base URL, and ends when standard input does."""

import sys

import xllamacpp

if __name__ == "__main__":
    params = xllamacpp.CommonParams()
    params.model.path = sys.argv[1]
    params.n_ctx = int(sys.argv[2])
    params.n_parallel = 1
    params.warmup = False
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = (
        1  # two threads wait for each other on a busy machine
    )
    params.verbosity = 0
    server = xllamacpp.Server(params)
    print(server.listening_address + "/v1", flush=True)
    sys.stdin.read()
