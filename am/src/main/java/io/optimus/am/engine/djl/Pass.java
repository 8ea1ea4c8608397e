package io.optimus.am.engine.djl;

import ai.djl.ndarray.NDArray;
import java.util.Map;

/** A network's tensors as one kind of pass sees them. */
record Pass(Map<String, NDArray> tensors, boolean training) {
    NDArray tensor(String name) {
        NDArray tensor = tensors.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException("The network declares no tensor " + name);
        }
        return tensor;
    }
}
