"""The awaited throw: what camera and scale say of it, until time or a person accepts it."""
