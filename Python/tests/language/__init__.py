"""Random programs of the language, played in plain Python and as a module, and compared."""
