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
    /** The number of pixels of an image. */
    public int features() {
        return height * width;
    }

    /**
     * Samples, one after the other. A pixel takes a byte, so that 70,000 images of 28 by 28 fit into 55 MB.
     *
     * @param pixels unsigned bytes, features() per sample, row-major
     * @param labels the class of each sample
     * @param brightest the pixel value that stands for 1.0, in [1, 255]
     */
    @SuppressWarnings("ArrayRecordComponent") // megabytes of pixels are shared, and never written after loading
    public record Samples(byte[] pixels, byte[] labels, int brightest) {
        /** Number of samples. */
        public int size() {
            return labels.length;
        }

        /** The class of {@code sample}. */
        public int label(int sample) {
            return labels[sample] & 0xff;
        }

        /** Writes the pixels of {@code sample}, scaled to [0, 1], into {@code into} from {@code offset} on. */
        public void read(int sample, float[] into, int offset) {
            int features = pixels.length / labels.length;
            float scale = 1f / brightest;
            int first = sample * features;
            for (int i = 0; i < features; i++) {
                into[offset + i] = (pixels[first + i] & 0xff) * scale;
            }
        }
    }
}
