"""Where facts and conclusions are kept."""
