package io.optimus.hadooptests;

/** How one test ended. */
enum Outcome {
    PASSED,
    SKIPPED,
    FAILED,
    ERROR;

    boolean isRed() {
        return this == FAILED || this == ERROR;
    }
}
