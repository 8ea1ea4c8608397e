package io.optimus.am.engine.program;

import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.engine.program.ProgramConnection.MalformedException;
import io.optimus.am.engine.program.ProgramMessage.Failed;
import io.optimus.am.engine.program.ProgramMessage.Finished;
import io.optimus.am.engine.program.ProgramMessage.FromProgram;
import io.optimus.am.engine.program.ProgramMessage.Leave;
import io.optimus.am.engine.program.ProgramMessage.Report;
import io.optimus.am.engine.program.ProgramMessage.ToProgram;
import io.optimus.am.engine.program.ProgramMessage.Welcome;
import io.optimus.am.wire.DaemonThreads;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A running program of an owner: its process and the connection to it. Whatever ends it early becomes one diagnosis.
 *
 * <p>One thread sends and receives. A second one reads the connection, so that reports and the end are noticed at any
 * time; a third one waits for the process, since a process that it started may keep the connection open.
 */
final class Program implements Closeable {
    private static final String SOCKET = "OPTIMUS_PROGRAM_SOCKET";

    /** How long the reader has for the last message of a process that has ended; it is in the socket already. */
    private static final long LAST_MESSAGE_MILLIS = 500;

    private final ProgramProcess process;
    private final ProgramConnection connection;
    private final Limits limits;
    private final Consumer<Report> reports;
    /** The program's answers; empty: it has ended. */
    private final BlockingQueue<Optional<FromProgram>> answers = new LinkedBlockingQueue<>();

    private final CompletableFuture<ProgramFailedException> failure = new CompletableFuture<>();
    private volatile boolean finished;
    private volatile boolean closing;

    /**
     * Where a program runs.
     *
     * @param folder its working folder; empty: the worker's
     * @param packages where Python finds the package optimus_yarn
     * @param output receives what it prints
     */
    record Place(Path folder, String packages, OutputStream output) {}

    /**
     * How long a program may take.
     *
     * @param connect until it connects, which it does before it reads the owner's script
     * @param ready until it asks for its first batch
     * @param exit between the end of its connection and its own
     * @param leave after it was told to leave, and after SIGTERM
     * @param finish after its loop, for what it does with the trained model
     * @param step for one step, with what it does between two steps of an epoch
     * @param betweenEpochs for what it does between two epochs, and for its first step
     */
    record Limits(
            Duration connect,
            Duration ready,
            Duration exit,
            Duration leave,
            Duration finish,
            Duration step,
            Duration betweenEpochs) {
        /**
         * Python may be started from a slow network disk, and programs may read their data sets before their first
         * batch. After {@code leave} and SIGTERM a worker still ends within YARN's own limits.
         */
        static final Limits DEFAULT = new Limits(
                Duration.ofMinutes(10),
                Duration.ofMinutes(30),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofMinutes(10),
                Duration.ofMinutes(5),
                Duration.ofMinutes(30));

        /** The coordinator gives a hung worker up after the job's time limits. The worker says why before that. */
        private static final Duration LONGEST_LEAD = Duration.ofSeconds(10);

        /** The same with the time limits of a job. */
        Limits with(StepLimits job) {
            return new Limits(connect, ready, exit, leave, finish, withLead(job.step()), withLead(job.betweenEpochs()));
        }

        private static Duration withLead(Duration limit) {
            Duration tenth = limit.dividedBy(10);
            return limit.minus(tenth.compareTo(LONGEST_LEAD) < 0 ? tenth : LONGEST_LEAD);
        }
    }

    private Program(ProgramProcess process, ProgramConnection connection, Limits limits, Consumer<Report> reports) {
        this.process = process;
        this.connection = connection;
        this.limits = limits;
        this.reports = reports;
    }

    /**
     * Starts a program, which is connected when this returns.
     *
     * @param reports receives its reports, on another thread
     * @throws ProgramFailedException if it does not connect
     */
    static Program start(ProgramSpec spec, Place place, Limits limits, Welcome welcome, Consumer<Report> reports) {
        String name = "program-" + welcome.task() + ".sock";
        try (ProgramSocket socket = new ProgramSocket(place.folder().resolve(name))) {
            ProgramProcess process =
                    ProgramProcess.start(spec, place.folder(), place.packages(), Map.of(SOCKET, name), place.output());
            ProgramConnection connection =
                    socket.accept(process.process(), limits.connect()).orElseThrow(() -> notConnected(process, limits));
            Program program = new Program(process, connection, limits, reports);
            program.connection.send(welcome);
            DaemonThreads.named("program").newThread(program::read).start();
            DaemonThreads.named("program-exit").newThread(program::awaitExit).start();
            return program;
        } catch (IOException e) {
            throw new ProgramFailedException(
                    "The worker cannot listen for the program in '" + place.folder() + "': " + e.getMessage());
        }
    }

