"""Turn a command into events, or into a refusal that names the rule; one module per phase."""
