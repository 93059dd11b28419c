"""From a command to the events that follow from it, or to a refusal that names the rule; a module a phase."""
