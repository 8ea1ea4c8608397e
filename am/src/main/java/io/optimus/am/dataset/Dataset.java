package io.optimus.am.dataset;

/**
 * Labelled images in memory, split into training and held-out samples.
 *
 * @param training samples to train on
 * @param heldOut samples to evaluate on
 * @param height of an image, pixels
 * @param width of an image, pixels
 * @param classes number of classes; labels are in [0, classes)
 */
public record Dataset(Samples training, Samples heldOut, int height, int width, int classes) {
    /** Values of an image. */
    public int features() {
        return height * width;
    }

    /**
     * Samples, one after the other.
     *
     * @param values pixel values in [0, 1], features() floats per sample, row-major
     * @param labels one class a sample
     */
    @SuppressWarnings("ArrayRecordComponent") // megabytes of pixels: shared, never copied, never written after loading
    public record Samples(float[] values, int[] labels) {
        /** Number of samples. */
        public int size() {
            return labels.length;
        }
    }
}
