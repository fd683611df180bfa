"""The command `potluck` in Python, of the wheel for all systems: what runs without the program for Linux, in its words."""
