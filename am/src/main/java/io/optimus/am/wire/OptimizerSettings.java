package io.optimus.am.wire;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** How a parameter server turns a gradient into an update. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = OptimizerSettings.Sgd.class, name = "sgd"),
    @JsonSubTypes.Type(value = OptimizerSettings.Adam.class, name = "adam")
})
public sealed interface OptimizerSettings {
    /**
     * Stochastic gradient descent with heavy-ball momentum: v ← momentum·v + g + weightDecay·x; x ← x − learningRate·v.
     *
     * @param learningRate above 0
     * @param momentum in [0, 1); 0: no state is kept
     * @param weightDecay 0 or more
     */
    record Sgd(double learningRate, double momentum, double weightDecay) implements OptimizerSettings {}

    /**
     * Adam (Kingma and Ba, ICLR 2015, algorithm 1) with weight decay added to the gradient.
     *
     * @param learningRate above 0
     * @param beta1 decay of the mean, in [0, 1)
     * @param beta2 decay of the uncentred variance, in [0, 1)
     * @param epsilon above 0
     * @param weightDecay 0 or more
     */
    record Adam(double learningRate, double beta1, double beta2, double epsilon, double weightDecay)
            implements OptimizerSettings {}
}
