"""The throw that is awaited: what camera and scale say of it, until time or a person accepts it."""
