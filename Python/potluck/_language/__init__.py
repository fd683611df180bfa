"""The compiler: from a class in Python to a WebAssembly module, with Python's standard library only.

It reads the author's file as text and never runs it. Nothing here imports the package `potluck`, which would take longer
than compiling.
"""
