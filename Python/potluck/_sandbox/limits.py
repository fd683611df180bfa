"""Limits on what a module may use, as in the program for Linux (Sources/Machine/Sandbox/PluginLimits.swift)."""

from __future__ import annotations

#: Bytes of memory for each core that runs a module.
MEMORY = 256 << 20
#: Seconds of one call, which usually takes about 20 ms.
SECONDS = 2.0
#: The smallest module of the kit needs this much, for its stack and some memory.
LEAST_MEMORY = 1 << 20
#: The address space of a 32-bit module.
MOST_MEMORY = 4 << 30
#: Bytes of a module.
LARGEST_MODULE = 512 << 10
#: Bytes of stack in a call. It holds the functions that a module counts, and those that it does not.
STACK = 1 << 20
#: Bytes of an answer, which may be a part of a large matrix.
LARGEST_ANSWER = 64 << 20
#: Bytes of a log. People read no more.
LARGEST_LOG = 1 << 20
#: Bytes of a sentence about a wrong call of the kit.
LONGEST_SENTENCE = 200
#: Elements of a table. A large program's table of functions has some thousands.
TABLE_ELEMENTS = 100_000
TABLES = 4
#: The seconds that a call should take, so that a worker stops soon after it is told to.
CALL = 0.02
#: The most blocks in one call, however short they are.
MOST_BLOCKS = 4096
#: A chunk ends after the block with which it has written this many bytes.
MOST_WRITTEN = 1 << 20
#: CPU time for compiling a module, in seconds. An honest module takes some milliseconds.
COMPILE_SECONDS = 10
#: How many times longer it may take by the clock: where nothing but the clock limits it, and where the system counts its time.
COMPILE_PATIENCE, COMPILE_PATIENCE_OF_CPU = 3, 30
#: Bytes of memory for compiling a module, beside what a process has before. A module of 500 KiB takes a tenth of it.
COMPILE_MEMORY = 256 << 20
#: The most trials of a run.
MOST_TRIALS = 10**18
