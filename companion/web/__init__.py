"""Pages and the HTTP API: views only translate and call; no rules and no SQL live here."""