    private static ProgramFailedException notConnected(ProgramProcess process, Limits limits) {
        String what = process.process().isAlive()
                ? "did not connect to its worker within " + limits.connect().toSeconds()
                        + " s: its Python may hang, or be no Python"
                : process.exitInWords() + ", before it connected to its worker";
        process.end(limits.exit());
        return diagnosis("The program " + what, process);
    }

    private static ProgramFailedException diagnosis(String problem, ProgramProcess process) {
        String lines = process.lastLines();
        return new ProgramFailedException(
                problem
                        + (problem.endsWith(".") ? "" : ".")
                        + (lines.isEmpty() ? " It printed nothing." : " Its last output:\n" + lines),
                process.ranOutOfMemory());
    }

    void send(ToProgram message) {
        connection.send(message);
    }

    /**
     * Returns the program's next message that is more than news for {@code watch}. Its time limit begins anew with each
     * such news.
     *
     * @param watch knows what the program does
     * @param to what it answers
     * @throws ProgramFailedException when the program has ended, or does not answer in time
     */
    FromProgram receive(ProgramWatch watch, String to) {
        while (true) {
            Optional<Duration> limit = watch.limit();
            FromProgram next = limit.isPresent() ? receiveWithin(limit.get(), watch.problem(to)) : receiveNext();
            if (!watch.takes(next)) {
                return next;
            }
        }
    }

    private FromProgram receiveNext() {
        try {
            return answer(answers.take());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("The worker was interrupted while its program computed", cause);
    }

    /**
     * Returns the program's first answer.
     *
     * @throws ProgramFailedException when the program has ended, or does not answer in time
     */
    FromProgram receiveFirst() {
        return receiveWithin(
                limits.ready(),
                "The program did not ask for its first batch within "
                        + limits.ready().toSeconds()
                        + " s: it must call job.prepare and loop over job.epochs and its loader");
    }

    private FromProgram receiveWithin(Duration limit, String problem) {
        try {
            Optional<FromProgram> answer = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (answer == null) {
                throw refuse(problem);
            }
            return answer(answer);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private FromProgram answer(Optional<FromProgram> answer) {
        return answer.orElseThrow(() -> {
            answers.add(answer);
            return failure.getNow(new ProgramFailedException("The program has ended"));
        });
    }

    /** Ends a program that does something wrong. Returns the diagnosis. */
    ProgramFailedException refuse(String problem) {
        end(problem);
        return failure.getNow(new ProgramFailedException(problem));
    }

    /** Sets the receiver of an early end, which is called once, by any thread. */
    void failTo(Consumer<RuntimeException> receiver) {
        var unused = failure.thenAccept(receiver);
    }

    /** Lets the program do what follows its loop, for a while. Returns what went wrong, if anything did. */
    Optional<String> awaitEnd() {
        if (!process.endsWithin(limits.finish())) {
            process.end(limits.leave());
            return Optional.of("The program still ran " + limits.finish().toSeconds()
                    + " s after its loop over the epochs and was ended, so its files may be incomplete: do what takes"
                    + " long within the last epoch, or in a program of its own");
        } else if (process.exitCode() != 0) {
            String problem = "After its loop over the epochs, the program " + process.exitInWords();
            return Optional.of(diagnosis(problem, process).toString());
        }
        return Optional.empty();
    }

    private void read() {
        try {
            while (true) {
                FromProgram message = connection.receive();
                if (message instanceof Report report) {
                    reports.accept(report);
                } else if (message instanceof Failed failed) {
                    String place = failed.where().isEmpty() ? "" : " at " + failed.where();
                    process.endsWithin(limits.exit());
                    end("The program failed" + place + ": " + failed.reason());
                    return;
                } else {
                    finished |= message instanceof Finished;
                    answers.add(Optional.of(message));
                }
            }
        } catch (MalformedException e) {
            end(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            connectionEnded();
        }
    }

    private void awaitExit() {
        try {
            process.process().waitFor();
            Thread.sleep(LAST_MESSAGE_MILLIS);
            connection.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void connectionEnded() {
        if (finished || closing) {
            end("The program has ended");
        } else if (!process.endsWithin(limits.exit())) {
            end("The program closed its connection to the worker and went on");
        } else if (process.exitCode() == 0) {
            end("The program " + process.exitInWords()
                    + ": let its loops over job.epochs and the loader run to their ends");
        } else {
            end("The program " + process.exitInWords());
        }
    }

    /** The program has ended, or must end because of {@code problem}; this is a failure unless it was told to end. */
    private synchronized void end(String problem) {
        if (!finished && !closing && !failure.isDone()) {
            process.end(limits.leave());
            connection.close();
            failure.complete(diagnosis(problem, process));
        }
        answers.add(Optional.empty());
    }

    /** Ends the program: when it has finished, it may end by itself; otherwise it is told to leave. */
    @Override
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        if (!finished) {
            connection.send(new Leave("this worker is not needed any more"));
        }
        process.endsWithin(finished ? limits.finish() : limits.leave());
        process.end(limits.leave());
        connection.close();
    }
}
