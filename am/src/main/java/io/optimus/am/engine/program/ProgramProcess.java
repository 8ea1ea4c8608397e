package io.optimus.am.engine.program;

import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.TaskEnvironment;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of an owner's program and the processes that it has started.
 *
 * <p>All inherit a variable with a value of their own, by which those are found whose parent has ended.
 */
public final class ProgramProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ProgramProcess.class);
    private static final String MARK = "OPTIMUS_PROGRAM";
    private static final String PYTHON_PATH = "PYTHONPATH";
    /** How long the output of an ended process may take to arrive. */
    private static final long OUTPUT_MILLIS = 1_000;

    /** A shell, and Java, report the end by signal n as exit code 128 + n. */
    private static final int SIGNALLED = 128;

    private static final int LAST_SIGNAL = 64;
    private static final int KILLED = SIGNALLED + 9;

    /** The package ends the program so when the connection ends; the worker that reads this is there. */
    private static final int CONNECTION_LOST = 129;

    private final Process process;
    /** Whether it ended by itself because memory ran out; known when it has ended. */
    private final CompletableFuture<Boolean> outOfMemory;

    private final String mark;
    private final LastLines lastLines = new LastLines();
    private final Thread copying;
    private volatile boolean toldToEnd;

    private ProgramProcess(Process process, OutOfMemoryKills kills, String mark, OutputStream output) {
        this.process = process;
        this.outOfMemory = process.onExit().thenApply(ended -> isOutOfMemory(ended.exitValue(), kills));
        this.mark = MARK + "=" + mark;
        this.copying = DaemonThreads.named("program-output").newThread(() -> copy(process.getInputStream(), output));
        copying.start();
    }

    /**
     * Starts the program.
     *
     * @param folder the program's working folder
     * @param packages where Python finds the package optimus_yarn
     * @param variables further environment variables
     * @param output receives what the program prints
     */
    static ProgramProcess start(
            ProgramSpec program, Path folder, String packages, Map<String, String> variables, OutputStream output) {
        Map<String, String> changes = new HashMap<>();
        // A program that crashes in native code prints where it was.
        changes.put("PYTHONFAULTHANDLER", "1");
        changes.putAll(program.environment());
        String others = changes.getOrDefault(PYTHON_PATH, System.getenv(PYTHON_PATH));
        changes.put(PYTHON_PATH, others == null ? packages : packages + File.pathSeparator + others);
        changes.putAll(variables);
        try {
            return start(program.command(), folder, changes, output);
        } catch (IOException e) {
            throw new ProgramFailedException("The program's Python '" + program.python() + "' cannot be started: "
                    + e.getMessage() + ". Name one in program.python that exists on every node, or inside an archive");
        }
    }

    /**
     * Starts a command.
     *
     * @param words the command
     * @param folder its working folder
     * @param variables environment variables, besides those of this process without the job's secret
     * @param output receives what it prints
     * @throws IOException if there is no such command
     */
    public static ProgramProcess start(
            List<String> words, Path folder, Map<String, String> variables, OutputStream output) throws IOException {
        return start(words, folder, variables, output, OutOfMemoryKills.fromNow());
    }

    /** The same with another count of kills. */
    static ProgramProcess start(
            List<String> words, Path folder, Map<String, String> variables, OutputStream output, OutOfMemoryKills kills)
            throws IOException {
        String mark = UUID.randomUUID().toString();
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.directory(folder.toAbsolutePath().toFile());
        Map<String, String> environment = builder.environment();
        environment.remove(TaskEnvironment.SECRET);
        // The worker's own: Hadoop's native client takes its jars from this variable if it is set.
        environment.remove("CLASSPATH");
        environment.putAll(variables);
        environment.put(MARK, mark);
        Process process = builder.start();
        process.getOutputStream().close();
        LOG.info("started program pid={} command={}", process.pid(), words);
        return new ProgramProcess(process, kills, mark, output);
    }

    /** Waits for the end of the process, and returns its exit code. */
    public int awaitExit() throws InterruptedException {
        return process.waitFor();
    }

    Process process() {
        return process;
    }

    /** Whether the process has ended within {@code limit}. */
    boolean endsWithin(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }

    /** The exit code of the process, which must have ended. */
    int exitCode() {
        return process.exitValue();
    }

    /** How the process has ended, as the predicate of a sentence. */
    String exitInWords() {
        int code = process.exitValue();
        return switch (code) {
            case 0 -> "ended before the job did, with exit code 0";
            case 126 -> "could not be started (exit code 126): program.python must name an executable file";
            case 127 -> "could not be started (exit code 127): program.python or a library was not found";
            case CONNECTION_LOST -> "lost its connection to the worker: perhaps it closes files that it did not open";
            default -> exitInWords("roles.worker.memoryMb");
        };
    }

    /**
     * If the container has a control group, any failure beside a kill in it counts: a shell fails because its child was killed.
     * Otherwise the process itself must have been killed.
     */
    private boolean isOutOfMemory(int code, OutOfMemoryKills kills) {
        return !toldToEnd && code != 0 && (code == KILLED || kills.areOfContainer()) && kills.any();
    }

    /** Whether it has ended by itself, because Linux killed it or what it had started, for lack of memory. */
    public boolean ranOutOfMemory() {
        return !process.isAlive() && outOfMemory.join();
    }

    /**
     * How the process has ended, as the predicate of a sentence.
     *
     * @param memoryKey the key of the job file that gives it more memory
     */
    public String exitInWords(String memoryKey) {
        int code = process.exitValue();
        if (ranOutOfMemory()) {
            return "was killed by Linux, because the memory of its container or of its node ran out; raise "
                    + memoryKey;
        }
        return code > SIGNALLED && code <= SIGNALLED + LAST_SIGNAL
                ? "was ended by " + signal(code - SIGNALLED, memoryKey)
                : "ended with exit code " + code;
    }

    private static String signal(int number, String memoryKey) {
        return switch (number) {
            case 4 -> "SIGILL: a library was built for another processor";
            case 6 -> "SIGABRT: a native library gave up";
            case 7 -> "SIGBUS: perhaps a disk or /dev/shm is full";
            case 9 -> "SIGKILL: perhaps it ran out of memory; raise " + memoryKey;
            case 11 -> "SIGSEGV: a native library crashed";
            case 15 -> "SIGTERM: another process told it to end";
            default -> "signal " + number;
        };
    }

    /** The last lines of its output; empty if there are none. Waits shortly for those of an ended process. */
    public String lastLines() {
        try {
            copying.join(OUTPUT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return lastLines.toString();
    }

    /** Ends the process and all that it has started: with SIGTERM, and after {@code grace} with SIGKILL. */
    public void end(Duration grace) {
        toldToEnd |= process.isAlive();
        Set<ProcessHandle> tree = alive();
        tree.forEach(ProcessHandle::destroy);
        try {
            CompletableFuture.allOf(tree.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
                    .get(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.debug("processes of the program remain after {} s", grace.toSeconds());
        } catch (ExecutionException e) {
            throw new IllegalStateException("The ends of the program's processes cannot be awaited", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        tree.addAll(alive());
        tree.forEach(ProcessHandle::destroyForcibly);
    }

    private Set<ProcessHandle> alive() {
        Set<ProcessHandle> tree = new LinkedHashSet<>();
        if (process.isAlive()) {
            tree.add(process.toHandle());
        }
        process.descendants().forEach(tree::add);
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            all.filter(this::isMarked).forEach(tree::add);
        }
        return tree;
    }

    private boolean isMarked(ProcessHandle other) {
        try {
            byte[] environment = Files.readAllBytes(Path.of("/proc/" + other.pid() + "/environ"));
            return new String(environment, StandardCharsets.ISO_8859_1).contains(mark);
        } catch (IOException e) {
            // It has ended, or it is another user's.
            return false;
        }
    }

    private void copy(InputStream from, OutputStream to) {
        byte[] chunk = new byte[8192];
        boolean copies = true;
        try (from) {
            int count = from.read(chunk);
            while (count >= 0) {
                lastLines.add(chunk, count);
                copies = copies && write(chunk, count, to);
                count = from.read(chunk);
            }
        } catch (IOException e) {
            LOG.debug("output ended cause={}", e.toString());
        }
    }

    /** Returns false if the output cannot be written any more; the program's must be read all the same. */
    private static boolean write(byte[] chunk, int count, OutputStream to) {
        try {
            to.write(chunk, 0, count);
            to.flush();
            return true;
        } catch (IOException e) {
            LOG.warn("The program's output is lost from now on: {}", e.toString());
            return false;
        }
    }
}
