"""The tables of one folder: found, named, saved, copied, rescued."""
