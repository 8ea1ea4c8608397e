package io.optimus.am.engine.djl;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.training.GradientCollector;
import io.optimus.am.dataset.Dataset;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.HeInitialisation;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepProgress;
import io.optimus.am.engine.TrainingEngine;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Computes a network with PyTorch on one thread; {@link NativeLibraries} says what the process needs.
 *
 * <p>At most one engine of a process may compute a step at a time, because DJL has one gradient collector per process. PyTorch
 * returns its memory when the process ends, not on {@link #close()}.
 */
public final class DjlEngine implements TrainingEngine {
    /**
     * Smaller than a usual training batch, so that an evaluation needs no more memory than training: PyTorch's allocator
     * keeps the memory that it once took, and a pass keeps all its intermediate results. ResNet-20 took 400 MB for 100 images
     * of 28 × 28.
     */
    private static final int EVALUATION_BATCH = 25;

    private final Dataset dataset;
    private final Network network;
    private final List<ParameterBlock> blocks;
    private final Engine pytorch;
    private final NDManager manager;
    private final SharedVectors vectors;
    private final ImageBatch batch;
    private final int[] heldOut;

    /**
     * Loads PyTorch and builds the network.
     *
     * @param model one of {@link io.optimus.am.engine.Engines#MODELS}
     * @param hidden sizes of an mlp's hidden layers
     * @throws IllegalStateException where the native libraries are missing
     * @throws IllegalArgumentException where the images are too small for the model
     */
    public DjlEngine(String model, List<Integer> hidden, Dataset dataset) {
        this.dataset = dataset;
        network = Network.of(model, hidden, dataset);
        List<Tensor> tensors = network.layers().stream()
                .flatMap(layer -> layer.tensors().stream())
                .toList();
        blocks = tensors.stream().map(Tensor::block).toList();
        pytorch = PyTorch.load();
        manager = pytorch.newBaseManager(Device.cpu());
        vectors = new SharedVectors(tensors, manager);
        batch = new ImageBatch(dataset);
        heldOut = IntStream.range(0, dataset.heldOut().size()).toArray();
        batch.fill(dataset.training(), new int[] {0}, 0, 1);
        backward();
        vectors.adoptGradients();
    }

    @Override
    public List<ParameterBlock> blocks() {
        return blocks;
    }

    @Override
    public ByteBuffer parameterBytes() {
        return vectors.parameters();
    }

    @Override
    public ByteBuffer gradientBytes() {
        return vectors.gradient();
    }

    @Override
    public int trainingSamples() {
        return dataset.training().size();
    }

    @Override
    public void initialise(long seed) {
        vectors.initialise(new HeInitialisation(seed));
    }

    @Override
    public double step(StepPart part, StepProgress progress) {
        int[] samples = part.samples();
        if (samples.length == 0) {
            throw new IllegalArgumentException("A step needs at least one sample");
        }
        batch.fill(dataset.training(), samples, 0, samples.length);
        vectors.beforeStep();
        return backward();
    }

    @Override
    public Optional<Evaluation> evaluate() {
        double loss = 0;
        long right = 0;
        for (int first = 0; first < heldOut.length; first += EVALUATION_BATCH) {
            batch.fill(dataset.heldOut(), heldOut, first, Math.min(EVALUATION_BATCH, heldOut.length - first));
            try (NDManager pass = manager.newSubManager()) {
                NDArray labels = batch.labels(pass);
                NDArray scores = network.scores(batch.images(pass), vectors.evaluation());
                loss += (double) crossEntropy(scores, labels).getFloat() * batch.size();
                right += scores.argMax(1).eq(labels.reshape(-1)).countNonzero().getLong();
            }
        }
        return Optional.of(new Evaluation(loss / heldOut.length, (double) right / heldOut.length, heldOut.length));
    }

    @Override
    public void close() {
        manager.close();
    }

    private double backward() {
        try (NDManager pass = manager.newSubManager();
                GradientCollector collector = pytorch.newGradientCollector()) {
            NDArray scores = network.scores(batch.images(pass), vectors.training());
            NDArray loss = crossEntropy(scores, batch.labels(pass));
            collector.backward(loss);
            return loss.getFloat();
        }
    }

    private static NDArray crossEntropy(NDArray scores, NDArray labels) {
        return scores.logSoftmax(1).gather(labels, 1).mean().neg();
    }
}
