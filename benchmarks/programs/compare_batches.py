"""Compares time and samples that a program takes to the same loss with a batch that adapts and with a fixed one.

Each problem is trained by all-reduce on two workers, in turn with both kinds of batch, several times. The loss that both are
timed to is the highest of the lowest losses that the runs of a problem reached, so that every run reaches it.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
INITIAL, WORKERS = 64, 2
# Noisy gradients, and steps that take as long for many samples as for few: a larger batch pays.
# Gradients with little noise, and steps that take as long as their samples: it does not.
PROBLEMS = {
    "noisy": {"epochs": 16, "samples": 100_000, "network": "dense", "wrong-labels": 0.6},
    "clean": {"epochs": 24, "samples": 20_000, "network": "convolutional", "wrong-labels": 0},
}
BATCHES = {
    "fixed": {"max": INITIAL, "perWorkerMax": INITIAL},
    "adaptive": {"adapt": True, "max": 16 * INITIAL, "perWorkerMax": 8 * INITIAL},
}
LIMIT_SECONDS = 900


def job_file(folder, options, problem, batch):
    arguments = [word for name, value in PROBLEMS[problem].items() for word in (f"--{name}", str(value))]
    job = {
        "name": problem,
        "framework": "python",
        "program": {"script": str(HERE / "classifier.py"), "python": options.python, "args": arguments},
        "communication": "all-reduce",
        "batch": BATCHES[batch],
        "roles": {"worker": {"min": WORKERS, "max": WORKERS, "memoryMb": 2048}},
    }
    path = folder / "job.yaml"
    # JSON is YAML.
    path.write_text(json.dumps(job))
    return path


def curve(options, problem, batch, number):
    """Trains once. Returns a list of samples, seconds and loss, one for each epoch."""
    folder = pathlib.Path(options.run_dir) / f"{problem}-{batch}-{number}"
    folder.mkdir(parents=True)
    java = [options.java, "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", options.class_path]
    file = str(job_file(folder, options, problem, batch))
    command = [*java, "io.optimus.local.LocalJob", file, str(folder / "tasks"), options.jar]
    log = folder / "log"
    with open(log, "wb") as output:
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        try:
            done = subprocess.run(
                command, stdout=output, stderr=output, cwd=folder, env=environment, timeout=LIMIT_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            sys.exit(f"'{problem}' with its {batch} batch did not end within {LIMIT_SECONDS} s; see {log}")
    if done.returncode != 0:
        sys.exit(f"'{problem}' with its {batch} batch failed; see {log}")
    points = []
    for line in (folder / "tasks" / "worker-0" / "stdout").read_text().splitlines():
        epoch, seconds, loss = line.split()
        points.append(((int(epoch) + 1) * PROBLEMS[problem]["samples"], float(seconds), float(loss)))
    return points


def reached(points, loss):
    """Samples and seconds after which the loss was reached, between two epochs by interpolation."""
    before = None
    for point in points:
        if point[2] <= loss:
            if before is None:
                return point[:2]
            part = (before[2] - loss) / (before[2] - point[2])
            return tuple(old + part * (new - old) for old, new in zip(before[:2], point[:2]))
        before = point
    return None


def compared(options, problem):
    curves = {batch: [] for batch in BATCHES}
    for number in range(options.rounds):
        order = list(BATCHES) if number % 2 == 0 else list(BATCHES)[::-1]
        for batch in order:
            curves[batch].append(curve(options, problem, batch, number))
    loss = max(min(point[2] for point in run) for runs in curves.values() for run in runs)
    result = {"loss": loss, "batches": {}}
    for batch, runs in curves.items():
        ends = [reached(run, loss) for run in runs]
        result["batches"][batch] = {
            "samples": statistics.median(end[0] for end in ends),
            "seconds": statistics.median(end[1] for end in ends),
            "secondsOfRuns": [end[1] for end in ends],
            "samplesOfRuns": [end[0] for end in ends],
            "lastLossOfRuns": [run[-1][2] for run in runs],
        }
    return result


def show(problem, result):
    print(f"\n{problem}: to loss {result['loss']:.4f}")
    fixed = result["batches"]["fixed"]
    for batch, values in result["batches"].items():
        print(
            f"  {batch:9} {values['seconds']:7.1f} s ({min(values['secondsOfRuns']):.1f} to {max(values['secondsOfRuns']):.1f}),"
            f" {values['samples'] / 1000:7.0f} thousand samples; {values['seconds'] / fixed['seconds']:.2f} times the time,"
            f" {values['samples'] / fixed['samples']:.2f} times the samples of the fixed batch",
            flush=True,
        )


def main():
    arguments = argparse.ArgumentParser(prog="benchmark-program --batches", add_help=False)
    for required in ("--python", "--java", "--class-path", "--jar", "--package", "--run-dir", "--json"):
        arguments.add_argument(required, required=True)
    arguments.add_argument("--programs", default=",".join(PROBLEMS))
    arguments.add_argument("--rounds", type=int, default=2)
    options = arguments.parse_args()
    problems = options.programs.split(",")
    wrong = [f"--programs has no {each!r}: {', '.join(PROBLEMS)}" for each in problems if each not in PROBLEMS]
    wrong += [] if options.rounds > 0 else ["--rounds must be > 0"]
    if wrong:
        sys.exit("\n".join(wrong))
    report = {"cores": os.cpu_count(), "threadsOfEachProcess": 1, "workers": WORKERS, "problems": {}}
    print(f"{os.cpu_count()} cores; load {os.getloadavg()[0]:.1f} at first; {WORKERS} workers with one thread each")
    for problem in problems:
        result = compared(options, problem)
        report["problems"][problem] = {**PROBLEMS[problem], **result}
        show(problem, result)
    pathlib.Path(options.json).write_text(json.dumps(report, indent=2) + "\n")
    print(f"\nload {os.getloadavg()[0]:.1f} at the end; written: {options.json}")


if __name__ == "__main__":
    main()
