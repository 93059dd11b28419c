"""The web process's side of the sensors: starts their process, passes on orders, keeps what it reports."""
