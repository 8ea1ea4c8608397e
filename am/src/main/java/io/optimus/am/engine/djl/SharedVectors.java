package io.optimus.am.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import io.optimus.am.engine.HeInitialisation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The flat parameter and gradient vectors, in direct memory that PyTorch's tensors use too, so that nothing is copied between
 * them.
 *
 * <p>Three sets of arrays use the vectors:
 *
 * <table>
 * <caption>the vector that holds an array's floats</caption>
 * <tr><th></th><th>in a training pass</th><th>its derivative</th><th>in an evaluation</th></tr>
 * <tr><td>trained tensor</td><td>parameters</td><td>gradient</td><td>parameters</td></tr>
 * <tr><td>statistic</td><td>gradient: PyTorch writes the new value there</td><td></td><td>parameters</td></tr>
 * </table>
 */
final class SharedVectors {
    private final List<Tensor> tensors;
    private final ByteBuffer parameters;
    private final ByteBuffer gradient;
    private final Map<String, NDArray> training = new HashMap<>();
    private final Map<String, NDArray> evaluation = new HashMap<>();

    SharedVectors(List<Tensor> tensors, NDManager manager) {
        this.tensors = List.copyOf(tensors);
        int bytes = tensors.stream().mapToInt(Tensor::floats).sum() * Float.BYTES;
        parameters = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        gradient = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        for (Range at : ranges()) {
            Tensor tensor = at.tensor;
            evaluation.put(tensor.name(), manager.create(at.of(parameters), tensor.shape(), DataType.FLOAT32));
            ByteBuffer home = tensor.trainable() ? parameters : gradient;
            NDArray trained = manager.create(at.of(home), tensor.shape(), DataType.FLOAT32);
            trained.setRequiresGradient(tensor.trainable());
            training.put(tensor.name(), trained);
        }
    }

    ByteBuffer parameters() {
        return parameters;
    }

    ByteBuffer gradient() {
        return gradient;
    }

    Pass training() {
        return new Pass(training, true);
    }

    Pass evaluation() {
        return new Pass(evaluation, false);
    }

    void initialise(HeInitialisation initialisation) {
        for (Range at : ranges()) {
            at.tensor.initialise(at.of(parameters).asFloatBuffer(), initialisation);
        }
    }

    /**
     * Makes PyTorch keep its derivatives in the gradient vector from now on. After the first backward pass they exist in
     * PyTorch's own memory; later passes add to them in place.
     */
    void adoptGradients() {
        for (Range at : ranges()) {
            if (at.tensor.trainable()) {
                try (NDArray derivative = array(at).getGradient()) {
                    derivative.set(at.of(gradient));
                }
            }
        }
    }

    /** Sets the derivatives to 0, because PyTorch adds to them, and copies the statistics that a training pass updates. */
    void beforeStep() {
        for (int i = 0; i < gradient.capacity(); i += Float.BYTES) {
            gradient.putFloat(i, 0f);
        }
        for (Range at : ranges()) {
            if (!at.tensor.trainable()) {
                at.of(gradient).put(at.of(parameters));
            }
        }
    }

    private NDArray array(Range at) {
        return training().tensor(at.tensor.name());
    }

    private List<Range> ranges() {
        List<Range> ranges = new ArrayList<>(tensors.size());
        int offset = 0;
        for (Tensor tensor : tensors) {
            ranges.add(new Range(tensor, offset));
            offset += tensor.floats() * Float.BYTES;
        }
        return ranges;
    }

    /** The range of a tensor, in bytes from the start of each vector. */
    private record Range(Tensor tensor, int offset) {
        ByteBuffer of(ByteBuffer vector) {
            return vector.slice(offset, tensor.floats() * Float.BYTES).order(ByteOrder.nativeOrder());
        }
    }
}
