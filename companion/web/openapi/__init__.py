"""The API as OpenAPI 3.1, for programs that build on it; generated from the routes and the models."""
