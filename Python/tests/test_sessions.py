"""A room computes what Python asks for."""

from __future__ import annotations

import json
import secrets
import subprocess
from typing import Any

import potluck

from .support import PATIENCE, PROGRAM, ProgramTest


class SessionTests(ProgramTest):
    def test_a_session_gives_the_digest_of_one_machine(self) -> None:
        # A name of its own, because others may test in the same network.
        session = "Python" + secrets.token_hex(4)
        words = [PROGRAM, "serve", session, "--open", "--hidden", "--json", "--cores", "1"]
        server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert server.stdout is not None
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait, PATIENCE)
        self.addCleanup(server.terminate)
        self.assertEqual(json.loads(server.stdout.readline())["event"], "started")
        result = potluck.run("monty-hall", trials=10**6, seed=1, session=session, open=True)
        self.assertEqual(result.digest, potluck.run("monty-hall", trials=10**6, seed=1).digest)
        self.assertEqual(sum(node.trials or 0 for node in result.nodes), 10**6)
        self.assertIn(session, [run.session for run in potluck.history()])
        # Its points are those of a sweep on one machine, which does not look for them in the same history.
        words: dict[str, Any] = {"trials": 10**5, "seed": 1, "doors": [3, 4, 5]}
        sweep = potluck.sweep("monty-hall", session=session, open=True, **words)
        alone = potluck.sweep("monty-hall", ephemeral=True, **words)
        self.assertEqual([point.digest for point in sweep], [point.digest for point in alone])
