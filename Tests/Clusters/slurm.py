"""A Slurm cluster of one machine in a folder of its own. It changes no service, and leaves nothing elsewhere."""
import getpass
import os
import shutil
import socket
import subprocess
import time

# How long the daemons may take to start and to end, in seconds. They need about one.
PATIENCE = 30
# More than this machine may have, so that all tasks of an example run at once. Those of a laptop must do as well.
CORES = 8
FEW_CORES = 2
CONFIGURATION = """
ClusterName=example
SlurmctldHost={host}(127.0.0.1)
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 Port={node_port} CPUs={cores}
PartitionName=all Nodes=ALL Default=YES
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
# Nobody else is on this machine's loopback, so nobody has to prove who they are.
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
# Dependent jobs start at once.
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Slurm:
    """Starts the daemons. The `with` block ends them, and gives the variables with which the commands find them."""

    def __init__(self, folder, cores=CORES):
        self.folder = os.path.join(folder, "slurm")
        self.cores = cores
        self.running = []

    @staticmethod
    def lack(place=None):
        """Returns why there can be no cluster here; None if there can."""
        missing = [name for name in ("slurmctld", "slurmd", "sbatch", "srun") if not Slurm.path(name)]
        return f"{missing[0]} is not installed" if missing else None

    @staticmethod
    def path(name):
        return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")

    def __enter__(self):
        for name in ("state", "spool"):
            os.makedirs(os.path.join(self.folder, name))
        file = os.path.join(self.folder, "slurm.conf")
        with open(file, "w", encoding="ascii") as out:
            out.write(CONFIGURATION.format(
                folder=self.folder, host=socket.gethostname().split(".")[0],
                user=getpass.getuser(), cores=self.cores, port=free_port(), node_port=free_port()))
        with open(os.path.join(self.folder, "cgroup.conf"), "w", encoding="ascii") as out:
            out.write(f"CgroupPlugin={self.groups()}\n")
        self.variables = {"SLURM_CONF": file}
        try:
            self.start("slurmctld", "-D", "-i")
            self.start("slurmd", "-D", "-N", "node")
            self.wait()
        except BaseException:
            self.__exit__()
            raise
        return self.variables

    def groups(self):
        """Returns the plugin for control groups that makes none."""
        said = subprocess.run([self.path("slurmd"), "-V"], capture_output=True, text=True, check=True).stdout
        version = tuple(int(number) for number in said.split()[-1].split(".")[:2])
        return "disabled" if version >= (23, 11) else "cgroup/v1"

    def start(self, name, *options):
        log = open(os.path.join(self.folder, f"{name}.log"), "wb")
        with log:
            self.running.append(subprocess.Popen(
                [self.path(name), *options], env=dict(os.environ, **self.variables), stdin=subprocess.DEVNULL,
                stdout=log, stderr=log))

    def wait(self):
        """Waits until the node takes jobs. Slurm reports that only to those who ask."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and all(process.poll() is None for process in self.running):
            said = subprocess.run(["sinfo", "--noheader", "--format=%T"], env=dict(os.environ, **self.variables),
                                  capture_output=True, text=True, check=False, timeout=PATIENCE).stdout
            if said.strip() == "idle":
                return
            time.sleep(0.1)
        raise RuntimeError(f"Slurm does not start: {self.last_words()}")

    def last_words(self):
        said = []
        for name in ("slurmctld", "slurmd"):
            try:
                with open(os.path.join(self.folder, f"{name}.log"), encoding="utf-8", errors="replace") as log:
                    said += [f"{name}: {line.strip()}" for line in log.readlines()[-3:]]
            except FileNotFoundError:
                pass
        return " | ".join(said)

    def __exit__(self, *_):
        # The controller first, so that it does not report a lost node.
        for process in self.running:
            process.terminate()
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
