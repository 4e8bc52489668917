"""Three keys, plans, and what comes back."""
