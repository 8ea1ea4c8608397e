package io.optimus.am.engine.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.Assume.assumeTrue;

import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.engine.StepPart;
import io.optimus.model.TrainingMode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Programs that go wrong, with the real package: each ends in a diagnosis that names the place or the remedy. */
@RunWith(Parameterized.class)
public final class WrongProgramsTest {
    private static final Path PACKAGE = Path.of("..", "python").toAbsolutePath().normalize();
    private static final int STEPS = 3;

    private static final Program.Limits LIMITS = new Program.Limits(
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60));
    private static final Program.Limits HASTY = new Program.Limits(
            Duration.ofSeconds(60),
            Duration.ofSeconds(4),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            Duration.ofSeconds(2));

    private static final String NUMPY =
            """
            import ctypes, os, shutil, subprocess, sys, threading, time
            import numpy
            import optimus_yarn as optimus
            job = optimus.init()
            job.declare(parameters=[("w", 4)], samples=40, batch=10, epochs=5,
                        optimizer={"kind": "sgd", "learningRate": 0.1})
            # BEFORE
            for samples in job.steps():
                job.gradient[:] = 0
                # STEP
                job.update(1.0)
            # AFTER
            """;

    private static final String TORCH =
            """
            import torch
            import optimus_yarn as optimus
            job = optimus.init()
            data = torch.utils.data.TensorDataset(torch.ones(40, 4), torch.ones(40, 2))
            model = torch.nn.Linear(4, 2)
            opt = torch.optim.SGD(model.parameters(), lr=0.1)
            # BEFORE
            model, opt, loader = job.prepare(model, opt, torch.utils.data.DataLoader(data, batch_size=10))
            for epoch in job.epochs(5):
                for x, y in loader:
                    # STEP
                    job.backward(torch.nn.functional.mse_loss(model(x), y))
                    opt.step()
                    opt.zero_grad()
            """;

    /**
     * A wrong program.
     *
     * @param program its text, in which {@code lines} take the place of the comment {@code at}
     * @param diagnosis what the diagnosis holds; empty: the program does no harm
     */
    record Wrong(String name, String program, String at, String lines, Program.Limits limits, List<String> diagnosis) {
        String text() {
            String comment = program.lines()
                    .filter(line -> line.strip().equals("# " + at))
                    .findFirst()
                    .orElseThrow();
            String indent = comment.substring(0, comment.indexOf('#'));
            return program.replace(
                    comment, lines.strip().indent(indent.length()).stripTrailing());
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Wrong numpy(String name, String at, String lines, String... diagnosis) {
        return new Wrong(name, NUMPY, at, lines, LIMITS, List.of(diagnosis));
    }

    private static Wrong torch(String name, String at, String lines, String... diagnosis) {
        return new Wrong(name, TORCH, at, lines, LIMITS, List.of(diagnosis));
    }

    private static Wrong slow(String name, String at, String lines, String... diagnosis) {
        return new Wrong(name, NUMPY, at, lines, HASTY, List.of(diagnosis));
    }

    @Parameters(name = "{0}")
    public static List<Wrong> programs() {
        return List.of(
                numpy("a syntax error", "BEFORE", "rate = = 1", "train.py:7", "SyntaxError"),
                numpy(
                        "a missing module",
                        "BEFORE",
                        "import resnets",
                        "train.py:7",
                        "No module named 'resnets'",
                        "Send the module with `files`"),
                numpy(
                        "a missing file",
                        "BEFORE",
                        "open('images.npz')",
                        "train.py:7",
                        "No such file or directory: 'images.npz'"),
                numpy(
                        "wrong shapes",
                        "STEP",
                        "numpy.ones((len(samples), 3)) @ job.parameters",
                        "train.py:10",
                        "ValueError: matmul"),
                torch(
                        "wrong shapes of tensors",
                        "STEP",
                        "model(x[:, :3])",
                        "train.py:11",
                        "shapes cannot be multiplied"),
                numpy(
                        "a gradient of another size",
                        "STEP",
                        "job.gradient[:] = numpy.zeros(5)",
                        "train.py:10",
                        "could not broadcast"),
                numpy(
                        "a child that stays",
                        "STEP",
                        """
                        if os.fork() == 0:
                            time.sleep(600)
                        raise RuntimeError("the parent fails")
                        """,
                        "train.py:12",
                        "RuntimeError: the parent fails"),
                numpy(
                        "a child that goes on with the loop",
                        "STEP",
                        """
                        if job.step == 1:
                            os.fork()
                        """),
                numpy(
                        "no memory left",
                        "STEP",
                        """
                        import resource
                        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
                        numpy.ones(1 << 30)
                        """,
                        "train.py:12",
                        "MemoryError",
                        "Raise roles.worker.memoryMb"),
                numpy(
                        "killed for its memory",
                        "STEP",
                        "os.kill(os.getpid(), 9)",
                        "was ended by SIGKILL",
                        "raise roles.worker.memoryMb"),
                numpy("sys.exit in a thread", "STEP", "threading.Thread(target=sys.exit, args=(3,)).start()"),
                numpy(
                        "os._exit in a thread",
                        "STEP",
                        """
                        print("the monitor gives up")
                        threading.Thread(target=os._exit, args=(3,)).start()
                        time.sleep(60)
                        """,
                        "ended with exit code 3",
                        "the monitor gives up"),
                slow(
                        "an endless loop before the first step",
                        "BEFORE",
                        """
                        def find_best_size():
                            while True: pass
                        find_best_size()
                        """,
                        "did not ask for its first batch within 4 s",
                        "line 8 in find_best_size"),
                slow(
                        "an endless loop in a step",
                        "STEP",
                        "while job.step == 1: pass",
                        "did not answer step 1 within 1 s",
                        "stepTimeoutSeconds",
                        "line 10 in <module>"),
                slow(
                        "a lock that nobody releases",
                        "STEP",
                        """
                        lock = threading.Lock()
                        lock.acquire()
                        lock.acquire()
                        """,
                        "did not answer step 0",
                        "line 12 in <module>"),
                numpy(
                        "another process writes to the output",
                        "STEP",
                        "subprocess.run(['head', '-c', '1000', '/dev/urandom'])"),
                numpy(
                        "something writes to the connection",
                        "STEP",
                        """
                        import socket
                        for descriptor in range(3, 64):
                            try:
                                socket.socket(fileno=os.dup(descriptor)).send(b"hello\\n")
                            except OSError:
                                pass
                        """,
                        "sent 'hello'",
                        "not a message"),
                numpy("closes all files", "STEP", "os.closerange(3, 256)", "closes files that it did not open"),
                numpy(
                        "prints a gigabyte",
                        "STEP",
                        """
                        for i in range(1024 if job.step == 0 else 0):
                            os.write(1, b"x" * (1 << 20))
                        """),
                numpy("reads the keyboard", "BEFORE", "input('batch size? ')", "train.py:7", "EOFError"),
                numpy("ends the loop early", "STEP", "break", "train.py", "ended before training was over"),
                numpy("sys.exit(0) in a step", "STEP", "sys.exit(0)", "ended before training was over"),
                numpy(
                        "sys.exit with a text",
                        "STEP",
                        "sys.exit('no GPU')",
                        "train.py:10",
                        "The program called sys.exit('no GPU')"),
                numpy("os._exit(0) in a step", "STEP", "os._exit(0)", "exit code 0", "run to their ends"),
                numpy("an error after the last step", "AFTER", "raise ValueError('no room for the model')"),
                torch(
                        "another group of the optimizer",
                        "STEP",
                        "opt.add_param_group({'params': [torch.nn.Parameter(torch.ones(2))]})",
                        "train.py",
                        "became trainable after training started"),
                torch(
                        "another shape of a parameter",
                        "STEP",
                        "model.weight.data = torch.ones(2, 4)",
                        "train.py",
                        "moved or replaced after training started"),
                torch(
                        "an optimizer that is not supported",
                        "BEFORE",
                        "opt = torch.optim.RMSprop(model.parameters())",
                        "train.py",
                        "RMSprop is not supported"),
                torch(
                        "a model that nobody can train",
                        "BEFORE",
                        "model.requires_grad_(False)",
                        "train.py",
                        "requires_grad"),
                numpy(
                        "deletes the working folder",
                        "STEP",
                        """
                        if job.step == 0:
                            shutil.rmtree(os.getcwd())
                        """),
                numpy(
                        "a segmentation fault",
                        "STEP",
                        "ctypes.string_at(8)",
                        "SIGSEGV: a native library crashed",
                        "line 10 in <module>"),
                numpy("state that cannot be pickled", "STEP", "job.state['best'] = lambda: 0", "train.py", "job.state"),
                numpy(
                        "state that is too large",
                        "STEP",
                        "job.state['history'] = list(range(100_000))",
                        "train.py",
                        "job.state"),
                numpy(
                        "endless recursion",
                        "STEP",
                        """
                        def deeper(): deeper()
                        deeper()
                        """,
                        "train.py:10",
                        "RecursionError"));
    }

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Wrong wrong;
    private final List<ProgramEngine> engines = new ArrayList<>();

    public WrongProgramsTest(Wrong wrong) {
        this.wrong = wrong;
    }

    @Before
    public void needPackageAndPython() throws Exception {
        assumeTrue("The package optimus_yarn is not at " + PACKAGE, Files.exists(PACKAGE.resolve("optimus_yarn")));
        String library = wrong.program.equals(TORCH) ? "torch" : "numpy";
        assumeTrue(
                TestPython.NAME + " has no " + library + "; name a Python that has it in OPTIMUS_TEST_PYTHON",
                TestPython.has(library));
    }

    @After
    public void endPrograms() {
        engines.forEach(ProgramEngine::close);
    }

    @Test
    public void endsInADiagnosisOrDoesNoHarm() throws IOException {
        Path home = folder.newFolder("container").toPath();
        Files.writeString(home.resolve("train.py"), wrong.text());
        Throwable failure = catchThrowable(() -> train(home));
        if (wrong.diagnosis.isEmpty()) {
            assertThat(failure).isNull();
        } else {
            assertThat(failure).isInstanceOf(ProgramFailedException.class);
            assertThat(failure.getMessage()).contains(wrong.diagnosis).hasSizeLessThan(3_000);
        }
    }

    private void train(Path home) {
        TreeMap<String, String> environment = new TreeMap<>();
        environment.put("OMP_NUM_THREADS", "1");
        ProgramEngine engine = new ProgramEngine(
                new ProgramSpec(TestPython.NAME, new ProgramSpec.Main("train.py", false), List.of(), environment),
                new ProgramEngine.Job("worker-0", 7, TrainingMode.SYNCHRONOUS),
                new Program.Place(home, PACKAGE.toString(), OutputStream.nullOutputStream()),
                wrong.limits);
        engines.add(engine);
        for (int step = 0; step < STEPS; step++) {
            engine.step(new StepPart(new StepPart.Worker(0, 1, 10), step, 10L * step, 10, 10, count -> new int[count]));
        }
        engine.evaluate();
    }
}
