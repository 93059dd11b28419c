"""The interface as OpenAPI 3.1, for programs that build on it; made from the routes and the models."""
