"""The command line. Every command that reports takes `--json`; docs/contracts.md fixes what it prints."""
