package io.optimus.am.engine.plain;

import io.optimus.am.dataset.Dataset;

/**
 * Softmax and cross entropy of a batch. The loss of scores z with the correct class y is log Σ exp(z) − z_y. Its derivative
 * by z is softmax(z), minus 1 at y. Both are means over the batch.
 *
 * @param loss mean over the batch
 * @param right number of samples whose largest score is at the correct class
 */
record CrossEntropy(double loss, int right) {
    /** Computes the loss of the values of {@code scores}, and writes its deltas. */
    static CrossEntropy of(DenseLayer scores, Dataset.Samples from, int[] samples, int batch) {
        double loss = 0;
        int right = 0;
        for (int i = 0; i < batch; i++) {
            int label = from.label(samples[i]);
            int row = i * scores.outputs();
            int best = largest(scores.values(), row, scores.outputs());
            loss += sample(scores, row, row + label, best, 1f / batch);
            right += best == row + label ? 1 : 0;
        }
        return new CrossEntropy(loss / batch, right);
    }

    private static double sample(DenseLayer scores, int row, int label, int best, float share) {
        float[] z = scores.values();
        float[] deltas = scores.deltas();
        double sum = 0;
        for (int j = row; j < row + scores.outputs(); j++) {
            double exponential = Math.exp(z[j] - z[best]);
            deltas[j] = (float) exponential;
            sum += exponential;
        }
        float scale = (float) (share / sum);
        for (int j = row; j < row + scores.outputs(); j++) {
            deltas[j] *= scale;
        }
        deltas[label] -= share;
        return Math.log(sum) - (z[label] - z[best]);
    }

    private static int largest(float[] values, int first, int count) {
        int best = first;
        for (int j = first + 1; j < first + count; j++) {
            best = values[j] > values[best] ? j : best;
        }
        return best;
    }
}
