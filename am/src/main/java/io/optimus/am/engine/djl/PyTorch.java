package io.optimus.am.engine.djl;

import ai.djl.engine.Engine;

/** Loads PyTorch into this process. */
final class PyTorch {
    private PyTorch() {}

    /** Loads the native libraries; settings that the JVM's flags do not give become one thread and no network. */
    static Engine load() {
        NativeLibraries.problem().ifPresent(problem -> {
            throw new IllegalStateException(problem);
        });
        setUnlessSet("ai.djl.offline", "true");
        setUnlessSet("ai.djl.pytorch.num_threads", "1");
        setUnlessSet("ai.djl.pytorch.num_interop_threads", "1");
        return Engine.getEngine("PyTorch");
    }

    private static void setUnlessSet(String key, String value) {
        if (System.getProperty(key) == null) {
            System.setProperty(key, value);
        }
    }
}
