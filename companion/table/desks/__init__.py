"""The web process's side of the sensors: starts their process, says what is wanted, keeps what is told."""
