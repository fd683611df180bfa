"""Drives `shim.c`, which drives the Avahi shim by itself."""
import os
import subprocess
import time

from laptops import HERE, Lab, check


def shim():
    """The Avahi shim under the sanitizers, while its daemon has a bad day; and name collisions."""
    source = os.path.join(HERE, "../../Sources/CAvahi")
    files = [os.path.join(source, name) for name in os.listdir(source) if name.endswith(".c")]
    with Lab() as lab:
        lab("up", 3)
        programs = []
        for sanitizer in ("address,undefined", "thread"):
            program = os.path.join(lab.scratch.name, sanitizer.split(",")[0])
            built = subprocess.run(
                [os.path.join(HERE, "sanitized"), sanitizer, program, os.path.join(HERE, "shim.c"), *files,
                 "-I" + os.path.join(source, "include"), "-lavahi-client", "-lavahi-common"],
                capture_output=True, text=True)
            check(f"builds with -fsanitize={sanitizer}", built.returncode == 0, built.stderr.strip())
            programs.append(program)

        storms = [subprocess.Popen(lab.command(host, program, "storm", 14, host), env=lab.environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                  for host, program in enumerate(programs, 1)]
        for host in (1, 2):
            for words in [("no-avahi", host, "--crash"), ("avahi", host), ("no-avahi", host), ("avahi", host),
                          ("no-avahi", host, "--crash", "--bus"), ("avahi", host), ("hang", host)]:
                lab(*words)
                time.sleep(0.3)
            time.sleep(1)
            lab("unhang", host)
        for sanitizer, storm in zip(("address", "thread"), storms):
            output = storm.communicate()[0]
            check(f"a storm of daemons under the {sanitizer} sanitizer", storm.returncode == 0, output.strip()[-2000:])

        def says(host, name, seconds):
            return subprocess.Popen(lab.command(host, programs[0], "say", name, seconds), env=lab.environment,
                                    text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

        first, second = says(1, "same", 5), None
        time.sleep(2)
        second = says(1, "same", 3)
        check("a name taken on this machine", "PUBLISHED same #2" in second.communicate()[0])
        first.communicate()
        lab("cut", 2)
        both = [says(1, "late", 8), says(2, "late", 8)]
        time.sleep(3)
        lab("heal", 2)
        outputs = [process.communicate()[0] for process in both]
        check("a name taken on another", any("PUBLISHED late #2" in output for output in outputs))
        renamed = says(3, "name", 5)
        time.sleep(2)
        lab("exec", 3, "avahi-set-host-name", "other")
        check("the machine's name changes", "FOUND name at other.local" in renamed.communicate()[0])
