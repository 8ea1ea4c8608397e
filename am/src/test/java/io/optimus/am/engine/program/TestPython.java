package io.optimus.am.engine.program;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The Python of tests: that of the property or variable OPTIMUS_TEST_PYTHON, else {@code python3}. */
public final class TestPython {
    /** A command or a path. */
    public static final String NAME = name();

    private static final Map<String, Boolean> FOUND = new ConcurrentHashMap<>();

    private TestPython() {}

    private static String name() {
        String given = System.getProperty("OPTIMUS_TEST_PYTHON", System.getenv("OPTIMUS_TEST_PYTHON"));
        return given == null ? "python3" : given;
    }

    /** Whether it can import {@code module}. */
    public static boolean has(String module) {
        return runs("import " + module);
    }

    /** Whether {@code program} runs on it to its end. */
    public static boolean runs(String program) {
        return FOUND.computeIfAbsent(program, TestPython::succeeds);
    }

    private static boolean succeeds(String program) {
        try {
            return new ProcessBuilder(NAME, "-c", program)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
