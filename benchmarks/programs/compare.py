"""Compares the speed of training programs on a cluster's processes with that of the same programs alone.

Each program runs in several configurations, which are all started at first. Then they step in turn, one window of time
each, in several rounds, so that what else the machine does falls on all of them alike.
"""

import argparse
import contextlib
import json
import os
import pathlib
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = ("lenet", "resnet20", "wide", "resnet50")
# Name: environment of a process without a job, or parameter servers and workers of a job.
CONFIGURATIONS = {
    "plain": {"OPTIMUS_BENCHMARK_PLAIN": "1"},
    "by hand": {},
    "1 ps + 1 worker": (1, 1),
    "all-reduce, 1 worker": (0, 1),
    "all-reduce, 2 workers": (0, 2),
    "1 ps + 2 workers": (1, 2),
}
START_SECONDS = 180
WINDOW_LIMIT_SECONDS = 120
# The first windows, in which Java compiles and speeds are found out.
WARM_UP_SECONDS = 2.5


# What a process is, by words of its command line.
ROLES = (
    ("ParameterServerProcess", "parameter servers"),
    ("WorkerProcess", "workers"),
    ("LocalJob", "coordinator"),
    (".py", "programs"),
)


def processor_seconds(root):
    """Returns the processor time of a process and its descendants so far, by role."""
    parents, seconds = {}, {}
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
                parents[int(folder.name)] = int(fields[1])
                seconds[int(folder.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    of_roles = dict.fromkeys((role for _, role in ROLES), 0.0)
    for process, spent in seconds.items():
        ancestor = process
        while ancestor in parents and ancestor != root:
            ancestor = parents[ancestor]
        if ancestor == root:
            with contextlib.suppress(OSError, StopIteration):
                command = pathlib.Path(f"/proc/{process}/cmdline").read_text()
                of_roles[next(role for words, role in ROLES if words in command)] += spent
    return of_roles


class Configuration:
    """A program in one configuration: its processes, and the connections on which they are told to step."""

    def __init__(self, name, programs, device):
        self.name = name
        self._programs = programs
        self._device = device
        self._socket_folder = tempfile.TemporaryDirectory(prefix="optimus-benchmark-")
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(os.path.join(self._socket_folder.name, "s"))
        self._listening.listen()
        self._process = None
        self._connections = []
        self._log = None

    def start(self, command, folder, variables):
        folder.mkdir(parents=True)
        self._log = folder / "log"
        environment = {**os.environ, **variables, "OMP_NUM_THREADS": "1", "OPTIMUS_BENCHMARK_DEVICE": self._device}
        environment["OPTIMUS_BENCHMARK_SOCKET"] = self._listening.getsockname()
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log)

    def await_start(self):
        """Waits until all workers have made their first step."""
        self._listening.settimeout(1)
        end = time.monotonic() + START_SECONDS
        while len(self._connections) < self._programs:
            with contextlib.suppress(TimeoutError):
                connection, _ = self._listening.accept()
                connection.settimeout(WINDOW_LIMIT_SECONDS)
                self._connections.append(connection.makefile("rw"))
            if self._process.poll() is not None or time.monotonic() > end:
                sys.exit(f"'{self.name}' ended, or did not start within {START_SECONDS} s; see {self._log}")
        self._answers("start training")

    def _answers(self, what):
        try:
            answers = [connection.readline() for connection in self._connections]
        except TimeoutError:
            answers = [""]
        if "" in answers:
            sys.exit(f"'{self.name}' did not {what} within {WINDOW_LIMIT_SECONDS} s, or ended; see {self._log}")
        return [float(answer) for answer in answers]

    def steps_per_second(self, steps):
        """Makes steps, and returns the speed of the slowest worker."""
        for connection in self._connections:
            connection.write(f"{steps}\n")
            connection.flush()
        return steps / max(self._answers(f"make {steps} steps"))

    def window(self, steps):
        """Makes steps. Returns their speed, and milliseconds of processor time of a step by role."""
        before = processor_seconds(self._process.pid)
        speed = self.steps_per_second(steps)
        after = processor_seconds(self._process.pid)
        return speed, {role: 1000 * (after[role] - before[role]) / steps for role in after}

    def warm_up(self):
        """Returns the speed after a while."""
        steps, spent = 1, 0.0
        while True:
            speed = self.steps_per_second(steps)
            spent += steps / speed
            if spent >= WARM_UP_SECONDS:
                return speed
            steps = max(1, round(speed * (WARM_UP_SECONDS - spent)))

    def end(self):
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(30)
            self._process.kill()
        for connection in self._connections:
            connection.close()
        self._listening.close()
        self._socket_folder.cleanup()


def job_file(folder, program, options, servers):
    """Writes the job file of a program, and returns its path."""
    roles = {"worker": {"min": 1, "max": 2, "memoryMb": 2048, "gpus": int(options.device == "cuda")}}
    if servers:
        roles["ps"] = {"min": 1, "max": 1, "memoryMb": 2048}
    job = {
        "name": program,
        "framework": "python",
        "program": {"script": str(HERE / f"{program}.py"), "python": options.python},
        "files": [str(HERE / "windows.py")],
        "communication": "parameter-server" if servers else "all-reduce",
        "roles": roles,
    }
    path = folder / ("servers.yaml" if servers else "all-reduce.yaml")
    # JSON is YAML.
    path.write_text(json.dumps(job))
    return path


def started(options, program, names, stack):
    """Starts a program in all configurations."""
    folder = pathlib.Path(options.run_dir) / program
    folder.mkdir(parents=True)
    configurations = []
    for name in names:
        kind = CONFIGURATIONS[name]
        home = folder / name.replace(" ", "-").replace(",", "")
        if isinstance(kind, dict):
            configuration = Configuration(name, 1, options.device)
            stack.callback(configuration.end)
            package = {"PYTHONPATH": os.pathsep.join([options.package, str(HERE)])}
            configuration.start([options.python, str(HERE / f"{program}.py")], home, {**kind, **package})
        else:
            servers, workers = kind
            configuration = Configuration(name, workers, options.device)
            stack.callback(configuration.end)
            file = job_file(folder, program, options, servers)
            java = [options.java, "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", options.class_path]
            arguments = [str(file), str(home / "tasks"), options.jar, f"roles.worker.min={workers}"]
            configuration.start([*java, "io.optimus.local.LocalJob", *arguments], home, {})
        # One after the other, so that no process waits long for a processor.
        configuration.await_start()
        configurations.append(configuration)
    return configurations


def measure(options, program, names):
    """Returns the windows of each configuration, by round."""
    windows = {name: [] for name in names}
    with contextlib.ExitStack() as stack:
        configurations = started(options, program, names, stack)
        steps = {
            each.name: max(1, round(options.window_seconds * each.warm_up())) for each in configurations
        }
        for number in range(options.rounds):
            order = configurations if number % 2 == 0 else configurations[::-1]
            for configuration in order:
                windows[configuration.name].append(configuration.window(steps[configuration.name]))
    return windows


def summary(windows):
    """Returns the median speed of each configuration, and the median over the rounds of its ratio to the plain one."""
    result = {}
    for name, values in windows.items():
        ratios = [speed / plain for (speed, _), (plain, _) in zip(values, windows["plain"])]
        of_roles = {role: statistics.median(spent[role] for _, spent in values) for role in values[0][1]}
        result[name] = {
            "stepsPerSecond": statistics.median(speed for speed, _ in values),
            "timesPlain": statistics.median(ratios),
            "timesPlainLowest": min(ratios),
            "timesPlainHighest": max(ratios),
            "processorMillisPerStep": {role: spent for role, spent in of_roles.items() if spent > 0},
            "stepsPerSecondByRound": [speed for speed, _ in values],
        }
    return result


def show(program, result):
    print(f"\n{program}")
    for name, values in result.items():
        spent = ", ".join(f"{role} {millis:.2f}" for role, millis in values["processorMillisPerStep"].items())
        print(
            f"  {name:22} {values['stepsPerSecond']:8.2f} steps/s  {values['timesPlain']:5.2f} times plain"
            f" ({values['timesPlainLowest']:.2f} to {values['timesPlainHighest']:.2f});  ms of processor: {spent}",
            flush=True,
        )


def main():
    arguments = argparse.ArgumentParser(prog="benchmark-program", add_help=False)
    for required in ("--python", "--java", "--class-path", "--jar", "--package", "--run-dir"):
        arguments.add_argument(required, required=True)
    arguments.add_argument("--programs", default="lenet,resnet20,wide")
    arguments.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    arguments.add_argument("--configurations", default=";".join(CONFIGURATIONS))
    arguments.add_argument("--rounds", type=int, default=6)
    arguments.add_argument("--window-seconds", type=float, default=1.5)
    arguments.add_argument("--json", required=True)
    options = arguments.parse_args()
    programs, names = options.programs.split(","), options.configurations.split(";")
    problems = [f"--programs has no {each!r}: {PROGRAMS}" for each in programs if each not in PROGRAMS]
    problems += [f"--configurations has no {each!r}" for each in names if each not in CONFIGURATIONS]
    problems += [] if "plain" in names else ["--configurations must have 'plain', which all are compared with"]
    problems += [] if options.rounds > 0 and options.window_seconds > 0 else ["--rounds and --window-seconds must be > 0"]
    if problems:
        sys.exit("\n".join(problems))
    report = {
        "cores": os.cpu_count(),
        "device": options.device,
        "threadsOfEachProcess": 1,
        "windowSeconds": options.window_seconds,
        "programs": {},
    }
    print(f"{os.cpu_count()} cores; load {os.getloadavg()[0]:.1f} at first; each process computes with one thread")
    for program in programs:
        load = os.getloadavg()[0]
        result = summary(measure(options, program, names))
        report["programs"][program] = {"loadBefore": load, "loadAfter": os.getloadavg()[0], "configurations": result}
        show(program, result)
    pathlib.Path(options.json).write_text(json.dumps(report, indent=2) + "\n")
    print(f"\nload {os.getloadavg()[0]:.1f} at the end; written: {options.json}")


if __name__ == "__main__":
    main()
