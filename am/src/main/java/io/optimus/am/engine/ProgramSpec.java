package io.optimus.am.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An owner's own program that computes gradients, in a process beside the worker.
 *
 * @param python the interpreter: a command on the path, an absolute path, or a path in the container's working folder
 * @param main what it runs
 * @param arguments the program's own arguments
 * @param environment environment variables of the program, besides those of the worker
 */
public record ProgramSpec(String python, Main main, List<String> arguments, SortedMap<String, String> environment) {
    /** Our package, which runs the owner's program and connects it with the worker. */
    private static final String PACKAGE = "optimus_yarn";

    /**
     * What the interpreter runs.
     *
     * @param name a script in the container's working folder, or a module that Python can import
     * @param module whether it is a module
     */
    public record Main(String name, boolean module) {}

    public ProgramSpec {
        arguments = List.copyOf(arguments);
        environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
    }

    /** The same program with {@code more} variables; those that it has already keep their values. */
    public ProgramSpec withVariables(Map<String, String> more) {
        SortedMap<String, String> all = new TreeMap<>(more);
        all.putAll(environment);
        return new ProgramSpec(python, main, arguments, all);
    }

    /** The words of the command, for example {@code python3 -m optimus_yarn train.py --depth 3}. */
    public List<String> command() {
        List<String> words = new ArrayList<>(List.of(python, "-m", PACKAGE));
        if (main.module()) {
            words.add("-m");
        }
        words.add(main.name());
        words.addAll(arguments);
        return List.copyOf(words);
    }
}
