"""The command in Python says what the program says: the same text, JSON, digests, errors and exit codes."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import textwrap
from unittest import mock

from potluck import _platform
from potluck._command import crew

from .pure import PureTest, places
from .support import ROOT

#: A run of each built-in simulation, but for searches and gatherings of few trials.
TRIALS = {
    "birthday": "1e5", "buffon": "1e6", "coupon-collector": "2e4", "gamblers-ruin": "1e5", "monty-hall": "1e6",
    "option-price": "3e5", "percolation": "2e3", "pi": "1e6"}

WRONG = """
run monty-hal
run --trials 5
run monty-hall --trials 0
run monty-hall --trials 1.5
run monty-hall --trials x
run monty-hall --trials 1e19
run monty-hall --for 3x
run monty-hall --until -1
run monty-hall --until 'a<1 and stay'
run monty-hall --until 'stay<1% and stay<2%'
run monty-hall --until 'stays<1%'
run gamblers-ruin --until 'x<0.1'
run primes --until 'count<1'
run monty-hall --cores 0
run monty-hall --trials
run monty-hall --bogus
run monty-hall --json=1
run monty-hall --trials 5 --trials 6
run monty-hall pi
run monty-hall -p door=5
run monty-hall -p doors=2
run monty-hall -p doors=3 -p opened=5
run monty-hall -p doors=3 -p doors=4
run monty-hall -p doors
run monty-hall --doors 5
run monty-hall doors=5
run golomb --seed 3
run tsp --trials 3
run tsp --seed 3
run primes --until 0.1
run primes --trials 1e9
run pi -o x --trials 10
run matrix-product --input c=x
run matrix-product --input a=missing
run monty-hall --common-seed --trials 10
run monty-hall -p doors=3..5
run monty-hall -p doors=5..3 --trials 10
run monty-hall -p doors=3...5 --trials 10
run monty-hall -p doors=3,3 --trials 10
run monty-hall -p doors=3..4 --trials 10 --sweep missing
run monty-hall -p doors=x --trials 10
run option-price -p kind=cal --trials 10
run tsp -p airports=AMS
run pi --plugin-memory 1k --trials 10
run missing.py
run Examples/Python
run Examples/Python/pi.p
run docs/README.md
simulations nothing
check
new
new Bad
runn
--trials 5
--bogus
""".strip().splitlines()


class CommandTests(PureTest):
    def test_every_built_in_simulation_gives_the_same(self) -> None:
        modules, _ = places()
        for file in sorted(modules.glob("*.wasm")):
            name = file.stem
            trials = f"--trials {TRIALS[name]} --seed 5" if name in TRIALS else ""
            self.assertSame(f"run {name} {trials}")
            self.assertSame(f"run {name} {trials} --json")
            self.assertSame(f"simulations {name}")

    def test_examples_in_python_give_the_same(self) -> None:
        for file in sorted((ROOT / "Examples/Python").glob("*.py")):
            path = file.relative_to(ROOT)
            # A lattice of fewer points takes an eighth of the time.
            data = {"bootstrap": "--input penguins=Examples/penguins.csv", "asian": "-p points=256"}.get(file.stem, "")
            self.assertSame(f"run {path} --trials 1000 --seed 5 --json {data}")
            self.assertSame(f"check {path} --quick {data}")

    def test_what_is_doubtful_is_the_same(self) -> None:
        path = self.folder / "mine.py"
        path.write_text(textwrap.dedent("""
            import potluck
            from potluck import Count, Moments, Parameter, mean, proportion


            class Mine(potluck.Simulation):
                '''Adds the same number many times.'''

                times = Parameter(20, "how many times", 0, 1000)
                x, never = Moments(), Count()
                block_size = 1024

                def trial(self, random):
                    u = random.unit() if self.times else 0.5
                    for _ in range(self.times + 1):
                        self.x.add(u)

                readings = [mean("x", x, exact=lambda self: 0.4), proportion("never", never)]
            """))
        # So few that neither side runs out of its time for them.
        for options in ("", "--json", "-p times=0 --json", "-p times=1,20"):
            self.assertSame(f"run {path} --seed 1 --trials 1e4 {options}")
        self.assertSame(f"run {path} --seed 1 --trials 40 --json")
        self.assertIn("warnings", json.loads(self.pure("run", str(path), "--seed", "1", "--trials", "1e4", "--json").stdout))

    def test_limits_outputs_and_sweeps_give_the_same(self) -> None:
        for line in (
            "run pi --until 0.001 --seed 1", "run monty-hall --until 0.3% --seed 1 --json", "run pi --trials 3 --seed 1",
            "run gamblers-ruin --until 'rounds<2%' --seed 1 --json", "run monty-hall --until 'stay<0.01' --seed 1",
            "run gamblers-ruin --until 'won < 3% and rounds < 1' --seed 1 --json",
            "run coupon-collector --trials 20 --seed 1", "run primes -p limit=100 -p list=yes -o -",
            "run matrix-product -p size=8 -o -", "run monty-hall -p doors=3..6 --trials 1e5 --seed 1",
            "run monty-hall -p doors=3,5 -p opened=1 --trials 1e5 --seed 1 --json --common-seed",
            "run percolation -p p=0.5..0.7:0.05 --trials 1e3 --seed 3", "run primes -p limit=1000,10000",
            "run queens -p size=6,7 --json", "run golomb -p marks=5..7 --json -q", "simulations", "simulations --json",
        ):
            self.assertSame(line)

    def test_a_run_has_no_more_processes_than_the_machine_has_cores(self) -> None:
        with mock.patch.object(crew, "Worker") as worker, mock.patch.object(_platform, "cores", lambda: 3):
            for asked, made in ((2, 2), (50, 3)):
                worker.reset_mock()
                crew.Crew(mock.MagicMock(), asked)
                self.assertEqual(worker.call_count, made)
        self.assertSame("run pi --trials 3e5 --seed 1 --cores 50")

    def test_parameters_without_effect_and_distances_on_an_axis_are_the_same(self) -> None:
        for line in (
            "run tsp -p airports=LHR,JFK,SYD", "run tsp -p airports=LHR,JFK,SYD --json",
            "run monty-hall -p doors=3,4,50,100 --trials 1e4 --seed 1", "run pi --trials 3 --seed 1",
            "run primes -p limit=10,20,2000,1000000"):
            self.assertSame(line)

    def test_a_stopped_search_has_a_round_trip_through_every_city(self) -> None:
        file = self.folder / "hundred.csv"
        # No search of a hundred cities ends in a tenth of a second, and the author's method finds a first round trip at once.
        file.write_text("".join(f"c{city},{city * 37 % 101},{city * city % 103}\n" for city in range(100)))
        for command in (self.native, self.pure):
            result = json.loads(command("run", "tsp", "--input", f"cities={file}", "--for", "0.1", "--json", "-q").stdout)
            self.assertEqual(result["ended"], "time")
            trip = result["solution"].split("\n")[0].split(", ")
            self.assertEqual(sorted(trip), sorted(f"c{city}" for city in range(100)))

    def test_narrow_terminals_get_the_same(self) -> None:
        for columns in ("20", "40", "60"):
            with self.subTest(columns):
                words = ("run", "coupon-collector", "--trials", "1000", "--seed", "1")
                said = self.pure(*words, environment={"COLUMNS": columns})
                self.assertLessEqual(max(map(len, said.stdout.splitlines()[2:])), int(columns))

    def test_checks_give_the_same(self) -> None:
        for name in ("pi", "monty-hall", "primes", "coupon-collector", "matrix-product"):
            self.assertSame(f"check {name} --quick")

    def test_wrong_usage_gives_the_same(self) -> None:
        for line in WRONG:
            self.assertSame(line)

    def test_a_sweep_of_a_file_gives_the_same(self) -> None:
        file = self.folder / "points.csv"
        for text in ("doors,opened\n3,1\n5,2\n", 'doors\n"4"\n\n6\n', "doors;opened\n3;1\n", "doors\n", "doors\n3,4\n", "a\n3\n"):
            file.write_text(text)
            self.assertSame(f"run monty-hall --sweep {file} --trials 1e4 --seed 1")

    def test_tables_give_the_same(self) -> None:
        one, other = self.folder / "a.txt", self.folder / "b.txt"
        for first, second in (("1 2\n3 4\n", "5,6\n7,8\n"), ("x,y\n1 2\n3 4", "1 2\n3 4 5\n"), ("1 2x\n", "1\n"), ("", "1\n")):
            one.write_text(first)
            other.write_text(second)
            self.assertSame(f"run matrix-product --input a={one} --input b={other} -o - --json")
            self.assertSame(f"run matrix-product --input a={one} --input b={other} -o {other}.out --force")

    def test_names_of_rows_give_the_same(self) -> None:
        file = self.folder / "cities.csv"
        for text in (
            "city,x,y\nKöln,1,2\nAachen,3,4\n\"Bonn, Süd\",7,0\n", "1 2 A\n3 4 B\n5 6.5 C\n", "x y\n1 2\n3 4\n5 6\n",
            "0;7;9;left\n7;0;8;right\n9;8;0;top\n", "a,b,1,2\nc,d,3,4\n", "1,2x\n3,4\n", "A,1,2\nB,3\n", "A,1,2\n,3,4\n",
            "A,1,2\n5,3,4\n", "A,1,2\nB,x,4\n", "A,1,2\nB,,4\n", "A,1,2\n\u202eB,3,4\n", f"A,1,2\n{'B' * 121},3,4\n",
            "A,1,2\nB,9e307,4\n", "1,2\n9e307,4\n", "name\nA\nB\n", "name,x\n", ""):
            file.write_text(text, encoding="utf-8")
            self.assertSame(f"run tsp --input cities={file}")
        file.write_text("Berlin,52.5,13.4\nHamburg,53.6,10\nSan José,9.9,-84.1\n", encoding="utf-8")
        for rest in ("", " --json"):
            self.assertSame(f"run tsp --input cities={file} -p distance=earth{rest}")

    def test_trials_that_fail_end_the_run_with_the_line(self) -> None:
        file = self.folder / "bad.py"
        for body, why in (
            ("a = [0] * 4\n        self.n.add(a[random.below(4) + 1])", "an index is outside its list"),
            ("x = 1\n        while x > 0:\n            x = 1\n        self.n.add(x)", "one call took longer than 0.2 seconds"),
            ("self.n.add(1 // (random.below(2) * 0))", "division by zero"),
        ):
            file.write_text(textwrap.dedent("""\
                import potluck
                class Bad(potluck.Simulation):
                    "A simulation that fails"
                    n = potluck.Count()
                    def trial(self, random):
                        BODY
                """).replace("        BODY", "        " + body))
            words = ("run", str(file), "--trials", "1000", "--seed", "7", "--plugin-seconds", "0.2", "-q")
            said = self.pure(*words)
            self.assertIn(why, said.stderr)
            self.assertEqual(said, self.native(*words).steady)

    def test_what_is_not_here_says_where_it_is(self) -> None:
        for words in (("serve", "Monty"), ("history",), ("launch", "x.swift")):
            said = self.pure(*words)
            self.assertEqual(said.code, 1)
            self.assertRegex(said.stderr, f"^potluck: 'potluck {words[0]}' is in the program for Linux \\(.*\\); .*\\n$")
        said = self.pure("run", "pi", "--session", "Monty")
        self.assertEqual((said.code, said.stdout), (2, ""))
        self.assertIn("'--session' is in the program for Linux: use 'potluck join'", said.stderr)

    def test_ctrl_c_stops_a_run_with_what_it_has(self) -> None:
        process = self.start("run", "pi", "--seed", "1", "--json", "--progress-json")
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGINT)
        lines, complaint = process.communicate()
        result = json.loads(lines.splitlines()[-1])
        self.assertEqual((first["event"], result["ended"], result["complete"]), ("job", "stopped", False))
        self.assertEqual(process.returncode, 130)
        self.assertIn("cannot be resumed", complaint)
        again = json.loads(self.pure("run", "pi", "--seed", "1", "--trials", str(result["trials"]), "--json").stdout)
        self.assertEqual(again["digest"], result["digest"])

    def test_the_module_runs_it(self) -> None:
        script = textwrap.dedent("""\
            import asyncio, json, potluck
            run = potluck.run("monty-hall", trials=1e5, seed=1)
            sweep = potluck.sweep("monty-hall", trials=1e5, seed=1, doors=range(3, 6))
            async def watched():
                return [tally.state async for tally in potluck.watch("pi", trials=3e6, seed=1)][-1]
            try:
                potluck.history()
            except potluck.PotluckError as error:
                why = str(error)
            print(json.dumps([run.digest, [point.digest for point in sweep], asyncio.run(watched()), why]))
            """)
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, env=self.environment, check=True,
            cwd=self.folder)
        digest, points, state, why = json.loads(done.stdout)
        native = json.loads(self.native("run", "monty-hall", "--trials", "1e5", "--seed", "1", "--json").stdout)
        swept = self.native("run", "monty-hall", "-p", "doors=3..5", "--trials", "1e5", "--seed", "1", "--json").stdout
        self.assertEqual(digest, native["digest"])
        self.assertEqual(points, [json.loads(line)["digest"] for line in swept.splitlines()])
        self.assertEqual(state, "done")
        self.assertIn("is in the program for Linux", why)

    def test_new_files_are_the_same(self) -> None:
        for name, kind in (("three-dice", ""), ("count", ""), ("x9", "--data"), ("table", "--series")):
            texts = []
            for said in (self.pure, self.native):
                made = ROOT / name
                self.assertFalse(made.exists())
                try:
                    self.assertEqual(said("new", "--python", *kind.split(), name).code, 0)
                    texts.append({file.name: file.read_text() for file in made.iterdir()})
                    self.assertEqual(len(texts[-1]), 2 if kind == "--data" else 1)
                finally:
                    shutil.rmtree(made)
            self.assertEqual(*texts)

    def test_new_files_keep_the_rules(self) -> None:
        for kind in ("", "--data", "--series"):
            with self.subTest(kind):
                said = self.pure("new", *kind.split(), "made")
                self.addCleanup(shutil.rmtree, ROOT / "made", ignore_errors=True)
                self.assertEqual(said.code, 0, said.stderr)
                lines = [line.split("    ")[1].split()[1:] for line in said.stdout.splitlines() if "    potluck" in line]
                self.assertEqual([line[0] for line in lines], ["run", "check"])
                run, check = self.pure(*lines[0], "--trials", "1e4"), self.pure(*lines[1], "--quick")
                # How long a block takes says nothing about the file: on a busy machine it may be too long.
                broken = [line for line in check.stdout.splitlines() if line.startswith("BROKEN")]
                self.assertEqual((run.code, check.code), (0, 1 if broken else 0), run.stderr + check.stdout + check.stderr)
                self.assertEqual([line for line in broken if not line.startswith("BROKEN  a block of ")], [])
                self.assertIn("bit for bit", check.stdout)
                self.assertNotIn("note ", check.stdout)
                shutil.rmtree(ROOT / "made")
        self.assertEqual(self.pure("new", "--data", "--series", "made").code, 2)
        self.assertIn("in the program for Linux", self.pure("new", "--lanes", "made").stderr)
