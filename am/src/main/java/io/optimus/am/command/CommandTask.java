package io.optimus.am.command;

import io.optimus.am.engine.program.ProgramProcess;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.DaemonThreads;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.TaskEnvironment;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that runs the owner's command whenever the coordinator says so, with the environment that it sends. It reserves a
 * port for each run, since the others must know it before the command starts.
 */
final class CommandTask implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(CommandTask.class);
    /** Enough for a smooth loss curve; a command that prints thousands of lines a second costs five messages. */
    private static final long REPORT_MILLIS = 200;

    /** A shell's code for a command that does not exist. */
    private static final int NOT_FOUND = 127;
    /** A NodeManager waits 250 ms, by default, between SIGTERM and SIGKILL. */
    private static final Duration BEFORE_THE_KILL = Duration.ofMillis(150);

    private final Command command;
    private final TaskEnvironment environment;
    private final CoordinatorConnection coordinator;
    private final OutputStream output;
    private final ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.named("command"));
    private final List<ExecutorService> periodic = new CopyOnWriteArrayList<>();
    private @Nullable ServerSocket reserved;
    private @Nullable Run running;
    /** The last command, if it has ended by itself. */
    private @Nullable Ended endedByItself;
    /** The last membership whose command was told to end. */
    private @Nullable MembershipNumber ordered;
    /** Done when that command has had its time. */
    private CompletableFuture<Void> ending = CompletableFuture.completedFuture(null);
    /** Whether the last command has ended by itself, other than with exit code 0. */
    private boolean failed;

    private boolean outOfMemory;
    /** Why this task cannot run another command; null if it can. */
    private @Nullable String unable;

    /**
     * The owner's command.
     *
     * @param words what is run
     * @param variables its environment variables, which override those of the task and those that the coordinator sends
     * @param grace the time between SIGTERM and SIGKILL
     */
    record Command(List<String> words, Map<String, String> variables, Duration grace) {
        Command {
            words = List.copyOf(words);
            variables = Map.copyOf(variables);
        }
    }

    /** A command that was started; it may listen at {@code port}. */
    private record Run(Message.RunCommand order, int port, ProgramProcess process, ReportedLines lines) {
        MembershipNumber number() {
            return order.number();
        }
    }

    /** A command that has ended by itself, with what it had printed since its last report. */
    private record Ended(
            Message.CommandState.Started started, Message.CommandEnded how, Optional<Message.CommandReport> report) {}

    /** Whether this task cannot do its work; the coordinator was told why, and does without it. */
    synchronized boolean hasFailed() {
        return failed;
    }

    /** Whether that command was killed because memory ran out. */
    synchronized boolean ranOutOfMemory() {
        return outOfMemory;
    }

    /** Connects to the coordinator. */
    CommandTask(TaskEnvironment environment, Command command, OutputStream output) throws IOException {
        this.environment = environment;
        this.command = command;
        this.output = output;
        this.coordinator = CoordinatorConnection.connect(environment);
    }

    /**
     * Works until the end.
     *
     * @return why the coordinator told it to leave
     * @throws IOException when the coordinator is gone
     */
    String run() throws IOException {
        try (this) {
            Message.Welcome welcome = coordinator.receiveWelcome();
            periodic.add(DaemonThreads.every(
                    welcome.heartbeatMillis(), "heartbeat", () -> coordinator.send(Message.Alive.waiting(0))));
            periodic.add(DaemonThreads.every(REPORT_MILLIS, "reports", this::sendReport));
            sendReady();
            while (true) {
                ToTask message = coordinator.receive();
                if (message instanceof Message.Leave leave) {
                    return leave.reason();
                } else if (message instanceof Message.RunCommand run) {
                    start(run);
                } else if (message instanceof Message.EndCommand end) {
                    end(end.number());
                } else if (message instanceof Message.GivenUp givenUp) {
                    throw new IOException("The coordinator has given this task up: " + givenUp.reason());
                } else if (message instanceof Message.Welcome) {
                    // Of a coordinator that takes over.
                    sendState();
                }
            }
        }
    }

    private synchronized void sendState() {
        if (unable != null) {
            sendUnable(unable);
        } else if (running != null) {
            sendState(
                    running.port,
                    Optional.of(started(running, isToldToEnd(running))),
                    Optional.empty(),
                    running.lines.take(running.number()));
        } else {
            Optional<Ended> ended = Optional.ofNullable(endedByItself);
            sendState(
                    reserved == null ? 0 : reserved.getLocalPort(),
                    ended.map(Ended::started),
                    ended.map(Ended::how),
                    ended.flatMap(Ended::report));
        }
    }

    private void sendState(
            int port,
            Optional<Message.CommandState.Started> started,
            Optional<Message.CommandEnded> ended,
            Optional<Message.CommandReport> report) {
        coordinator.send(new Message.CommandState(environment.host(), port, started, ended, report));
    }

    private static Message.CommandState.Started started(Run run, boolean toldToEnd) {
        return new Message.CommandState.Started(run.number(), run.order.members(), toldToEnd, run.lines.step());
    }

    private synchronized boolean isToldToEnd(Run run) {
        return run.number().equals(ordered);
    }

    /** Reserves a port until the next command starts. */
    private synchronized void sendReady() throws IOException {
        ServerSocket socket = environment.ports().open(address -> {
            ServerSocket opened = new ServerSocket();
            try {
                // The command can listen there at once, although this socket was open before.
                opened.setReuseAddress(true);
                opened.bind(address);
                return opened;
            } catch (IOException e) {
                opened.close();
                throw e;
            }
        });
        reserved = socket;
        coordinator.send(new Message.CommandReady(environment.host(), socket.getLocalPort()));
    }

    private synchronized void start(Message.RunCommand order) throws IOException {
        ServerSocket port = reserved;
        if (running != null || port == null) {
            LOG.warn("command runs already, not run again membership={}", order.number());
            return;
        }
        int number = port.getLocalPort();
        port.close();
        reserved = null;
        endedByItself = null;
        Map<String, String> variables = new HashMap<>(order.variables());
        variables.putAll(command.variables);
        ReportedLines lines = new ReportedLines(output);
        try {
            ProgramProcess process = ProgramProcess.start(command.words, Path.of(""), variables, lines);
            Run run = new Run(order, number, process, lines);
            running = run;
            failed = false;
            threads.execute(() -> await(run));
        } catch (IOException e) {
            failed = true;
            Message.CommandEnded how =
                    new Message.CommandEnded(order.number(), NOT_FOUND, true, "cannot be started: " + e.getMessage());
            endedByItself = new Ended(
                    new Message.CommandState.Started(order.number(), order.members(), false, 0), how, Optional.empty());
            coordinator.send(how);
            sendReady();
        }
    }

    private synchronized void end(MembershipNumber number) {
        Run run = running;
        // A coordinator that takes over does not know whether the command had its order.
        if (run != null && run.number().equals(number) && !number.equals(ordered)) {
            LOG.info("ends the command membership={} graceSeconds={}", number, command.grace.toSeconds());
            CompletableFuture<Void> ended = order(run);
            threads.execute(() -> end(run, ended, command.grace));
        }
    }

    /** Tells the end of a command, when all processes that it had started have ended too. */
    private void await(Run run) {
        try {
            int code = run.process.awaitExit();
            boolean byItself = !isToldToEnd(run);
            // A shell may end before the processes that it has started, which save what they have.
            ending(run).join();
            run.process.end(Duration.ZERO);
            String last = run.process.lastLines();
            String how = run.process.exitInWords("roles.*.memoryMb");
            LOG.info("command ended membership={} exitCode={}", run.number(), code);
            synchronized (this) {
                sendReport();
                Message.CommandState.Started started = started(run, !byItself);
                running = null;
                failed = code != 0 && byItself;
                outOfMemory = failed && run.process.ranOutOfMemory();
                String what = last.isEmpty() ? how : how + "; the last lines of its output:\n" + last;
                if (outOfMemory) {
                    // Another command would have no more memory in this container.
                    sendUnable("its command " + what);
                    return;
                }
                Message.CommandEnded end = new Message.CommandEnded(run.number(), code, byItself, what);
                endedByItself = byItself ? new Ended(started, end, run.lines.take(run.number())) : null;
                coordinator.send(end);
                sendReady();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.error("cannot reserve a port for the next command", e);
            synchronized (this) {
                failed = true;
            }
            sendUnable("it cannot reserve a port for its next command: " + e.getMessage());
        }
    }

    private synchronized void sendUnable(String why) {
        unable = why;
        coordinator.send(new Message.Unable(why));
    }

    /** Done when a command that was told to end has had its time; done already if it was not told. */
    private synchronized CompletableFuture<Void> ending(Run run) {
        return isToldToEnd(run) ? ending : CompletableFuture.completedFuture(null);
    }

    /** Notes that a command is told to end; {@link #end(Run, CompletableFuture, Duration)} does it, without the lock. */
    private CompletableFuture<Void> order(Run run) {
        ordered = run.number();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        ending = ended;
        return ended;
    }

    private void end(Run run, CompletableFuture<Void> ended, Duration grace) {
        try {
            run.process.end(grace);
        } finally {
            ended.complete(null);
        }
    }

    /** Ends the command before YARN kills this process, whose container would leave processes that have groups of their own. */
    void endAtOnce() {
        Run run;
        CompletableFuture<Void> ended = new CompletableFuture<>();
        synchronized (this) {
            run = running;
            if (run != null) {
                ended = order(run);
            }
        }
        if (run != null) {
            end(run, ended, BEFORE_THE_KILL);
        }
    }

    private synchronized void sendReport() {
        Run run = running;
        // What is not sent now goes with the first report to the next coordinator.
        if (run != null && coordinator.isConnected()) {
            run.lines.take(run.number()).ifPresent(coordinator::send);
        }
    }

    /** Ends connections, threads and the command. A command that still runs is given its time. */
    @Override
    public void close() throws IOException {
        Run run;
        CompletableFuture<Void> ended = new CompletableFuture<>();
        synchronized (this) {
            run = running;
            if (run != null) {
                ended = order(run);
            }
            if (reserved != null) {
                reserved.close();
            }
        }
        periodic.forEach(ExecutorService::shutdownNow);
        if (run != null) {
            end(run, ended, command.grace);
        }
        coordinator.close();
        threads.shutdownNow();
    }
}
