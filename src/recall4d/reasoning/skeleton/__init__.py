"""What every loop around a chat model needs, whatever it reasons about: budget, calls, stop reasons, traces."""
