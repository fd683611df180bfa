"""A gateway for the tests of the worker: the one with which the page is tested, and jobs for it."""

from __future__ import annotations

import os
import sys
import unittest
from typing import Any
from unittest import mock

from .language.sandbox import library
from .support import ROOT

for folder in ("Tests/Pages", "Tests/Recompute"):
    sys.path.insert(0, str(ROOT / folder))

import frames  # noqa: E402
import modules  # noqa: E402
from node import Node  # noqa: E402
from work import Job  # noqa: E402

from potluck._worker.ticket import Address  # noqa: E402

__all__ = ["GatewayTest", "Job", "Node", "address", "counted", "frames", "modules", "order"]


@unittest.skipUnless(library(), "wasmtime is missing; run make build")
class GatewayTest(unittest.TestCase):
    """A test with a gateway, and with the library that the program uses."""

    def setUp(self) -> None:
        super().setUp()
        patch = mock.patch.dict(os.environ, POTLUCK_WASMTIME=str(library()))
        patch.start()
        self.addCleanup(patch.stop)
        self.node = Node()
        self.addCleanup(self.node.stop)


def address(node: Any) -> Address:
    return Address("127.0.0.1", node.port, node.lending)


def counted(module: bytes, blocks: int = 64, chunk: int = 64) -> Any:
    """A job of small blocks, whose module counts them."""
    return Job("counted", module, 1, blocks * modules.BLOCK, blocks=chunk)


def order(node: Any, page: Any, job: Any, **changes: Any) -> None:
    """Gives a job to a worker."""
    node.blobs.update(job.blobs)
    node.worker = job.work
    page.send(job.order(**changes))
