"""A keepsake of a finished game: a PDF sheet, drawn without a browser, and everything public as JSON."""
