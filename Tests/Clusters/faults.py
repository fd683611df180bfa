"""What may go wrong with tasks: they are killed while they compute or write, and files are missing or damaged."""
import glob
import os
import shutil
import signal
import subprocess
import time

from examples import SECONDS, TRIALS, Failed, digest

# Two tasks of a few seconds each. A task is kept on disk after one second.
LONG = {"TRIALS": "1e10", "TASKS": "2"}
# The record of a shard is this long in bytes once it has a part of the tally.
STORED = 20_000
# A shard with 8 MB of output, which takes a moment to write.
GATHERING = "primes -p limit=3e7 -p list=yes"
# How many writers are killed, each a little later than the one before: the last ones when the file is whole.
KILLS = 20
LATER = 0.0005
# The time between two looks at a folder, in seconds.
GLANCE = 0.001


def programs(session):
    """Returns the processes of `potluck` in a session of processes."""
    found = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                before, after = file.read().rsplit(")", 1)
        except OSError:
            # It ended.
            continue
        number, name = before.split(" (", 1)
        if name.startswith("potluck") and int(after.split()[3]) == session:
            found.append(int(number))
    return found


def size(pattern):
    """Returns the length of the file with such a name; 0 if there is none."""
    try:
        return sum(os.path.getsize(path) for path in glob.glob(pattern))
    except FileNotFoundError:
        return 0


def killed_task(place, file, command):
    """Tasks are killed, and their engine fails. The same command again continues them."""
    folder = place.make(f"killed-{file}")
    with subprocess.Popen(["/bin/sh", "-c", command], cwd=folder, env=dict(place.variables, **LONG),
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True) as engine:
        end = time.monotonic() + SECONDS
        while not all(size(f"{folder}/parts*/*{task}*.unfinished/*-wal") > STORED for task in ("1-of", "2-of")):
            if time.monotonic() > end or engine.poll() is not None:
                raise Failed("no task is kept while it runs")
            time.sleep(GLANCE)
        for process in programs(engine.pid):
            os.kill(process, signal.SIGKILL)
        if engine.wait(SECONDS) == 0:
            raise Failed(f"{file} does not notice that a task was killed")
    again = place.run(command, folder, **LONG)
    if "continuing shard" not in again.stdout + again.stderr:
        raise Failed("the task that was killed starts over")
    with open(os.path.join(folder, "result.txt"), encoding="utf-8") as result:
        return digest(result.read())


def killed_tasks(place):
    wanted = digest(place.run("potluck run monty-hall --trials 1e10 --seed 1 --ephemeral --json", place.folder).stdout)
    for file, command in (("Makefile", "make -j 2"), ("xargs.sh", "sh xargs.sh >result.txt")):
        if killed_task(place, file, command) != wanted:
            raise Failed(f"after a kill, {file} has another digest")
    return "make and xargs continued"


def killed_writer(place):
    """A task that is killed while it writes leaves its file whole or not at all."""
    folder = os.path.join(place.folder, "writer")
    whole = partly = 0
    for kill in range(KILLS):
        shutil.rmtree(folder, ignore_errors=True)
        with subprocess.Popen(
                ["potluck", "run", *GATHERING.split(), "--shard", "1/2", "--with-output", "--partial", folder + "/"],
                env=place.variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as writer:
            drafts = []
            while writer.poll() is None and not drafts:
                drafts = glob.glob(folder + "/*.new")
            time.sleep(kill * LATER)
            writer.kill()
        if os.path.exists(folder + "/shard-1-of-2.part"):
            whole += 1
            said = place.run("potluck merge writer/", place.folder, check=False).stderr
            if "missing: shard 2 of 2" not in said:
                raise Failed(f"a task that was killed while it wrote left half a file: {said.strip()}")
        else:
            partly += 1
    for shard in ("1/2", "2/2"):
        place.run(f"potluck run {GATHERING} --shard {shard} --with-output --partial writer/", place.folder)
    place.run("potluck merge writer/ --output merged.txt --force", place.folder)
    place.run(f"potluck run {GATHERING} --ephemeral --output alone.txt --force", place.folder)
    place.run("cmp merged.txt alone.txt", place.folder)
    return f"{partly} left no file, {whole} a whole one"


def wrong_files(place):
    """A merge names the file that is missing, doubled, cut off, altered or of another job, in one line."""
    folder = os.path.join(place.folder, "wrong")
    job = f"potluck run monty-hall --trials {TRIALS} --seed 1 --quiet"
    for shard in range(1, 5):
        place.run(f"{job} --shard {shard}/4 --partial wrong/", place.folder)
    path = folder + "/shard-2-of-4.part"
    with open(path, "rb") as file:
        right = file.read()

    def write(octets):
        with open(path, "wb") as file:
            file.write(octets)

    flipped = bytearray(right)
    flipped[len(right) // 2] ^= 1
    faults = [
        ("missing", lambda: None, "shard 2 of 4"),
        ("cut off", lambda: write(right[:-40]), "shard-2-of-4.part is cut off"),
        ("altered", lambda: write(flipped), "shard-2-of-4.part was altered"),
        ("longer", lambda: write(right + b"x"), "shard-2-of-4.part was altered"),
        ("of another kind", lambda: write(b"hello\n"), "shard-2-of-4.part is not a partial file"),
        ("doubled", lambda: shutil.copy(folder + "/shard-3-of-4.part", path), "shard-2-of-4.part"),
        ("foreign", lambda: place.run(f"{job} --seed 2 --shard 2/4 --partial {path}".replace("--seed 1 ", ""), folder),
         "its seed is 2, not 1"),
    ]
    for name, fault, words in faults:
        if os.path.exists(path):
            os.unlink(path)
        fault()
        done = place.run("potluck merge wrong/", place.folder, check=False)
        lines = done.stderr.splitlines()
        if done.returncode == 0 or done.stdout or len(lines) != 1 or words not in lines[0]:
            raise Failed(f"a file that is {name}: {done.stderr.strip() or 'no error'}")
    return ", ".join(name for name, *_ in faults) + ": named"


def many_parts(place, count=10_000):
    """Merges ten thousand partial files. Prints the time; what is fast enough depends on the build."""
    began = time.monotonic()
    place.run(f"seq {count} | xargs -P {os.cpu_count()} -I '%' potluck run monty-hall --trials {TRIALS} --seed 1 "
              f"--cores 1 --ephemeral --quiet --shard %/{count} --partial many/ >many.log", place.folder)
    made = time.monotonic() - began
    wanted = digest(place.run(f"potluck run monty-hall --trials {TRIALS} --seed 1 --ephemeral", place.folder).stdout)
    times = []
    for _ in range(3):
        began = time.monotonic()
        merged = place.run("potluck merge many/ --ephemeral", place.folder)
        times.append(time.monotonic() - began)
        if digest(merged.stdout) != wanted:
            raise Failed("the merge of many files has another digest")
    place.run("rm many/*77*.part", place.folder)
    began = time.monotonic()
    missing = place.run("potluck merge many/ --ephemeral", place.folder, check=False).stderr.strip()
    return (f"{count} files made in {made:.0f} s, merged in {min(times):.2f} s; "
            f"after {time.monotonic() - began:.2f} s: {missing}")
