"""Tallies while a run computes, with and without asyncio."""

from __future__ import annotations

import asyncio
import json
from unittest import mock

import potluck

from .support import FakeTest, ProgramTest, event, result

RUN = [["out", json.dumps(event(trials)) + "\n"] for trials in (100, 200, 300)] + [
    ["out", json.dumps(result()) + "\n"]]
FOREVER = (["out", json.dumps(event()) + "\n"], ["wait"], ["exit", 130])


class LiveTests(FakeTest):
    def test_a_callback_gets_each_tally_and_the_last(self) -> None:
        self.fake(*RUN)
        tallies: list[potluck.Tally] = []
        potluck.run("monty-hall", callback=tallies.append)
        self.assertEqual([tally.trials for tally in tallies], [100, 200, 300, 2000])
        self.assertEqual([tally.state for tally in tallies], ["running"] * 3 + ["done"])
        self.assertEqual(tallies[-1]["switch"].value, 0.67)
        self.assertEqual(tallies[0].to_dict(), event(100))
        self.assertIn("--progress-json", json.loads(self.noted()[0])["arguments"])

    def test_without_a_callback_there_are_no_events(self) -> None:
        self.fake(RUN[-1])
        potluck.run("monty-hall")
        self.assertNotIn("--progress-json", json.loads(self.noted()[0])["arguments"])

    def test_a_program_without_events_gives_the_last_tally(self) -> None:
        self.fake(RUN[-1])
        self.set(FAKE_IS_OLD="yes")
        tallies: list[potluck.Tally] = []
        potluck.run("monty-hall", callback=tallies.append)
        self.assertEqual([(tally.trials, tally.state) for tally in tallies], [(2000, "done")])
        self.assertNotIn("--progress-json", json.loads(self.noted()[0])["arguments"])

    def test_other_events_are_ignored(self) -> None:
        over = [["out", json.dumps(event(2000, state=state)) + "\n"] for state in ("done", "failed")]
        self.fake(["out", '{"event":"appeared","name":"ana"}\n\n'], *RUN[:-1], *over, RUN[-1])
        tallies: list[potluck.Tally] = []
        potluck.run("monty-hall", callback=tallies.append)
        self.assertEqual(len(tallies), 4)

    def test_watch_gives_each_tally_and_then_the_result(self) -> None:
        self.fake(*RUN)

        async def collect() -> list[object]:
            watch = potluck.watch("monty-hall")
            with self.assertRaisesRegex(potluck.PotluckError, "no result yet"):
                watch.result
            trials: list[object] = [tally.trials async for tally in watch]
            return trials + [watch.result.digest]

        self.assertEqual(asyncio.run(collect()), [100, 200, 300, 2000, "ab" * 32])
        self.assertNoChild()

    def test_leaving_early_stops_the_program(self) -> None:
        self.fake(*FOREVER)

        async def leave() -> None:
            async with potluck.watch("monty-hall") as tallies:
                async for _ in tallies:
                    break
            self.assertEqual(self.noted()[1:], ["SIGINT"])

        asyncio.run(leave())
        self.assertNoChild()

    def test_cancelling_stops_the_program(self) -> None:
        self.fake(*FOREVER)

        async def cancel() -> None:
            begun = asyncio.Event()
            task = asyncio.ensure_future(potluck.run_async("monty-hall", callback=lambda tally: begun.set()))
            await begun.wait()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertEqual(self.noted()[1:], ["SIGINT"])

        asyncio.run(cancel())
        self.assertNoChild()

    def test_a_second_cancellation_is_stronger(self) -> None:
        # It heeds no signal: after the first it prints a tally, which nobody takes.
        self.fake(["out", json.dumps(event()) + "\n"], ["wait"], ["wait"], ["wait"])

        async def cancel() -> None:
            begun = asyncio.Event()
            task = asyncio.ensure_future(potluck.run_async("monty-hall", callback=lambda tally: begun.set()))
            await begun.wait()
            while not task.done():
                task.cancel()
                await asyncio.sleep(0)
            self.assertTrue(task.cancelled())

        asyncio.run(cancel())
        self.assertNoChild()

    def test_errors_are_raised(self) -> None:
        self.fake(["err", "potluck: wrong\n"], ["exit", 2])
        with self.assertRaisesRegex(potluck.UsageError, "^wrong$"):
            asyncio.run(potluck.run_async("monty-hall"))
        self.fake(["flood"])
        with mock.patch("potluck._talk.LONGEST_LINE", 1 << 20):
            with self.assertRaisesRegex(potluck.PotluckError, "does not end"):
                asyncio.run(potluck.run_async("monty-hall"))
        self.assertNoChild()


class RealLiveTests(ProgramTest):
    def test_all_ways_give_one_digest(self) -> None:
        expected = potluck.run("monty-hall", trials=10**6, seed=1).digest
        tallies: list[potluck.Tally] = []

        async def both() -> list[potluck.Result]:
            runs = [potluck.run_async("monty-hall", trials=10**6, seed=1, callback=tallies.append) for _ in range(2)]
            watch = potluck.watch("monty-hall", trials=10**6, seed=1)
            tallies.extend([tally async for tally in watch])
            return [*await asyncio.gather(*runs), watch.result]

        self.assertEqual([result.digest for result in asyncio.run(both())], [expected] * 3)
        self.assertEqual([tally.trials for tally in tallies if tally.state == "done"], [10**6] * 3)
        self.assertNoChild()

    def test_a_run_tells_how_it_proceeds(self) -> None:
        tallies: list[potluck.Tally] = []
        result = potluck.run("monty-hall", trials=3 * 10**9, seed=1, callback=tallies.append)
        self.assertGreater(len(tallies), 1)
        counts = [tally.trials or 0 for tally in tallies]
        self.assertEqual(counts, sorted(counts))
        self.assertEqual(counts[-1], result.trials)
