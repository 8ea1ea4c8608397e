"""Trains a network of one hidden layer on hand-written digits with numpy alone; it runs without a cluster too."""

import argparse

import numpy

import optimus_yarn as optimus

HIDDEN = 64


def read(path):
    """Images of 64 pixels and their labels; the order is fixed, so that the held-out samples are always the same."""
    values = numpy.loadtxt(path, delimiter=",", dtype=numpy.float32)
    values = values[numpy.random.default_rng(1797).permutation(len(values))]
    return values[:, :64] / 16, values[:, 64].astype(int)


def layers(vector):
    """Views of the two weight matrices in a flat vector; the last row of each is the bias."""
    first, second = numpy.split(vector, [65 * HIDDEN])
    return first.reshape(65, HIDDEN), second.reshape(HIDDEN + 1, 10)


def with_bias(x):
    return numpy.hstack([x, numpy.ones((len(x), 1), numpy.float32)])


def forward(vector, x):
    first, second = layers(vector)
    hidden = numpy.maximum(with_bias(x) @ first, 0)
    scores = with_bias(hidden) @ second
    scores -= scores.max(axis=1, keepdims=True)
    return hidden, scores - numpy.log(numpy.exp(scores).sum(axis=1, keepdims=True))


def write_gradient(vector, gradient, x, labels):
    """Writes the gradient of the mean loss, and returns the loss. A worker may have no sample in a step."""
    if len(x) == 0:
        gradient[:] = 0
        return 0.0
    hidden, logs = forward(vector, x)
    error = numpy.exp(logs)
    error[numpy.arange(len(x)), labels] -= 1
    error /= len(x)
    first, second = layers(gradient)
    second[:] = with_bias(hidden).T @ error
    first[:] = with_bias(x).T @ ((error @ layers(vector)[1][:-1].T) * (hidden > 0))
    return -logs[numpy.arange(len(x)), labels].mean()


options = argparse.ArgumentParser()
options.add_argument("--epochs", type=int, default=15)
options.add_argument("--data", default="digits.csv.gz")
options = options.parse_args()

job = optimus.init()
images, labels = read(options.data)
job.declare(
    parameters=[("first", (65, HIDDEN)), ("second", (HIDDEN + 1, 10))],
    samples=1437,
    batch=64,
    optimizer={"kind": "sgd", "learningRate": 0.1, "momentum": 0.9},
    epochs=options.epochs,
)
random = numpy.random.default_rng(job.seed)
for layer in layers(job.parameters):
    layer[:-1] = random.normal(0, (2 / (len(layer) - 1)) ** 0.5, layer[:-1].shape)


def report():
    right = forward(job.parameters, images[1437:])[1].argmax(axis=1) == labels[1437:]
    job.report(accuracy=right.mean())


for epoch in job.epochs():
    for samples in job.steps():
        job.update(write_gradient(job.parameters, job.gradient, images[samples], labels[samples]))
    report()
