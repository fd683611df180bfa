"""The nodes of a session that compute, and the same jobs on one machine."""
import json
import subprocess

from laptops import PATIENCE, POTLUCK, Member


# How many of a node's last lines are printed when a show fails.
STORY = 12


class Worker(Member):
    """A node that computes. Its priority is normal, because the lab's processor has no other user."""

    def __init__(self, lab, host, command="join", *options, **more):
        super().__init__(lab, host, command, "--cores", "1", "--priority", "normal", *options, **more)

    def pictures(self):
        """Returns when the node showed more trials than before, and how many they were."""
        seen, most = [], 0
        for line in self.history("job"):
            if line["trials"] > most:
                most = line["trials"]
                seen.append((line["at"], most))
        return seen

    def result(self, seconds):
        """Waits for the end of the job. Returns its result."""
        self.wait(lambda: any(line["event"] in ("result", "failed", "lost") for line in self.lines), seconds)
        results = self.history("result")
        return results[0]["result"] if results else None

    def computes(self, seconds):
        return self.wait(lambda: any(line["event"] == "job" and line["trials"] > 0 for line in self.lines), seconds)

    def story(self):
        """Returns the last things that it told, on one line: what to print of a show that failed."""
        told = []
        for line in self.lines:
            facts = [f"{name} {line[name]}" for name in ("name", "state", "why") if line.get(name)]
            word = " ".join([line["event"], *facts])
            if line["event"] == "job" and told and told[-1].startswith(word):
                told.pop()
            told.append(f"{word}, {line['trials']:.2e} trials" if line["event"] == "job" else word)
        return f"host {self.host}: " + "; ".join(told[-STORY:] + self.errors[-STORY:])

    def first(self, event, after=0, **members):
        """Returns when it first wrote such a line; None if it did not."""
        return min((line["at"] for line in self.history(event)
                    if line["at"] > after and all(line.get(name) in wanted for name, wanted in members.items())),
                   default=None)


def room(lab, guests, *options):
    """Starts a server on host 1, which starts a job if the options say so, and guests on the next hosts."""
    return Worker(lab, 1, "serve", *options), [Worker(lab, host) for host in range(2, 2 + guests)]


def alone(*job):
    """Returns the result of the same job on one machine. All other nodes have ended or are idle by then."""
    done = subprocess.run([POTLUCK, "run", *job, "--json", "--ephemeral", "--priority", "normal"], capture_output=True,
                          text=True, check=True, timeout=PATIENCE * 300)
    return json.loads(done.stdout)
