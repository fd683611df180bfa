"""A worker of a session in plain Python, for machines that the program is not built for.

It speaks the protocol of a session's page (docs/PROTOCOL.md, "Pages"), and has its rights: it lends cores, and watches.
"""
