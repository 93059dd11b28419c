"""Pages and the HTTP interface: a view translates and calls; no rule and no SQL lives here."""
