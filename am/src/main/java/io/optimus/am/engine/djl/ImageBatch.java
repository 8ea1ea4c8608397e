package io.optimus.am.engine.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import io.optimus.am.dataset.Dataset;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The samples of one pass, in direct memory that the next pass uses again. */
final class ImageBatch {
    private final Dataset dataset;
    private final float[] image;
    private ByteBuffer images = direct(0);
    private ByteBuffer labels = direct(0);
    private int size;

    ImageBatch(Dataset dataset) {
        this.dataset = dataset;
        this.image = new float[dataset.features()];
    }

    /** Copies {@code count} samples of {@code from}, whose indices start at position {@code first} of {@code samples}. */
    void fill(Dataset.Samples from, int[] samples, int first, int count) {
        size = count;
        if (labels.capacity() < count * Long.BYTES) {
            images = direct(count * image.length * Float.BYTES);
            labels = direct(count * Long.BYTES);
        }
        for (int i = 0; i < count; i++) {
            int sample = samples[first + i];
            from.read(sample, image, 0);
            images.asFloatBuffer().put(i * image.length, image);
            labels.putLong(i * Long.BYTES, from.label(sample));
        }
    }

    int size() {
        return size;
    }

    NDArray images(NDManager manager) {
        Shape shape = new Shape(size, 1, dataset.height(), dataset.width());
        return manager.create(head(images, size * image.length * Float.BYTES), shape, DataType.FLOAT32);
    }

    NDArray labels(NDManager manager) {
        return manager.create(head(labels, size * Long.BYTES), new Shape(size, 1), DataType.INT64);
    }

    private static ByteBuffer head(ByteBuffer buffer, int bytes) {
        return buffer.slice(0, bytes).order(ByteOrder.nativeOrder());
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }
}
