"""Checks the files that need Kubernetes and a builder of images, as far as that is possible without them."""
import glob
import re
import shutil
import subprocess

try:
    import yaml
except ImportError:
    yaml = None

import examples
from examples import Failed

# The instructions of https://github.com/containers/common/blob/main/docs/Containerfile.5.md that an image may need.
INSTRUCTIONS = {"ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "FROM", "LABEL", "RUN", "USER", "VOLUME", "WORKDIR"}


def demand(condition, what):
    if not condition:
        raise Failed(what)


def lack(place):
    return None if yaml else "Python's yaml is not installed"


def checked():
    """Returns the two jobs after checking what they must have in common."""
    jobs = []
    for file in ("kubernetes.yaml", "kubernetes-merge.yaml"):
        job = yaml.safe_load(examples.text(file))
        demand((job["apiVersion"], job["kind"]) == ("batch/v1", "Job"), f"{file} is no job")
        pod = job["spec"]["template"]["spec"]
        demand(pod["restartPolicy"] in ("OnFailure", "Never"), f"{file}: a job's pods may not always restart")
        volumes = {volume["name"] for volume in pod["volumes"]}
        for container in pod["containers"]:
            demand(all(isinstance(word, str) for word in container["args"]), f"{file}: arguments are strings")
            for mount in container["volumeMounts"]:
                demand(mount["name"] in volumes, f"{file}: there is no volume {mount['name']}")
                demand(mount["mountPath"] + "/" in container["args"], f"{file}: no argument names the volume")
        decode(file)
        jobs.append(job)
    shards, merge = (job["spec"] for job in jobs)
    demand(shards["completionMode"] == "Indexed", "the shards have no numbers")
    arguments = shards["template"]["spec"]["containers"][0]["args"]
    demand(f"auto/{shards['completions']}" in arguments, "--shard does not tell the number of completions")
    demand(shards["template"]["spec"]["volumes"] == merge["template"]["spec"]["volumes"], "the volumes differ")
    return jobs


def decode(file):
    """Has kubectl decode the file, if there is one: it leaves out fields that it does not know."""
    if not shutil.which("kubectl"):
        return
    said = subprocess.run(
        ["kubectl", "set", "env", "--local", "-f", "-", "X=y", "-o", "yaml"], input=examples.text(file), text=True,
        capture_output=True, check=False, timeout=examples.SECONDS)
    demand(said.returncode == 0, f"kubectl cannot read {file}: {said.stderr.strip()}")
    lost = missing(yaml.safe_load(examples.text(file)), yaml.safe_load(said.stdout))
    demand(not lost, f"{file}: kubectl does not know {lost}")


def missing(wanted, found):
    """Returns the first key of `wanted` that `found` lacks; None if it has all."""
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            if key not in found:
                return key
            lost = missing(value, found[key])
            if lost:
                return lost
    elif isinstance(wanted, list):
        return next(filter(None, (missing(*pair) for pair in zip(wanted, found))), None)
    return None


def check_image():
    """Each line of the Containerfile is an instruction, and it copies a file that `make dist` makes."""
    lines = [line for line in examples.text("Containerfile").splitlines() if line and not line.startswith("#")]
    names = [line.split()[0] for line in lines]
    demand(names[0] == "FROM" and set(names) <= INSTRUCTIONS, f"not all of {names} are instructions")
    demand(re.search(r'^ENTRYPOINT \["potluck"\]$', lines[-1]), "the image does not start potluck")
    pattern = next(line.split()[1] for line in lines if line.startswith("ADD"))
    with open(f"{examples.HERE}/../../Tools/dist", encoding="utf-8") as tool:
        demand("name=potluck-$version-linux-$architecture" in tool.read(), "make dist names its archive otherwise")
    demand(pattern == "potluck-*-linux-*.tar.gz", "the image does not add the archive of make dist")
    archives = glob.glob(f"{examples.HERE}/../../dist/{pattern}")
    demand(len(archives) < 2, f"there are {len(archives)} archives in dist")
    return "its instructions are valid, and make dist makes what it adds"
