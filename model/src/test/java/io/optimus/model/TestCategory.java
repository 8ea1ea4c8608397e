package io.optimus.model;

/** Tests that {@code mvn test} leaves out, and {@code mvn verify} runs. */
public final class TestCategory {
    private TestCategory() {}

    /** The test takes seconds, most often because it tries hundreds of seeds. */
    public interface Slow {}

    /** The test holds the model against measurements that are not part of this repository. */
    public interface ReferenceData {}
}
