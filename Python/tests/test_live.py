"""Tallies while a run computes, with and without asyncio."""

from __future__ import annotations

import asyncio
import json
import signal
from unittest import mock

import potluck
from potluck import _asynchronous

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

    def test_a_program_that_prints_no_more_is_stopped(self) -> None:
        self.fake(["out", json.dumps(event()) + "\n"], ["close"], ["wait"], ["err", "x", 1_000_000], ["exit", 130])
        wait = _asynchronous._Child.wait

        async def stop(is_cancelled: bool) -> None:
            ends = asyncio.Event()

            async def note(child: _asynchronous._Child) -> int:
                ends.set()
                return await wait(child)

            watch = potluck.watch("monty-hall")
            await watch.__anext__()
            with mock.patch.object(_asynchronous._Child, "wait", note):
                task = asyncio.ensure_future(watch.__anext__())
                await ends.wait()
            if is_cancelled:
                task.cancel()
            else:
                await watch.aclose()
            with self.assertRaises(asyncio.CancelledError if is_cancelled else StopAsyncIteration):
                await task
            self.assertEqual(self.noted()[-1], "SIGINT")

        for is_cancelled in (False, True):
            with self.subTest(is_cancelled=is_cancelled):
                asyncio.run(stop(is_cancelled))
                self.assertNoChild()

    def test_another_task_can_close_a_watch(self) -> None:
        async def close(closings: int) -> None:
            watch = potluck.watch("monty-hall")
            begun = asyncio.Event()

            async def take() -> int:
                told = 0
                async for _ in watch:
                    told += 1
                    begun.set()
                return told

            task = asyncio.ensure_future(take())
            await begun.wait()
            # The task waits for the next tally now.
            await asyncio.gather(*(watch.aclose() for _ in range(closings)))
            self.assertEqual(self.noted()[1:], ["SIGINT"])
            self.assertEqual(await task, 1)
            await watch.aclose()
            self.assertEqual([tally async for tally in watch], [])
            with self.assertRaisesRegex(potluck.PotluckError, "no result yet"):
                watch.result

        for closings in (1, 3):
            with self.subTest(closings=closings):
                self.diary.unlink(missing_ok=True)
                # What it prints after that is no tally for the task.
                self.fake(*FOREVER[:2], *RUN, ["exit", 130])
                asyncio.run(close(closings))
                self.assertNoChild()

    def test_a_watch_can_be_closed_at_any_time(self) -> None:
        async def close(steps: int) -> None:
            watch = potluck.watch("monty-hall")

            async def take() -> None:
                async for _ in watch:
                    await asyncio.sleep(0)

            task = asyncio.ensure_future(take())
            for _ in range(steps):
                await asyncio.sleep(0)
            await watch.aclose()
            self.assertNoChild()
            await task

        # The program has not started, is starting, or runs.
        for steps in range(20):
            with self.subTest(steps=steps):
                self.fake(*FOREVER)
                asyncio.run(close(steps))

    def test_a_task_that_comes_back_to_a_closed_watch_ends(self) -> None:
        self.fake(*FOREVER)

        async def close() -> None:
            watch = potluck.watch("monty-hall")
            begun, go_on = asyncio.Event(), asyncio.Event()

            async def take() -> None:
                async for _ in watch:
                    begun.set()
                    await go_on.wait()
                self.assertEqual(self.noted()[1:], ["SIGINT"])

            task = asyncio.ensure_future(take())
            await begun.wait()
            closing = asyncio.ensure_future(watch.aclose())
            await asyncio.sleep(0)
            go_on.set()
            await asyncio.gather(closing, task)

        asyncio.run(close())
        self.assertNoChild()

    def test_only_one_task_takes_tallies(self) -> None:
        self.fake(*FOREVER)

        async def both() -> None:
            async with potluck.watch("monty-hall") as watch:
                await watch.__anext__()
                task = asyncio.ensure_future(watch.__anext__())
                await asyncio.sleep(0)
                with self.assertRaisesRegex(RuntimeError, "another task"):
                    await watch.__anext__()
            with self.assertRaises(StopAsyncIteration):
                await task

        asyncio.run(both())
        self.assertNoChild()

    def test_closing_and_cancelling_send_one_signal(self) -> None:
        self.fake(*FOREVER)
        sent: list[int] = []
        send = asyncio.subprocess.Process.send_signal

        def count(process: asyncio.subprocess.Process, number: int) -> None:
            sent.append(number)
            send(process, number)

        async def close() -> None:
            watch = potluck.watch("monty-hall")
            await watch.__anext__()
            task = asyncio.ensure_future(watch.__anext__())
            await asyncio.sleep(0)
            task.cancel()
            await watch.aclose()
            self.assertTrue(task.cancelled())

        with mock.patch.object(asyncio.subprocess.Process, "send_signal", count):
            asyncio.run(close())
        self.assertEqual(sent, [signal.SIGINT])
        self.assertNoChild()

    def test_cancelling_a_closing_is_stronger(self) -> None:
        self.fake(["out", json.dumps(event()) + "\n"], ["wait"], ["wait"], ["wait"])

        async def close() -> None:
            watch = potluck.watch("monty-hall")
            await watch.__anext__()
            task = asyncio.ensure_future(watch.__anext__())
            await asyncio.sleep(0)
            closing = asyncio.ensure_future(watch.aclose())
            await asyncio.sleep(0)
            while not closing.done():
                closing.cancel()
                await asyncio.sleep(0)
            self.assertTrue(closing.cancelled())
            with self.assertRaises(StopAsyncIteration):
                await task

        asyncio.run(close())
        self.assertNoChild()

    def test_an_event_loop_that_ends_stops_the_program(self) -> None:
        self.fake(*FOREVER)

        async def abandon() -> "asyncio.Future[potluck.Result]":
            begun = asyncio.Event()
            task = asyncio.ensure_future(potluck.run_async("monty-hall", callback=lambda tally: begun.set()))
            await begun.wait()
            return task

        self.assertTrue(asyncio.run(abandon()).cancelled())
        self.assertEqual(self.noted()[1:], ["SIGINT"])
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
