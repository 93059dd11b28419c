"""The end of a game to take home: a sheet as PDF, drawn without a browser, and all that was open as JSON."""
