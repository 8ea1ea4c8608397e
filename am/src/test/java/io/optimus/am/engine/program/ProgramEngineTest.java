package io.optimus.am.engine.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.Assume.assumeTrue;

import io.optimus.am.Await;
import io.optimus.am.engine.Activity;
import io.optimus.am.engine.ActivityClock;
import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ProgramOutput;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.engine.StepPart;
import io.optimus.am.engine.StepProgress;
import io.optimus.model.TrainingMode;
import io.optimus.model.losses.AnnouncedBends;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

/** Runs small Python programs that speak the protocol by themselves. */
public final class ProgramEngineTest {
    private static final Duration SHORT = Duration.ofMillis(700);
    private static final Program.Limits PATIENT = new Program.Limits(
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofSeconds(3),
            SHORT,
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(30));

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final List<ProgramEngine> engines = new ArrayList<>();

    @Before
    public void needPython() {
        assumeTrue("python3 is not on the path", pythonIsThere());
    }

    private static boolean pythonIsThere() {
        try {
            return new ProcessBuilder("python3", "-c", "").start().waitFor() == 0;
        } catch (IOException | InterruptedException e) {
            return false;
        }
    }

    @After
    public void endPrograms() {
        engines.forEach(ProgramEngine::close);
    }

    private ProgramEngine start(String python, Program.Limits limits, String script) throws IOException {
        Path home = folder.getRoot().toPath();
        Files.writeString(home.resolve("train.py"), script);
        ProgramSpec spec = new ProgramSpec(
                python, new ProgramSpec.Main("train.py", false), List.of("--depth", "3"), new TreeMap<>());
        ProgramEngine engine = new ProgramEngine(
                spec,
                new ProgramEngine.Job("worker-3", 42, TrainingMode.SYNCHRONOUS),
                new Program.Place(home, packages(), output),
                limits);
        engines.add(engine);
        return engine;
    }

    /** Runs a program that has connected as {@code job}. */
    private ProgramEngine start(String script) throws IOException {
        return start("python3", PATIENT, "import optimus_yarn, os, sys, time\njob = optimus_yarn.Program()\n" + script);
    }

    private String diagnosis(String script) {
        return diagnosis(() -> start(script));
    }

    private static String diagnosis(ThrowingCallable call) {
        return String.valueOf(
                catchThrowableOfType(ProgramFailedException.class, call).getMessage());
    }

    private static String packages() {
        try {
            return Path.of(ProgramEngineTest.class.getResource("python").toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static StepPart part(long step) {
        return new StepPart(new StepPart.Worker(1, 2, 10), step, 10 * step + 5, 5, 10, count -> new int[count]);
    }

    private long awaitNumber(String file) throws IOException {
        Path path = folder.getRoot().toPath().resolve(file);
        Await.until(file + " is written", () -> path.toFile().length() > 0);
        return Long.parseLong(Files.readString(path));
    }

    private static void awaitEnd(long pid) {
        Await.until(
                "process " + pid + " has ended",
                () -> ProcessHandle.of(pid).map(process -> !process.isAlive()).orElse(true));
    }

    @Test
    public void describesTheProgram() throws Exception {
        ProgramEngine engine = start("job.ready()\njob.receive()");

        assertThat(engine.blocks())
                .containsExactly(
                        new ParameterBlock("weight", List.of(1), ParameterBlock.Kind.PARAMETER, 0),
                        new ParameterBlock("bias", List.of(1), ParameterBlock.Kind.PARAMETER, 1),
                        new ParameterBlock("state", List.of(1), ParameterBlock.Kind.STATE, 0));
        assertThat(engine.trainingSamples()).isEqualTo(100);
        assertThat(engine.programSettings())
                .contains(new ProgramSettings(10, 2, new Optimizer.Sgd(0.1, 0.9, 0), 2, AnnouncedBends.NONE));
        assertThat(folder.getRoot().list()).containsExactly("train.py");
    }

    @Test
    public void readsAdamAndAdamW() throws Exception {
        String settings = "'learningRate': 0.001, 'beta1': 0.9, 'beta2': 0.999, 'epsilon': 1e-8, 'weightDecay': 0.01";
        for (boolean decoupled : new boolean[] {false, true}) {
            String kind = decoupled ? "adamw" : "adam";
            ProgramEngine engine =
                    start("job.ready(optimizer={'kind': '" + kind + "', " + settings + "})\njob.receive()");
            assertThat(engine.programSettings().orElseThrow().optimizer())
                    .isEqualTo(new Optimizer.Adam(0.001, 0.9, 0.999, 1e-8, 0.01, decoupled));
            engine.close();
        }
    }

    @Test
    public void stepsInSharedMemory() throws Exception {
        ProgramEngine engine = start(
                """
                job.parameters[0] = 7
                job.ready()
                while True:
                    step = job.receive()
                    if step["type"] != "step":
                        sys.exit(0)
                    for i in range(3):
                        job.gradient[i] = 2 * job.parameters[i]
                    loss = float("nan") if step["step"] == 2 else step["from"] + step["count"] / 100
                    job.answer(loss, [[step["stride"], step["rank"]], [step["workers"], step["batch"]]])
                """);
        engine.initialise(1);
        assertThat(engine.parameters().get(0)).isEqualTo(7);

        engine.parameters().put(new float[] {1, 2, 3});
        assertThat(engine.step(part(1))).isEqualTo(15.05);
        assertThat(engine.gradient().get(2)).isEqualTo(6);
        assertThat(engine.groupSettings()).containsExactly(10, 1, 2, 10);

        engine.parameters().put(new float[] {4, 5, 6});
        assertThat(engine.step(part(2))).isNaN();
        assertThat(engine.gradient().get(0)).isEqualTo(8);
        assertThatThrownBy(() -> engine.initialise(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    public void tellsOfTheGradientWhileTheProgramComputesTheRest() throws Exception {
        ProgramEngine engine = start(
                """
                job.ready()
                while job.receive()["type"] == "step":
                    job.gradient[2] = 8
                    job.send(type="loss", loss=2.5, groups=[[0.5, 0], [0.25, 0]], parametersRead=True)
                    job.send(type="gradient-from", **{"from": 2})
                    while job.parameters[2] != 9:
                        time.sleep(0.001)
                    job.gradient[0] = 6
                    job.answer(2.5, [[0.5, 0], [0.25, 0]])
                """);
        List<String> told = new ArrayList<>();
        double loss = engine.step(part(1), new StepProgress() {
            @Override
            public void lossKnown(double known) {
                told.add("loss " + known + " rate " + engine.groupSettings()[0]);
            }

            @Override
            public void gradientFrom(int from) {
                told.add("from " + from + " " + engine.gradient().get(2));
                engine.parameters().put(2, 9);
            }

            @Override
            public void parametersRead() {
                told.add("read");
            }
        });

        assertThat(told).containsExactly("loss 2.5 rate 0.5", "read", "from 2 8.0");
        assertThat(loss).isEqualTo(2.5);
        assertThat(engine.gradient().get(0)).isEqualTo(6);
    }

    @Test
    public void refusesAGradientBeforeItsLoss() throws Exception {
        ProgramEngine engine = start(
                """
                job.ready()
                job.receive()
                job.send(type="gradient-from", **{"from": 2})
                time.sleep(100)
                """);
        assertThatThrownBy(() -> engine.step(part(1))).hasMessageContaining("answered step 1 with GradientFrom");
    }

    @Test
    public void passesReportsOn() throws Exception {
        ProgramEngine engine = start(
                """
                job.send(type="report", epoch=0, values={"early": 1})
                job.ready()
                job.receive()
                job.answer()
                job.receive()
                job.send(type="report", epoch=3, values={"accuracy": 0.9, "broken": float("inf")})
                job.send(type="report", epoch=3, values={}, bends=[2, 3.5])
                job.answer()
                job.receive()
                """);
        engine.step(part(4));
        BlockingQueue<ProgramReport> reports = new LinkedBlockingQueue<>();
        engine.reportTo(reports::add);
        engine.step(part(5));

        assertThat(reports.poll(5, TimeUnit.SECONDS)).isEqualTo(new ProgramReport(0, 0, Map.of("early", 1.0)));
        assertThat(reports.poll(5, TimeUnit.SECONDS)).isEqualTo(new ProgramReport(5, 3, Map.of("accuracy", 0.9)));
        assertThat(reports.poll(5, TimeUnit.SECONDS)).isEqualTo(new ProgramReport(5, 3, Map.of(), List.of(2.0, 3.5)));
    }

    @Test
    public void knowsTheBendsThatTheOwnerAnnounces() throws Exception {
        ProgramSettings settings = start("job.ready(bends=[0.5, 30])\njob.receive()")
                .programSettings()
                .orElseThrow();

        assertThat(settings.bends().epochs()).containsExactly(0.5, 30.0);
        assertThat(diagnosis("job.ready(bends=[3, 2])")).contains("impossible bends", "rising, got [3.0, 2.0]");
    }

    @Test
    public void letsTheProgramEndByItselfAfterItsLoop() throws Exception {
        ProgramEngine engine = start(
                """
                job.ready()
                job.receive()
                job.answer()
                assert job.receive()["type"] == "finish"
                job.send(type="report", epoch=1, values={"accuracy": 1})
                job.send(type="finished")
                time.sleep(0.5)
                open("model", "w").write("1")
                """);
        BlockingQueue<ProgramReport> reports = new LinkedBlockingQueue<>();
        engine.reportTo(reports::add);
        engine.failTo(failure -> reports.add(new ProgramReport(-1, 0, Map.of())));
        engine.step(part(7));

        assertThat(engine.evaluate()).isEmpty();
        assertThat(engine.evaluate()).isEmpty();
        assertThat(awaitNumber("model")).isEqualTo(1);
        engine.close();
        assertThat(reports).containsExactly(new ProgramReport(8, 1, Map.of("accuracy", 1.0)));
    }

    private ProgramOutput outputAfter(String ending, Program.Limits limits) throws Exception {
        ProgramEngine engine = start(
                "python3",
                limits,
                """
                import optimus_yarn, os, sys, time
                job = optimus_yarn.Program()
                job.ready()
                assert job.receive()["type"] == "finish"
                os.mkdir("output")
                job.send(type="finished")
                """
                        + ending);
        assertThat(engine.output()).isEqualTo(ProgramOutput.NONE);
        engine.evaluate();
        return engine.output();
    }

    @Test
    public void namesTheFolderThatTheProgramLeft() throws Exception {
        ProgramOutput left = outputAfter("open('output/model.pt', 'w')\n", PATIENT);

        assertThat(left.folder()).contains(folder.getRoot().toPath().resolve("output"));
        assertThat(left.warnings()).isEmpty();
    }

    @Test
    public void warnsOfAProgramThatFailsAfterItsLoop() throws Exception {
        ProgramOutput left = outputAfter("print('no space left')\nsys.exit(3)\n", PATIENT);

        assertThat(left.folder()).isPresent();
        assertThat(left.warnings())
                .singleElement()
                .asString()
                .contains("After its loop over the epochs", "exit code 3", "no space left");
    }

    @Test
    public void endsAProgramThatGoesOnForeverAfterItsLoop() throws Exception {
        Program.Limits limits = new Program.Limits(
                PATIENT.connect(), PATIENT.ready(), PATIENT.exit(), PATIENT.leave(), SHORT, SHORT, SHORT);

        assertThat(outputAfter("time.sleep(1000)\n", limits).warnings())
                .singleElement()
                .asString()
                .contains("files may be incomplete");
    }

    @Test
    public void tellsTheProgramToLeave() throws Exception {
        ProgramEngine engine = start(
                """
                job.ready()
                assert job.receive()["type"] == "leave"
                open("left", "w").write("1")
                """);
        engine.close();
        assertThat(awaitNumber("left")).isEqualTo(1);
    }

    @Test
    public void killsAProgramThatDoesNotLeaveAndItsChildren() throws Exception {
        ProgramEngine engine = start(
                """
                import signal, subprocess
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                child = subprocess.Popen(["sleep", "100"])
                open("child", "w").write(str(child.pid))
                open("self", "w").write(str(os.getpid()))
                job.ready()
                while True:
                    time.sleep(1)
                """);
        long self = awaitNumber("self");
        long child = awaitNumber("child");
        engine.close();
        awaitEnd(self);
        awaitEnd(child);
    }

    @Test
    public void endsTheChildrenOfAProgramThatDied() throws Exception {
        ProgramEngine engine = start(
                """
                import signal
                child = os.fork()
                if child == 0:
                    time.sleep(100)
                open("child", "w").write(str(child))
                job.ready()
                job.receive()
                os.kill(os.getpid(), signal.SIGSEGV)
                """);
        long child = awaitNumber("child");
        assertThatThrownBy(() -> engine.step(part(0))).hasMessageContaining("SIGSEGV");
        awaitEnd(child);
    }

    @Test
    public void saysWhyTheProgramEndedAtOnce() {
        assertThat(diagnosis("print('no data', file=sys.stderr)\nsys.exit(3)"))
                .isEqualTo("The program ended with exit code 3. Its last output:\nno data");
        assertThat(output.toString(StandardCharsets.UTF_8)).isEqualTo("no data\n");
    }

    @Test
    public void saysWhyTheProgramFailed() {
        assertThat(
                        diagnosis(
                                """
                print("Traceback ...")
                job.send(type="failed", reason="ValueError: x", where="train.py:31")
                time.sleep(100)
                """))
                .isEqualTo("The program failed at train.py:31: ValueError: x. Its last output:\nTraceback ...");
    }

    private static Program.Limits withStep(Duration step, Duration betweenEpochs) {
        return new Program.Limits(
                PATIENT.connect(),
                PATIENT.ready(),
                PATIENT.exit(),
                PATIENT.leave(),
                PATIENT.finish(),
                step,
                betweenEpochs);
    }

    private ProgramEngine slow(Program.Limits limits, String script) throws IOException {
        return start(
                "python3", limits, "import optimus_yarn, time\njob = optimus_yarn.Program()\njob.ready()\n" + script);
    }

    @Test
    public void givesTheFirstStepAndTheTimeBetweenEpochsMoreTimeThanOtherSteps() throws Exception {
        ProgramEngine engine = slow(
                withStep(SHORT, Duration.ofSeconds(20)),
                """
                job.receive()
                time.sleep(2)
                job.answer(loss=1)
                job.receive()
                job.answer(loss=2)
                job.receive()
                job.send(type="between-epochs")
                time.sleep(2)
                job.send(type="computing")
                job.answer(loss=3)
                job.receive()
                time.sleep(20)
                """);
        assertThat(engine.step(part(0))).isEqualTo(1);
        assertThat(engine.step(part(1))).isEqualTo(2);
        assertThat(engine.clock().map(ActivityClock::now)).contains(Activity.WAITING);
        assertThat(engine.step(part(2))).isEqualTo(3);
        assertThat(diagnosis(() -> engine.step(part(3))))
                .contains("did not answer step 3 within 0 s", "stepTimeoutSeconds");
    }

    @Test
    public void saysThatAnEvaluationTakesTooLong() throws Exception {
        ProgramEngine engine = slow(
                withStep(Duration.ofSeconds(20), SHORT),
                """
                job.receive()
                job.answer()
                job.receive()
                job.send(type="between-epochs")
                time.sleep(20)
                """);
        engine.step(part(0));
        assertThat(diagnosis(() -> engine.step(part(1))))
                .contains("did not answer step 1", "comes after an epoch", "evaluationTimeoutSeconds");
    }

    @Test
    public void saysThatTheProgramDidNotConnect() {
        assertThatThrownBy(() -> start("python3", PATIENT, "def f(:\n"))
                .isInstanceOf(ProgramFailedException.class)
                .hasMessageContaining("exit code 1, before it connected")
                .hasMessageContaining("SyntaxError")
                .hasMessageContaining("train.py");
        Program.Limits hasty = new Program.Limits(
                Duration.ofSeconds(5), Duration.ofSeconds(30), SHORT, SHORT, Duration.ofSeconds(10), SHORT, SHORT);
        assertThatThrownBy(() -> start("python3", hasty, "import time\nprint('hm', flush=True)\ntime.sleep(100)"))
                .hasMessageContaining("did not connect to its worker within 5 s")
                .hasMessageEndingWith("hm");
    }

    @Test
    public void saysThatThereIsNoSuchPython() {
        assertThatThrownBy(() -> start("no-such-python", PATIENT, ""))
                .isInstanceOf(ProgramFailedException.class)
                .hasMessageContaining("'no-such-python' cannot be started")
                .hasMessageContaining("program.python");
    }

    @Test
    public void saysThatTheProgramNeverAsksForABatch() {
        Program.Limits hasty = new Program.Limits(Duration.ofSeconds(30), SHORT, SHORT, SHORT, SHORT, SHORT, SHORT);
        assertThatThrownBy(() -> start(
                        "python3", hasty, "import optimus_yarn, time\njob = optimus_yarn.Program()\ntime.sleep(100)"))
                .hasMessageContaining("did not ask for its first batch")
                .hasMessageContaining("It printed nothing");
    }

    @Test
    public void namesTheSignalThatEndedAStep() throws Exception {
        ProgramEngine engine = start(
                """
                job.ready()
                job.receive()
                os.kill(os.getpid(), 9)
                """);
        assertThatThrownBy(() -> engine.step(part(0)))
                .isInstanceOf(ProgramFailedException.class)
                .hasMessageContaining("SIGKILL")
                .hasMessageContaining("roles.worker.memoryMb");
        assertThatThrownBy(() -> engine.step(part(0))).hasMessageContaining("SIGKILL");
    }

    @Test
    public void tellsOfAnEndBetweenSteps() throws Exception {
        ProgramEngine engine = start(
                """
                job.ready()
                job.receive()
                job.answer()
                """);
        engine.step(part(0));
        BlockingQueue<RuntimeException> failures = new LinkedBlockingQueue<>();
        engine.failTo(failures::add);

        assertThat(failures.poll(10, TimeUnit.SECONDS)).hasMessageContaining("ended before the job did");
        assertThatThrownBy(engine::evaluate).hasMessageContaining("ended before the job did");
    }

    @Test
    public void outlivesAFloodOfOutput() throws Exception {
        ProgramEngine engine = start(
                """
                sys.stdout.write("x" * 20_000_000)
                for i in range(1000):
                    sys.stdout.write("\\r%d/1000" % i)
                print("\\nlast line \\u00e4", end="", flush=True)
                job.ready()
                job.receive()
                job.answer()
                job.receive()
                sys.exit(4)
                """);
        engine.step(part(0));
        String diagnosis = diagnosis(() -> engine.step(part(1)));
        assertThat(diagnosis).endsWith("last line ä").hasSizeLessThan(2_200);
        assertThat(output.size()).isGreaterThan(20_000_000);
    }

    @Test
    public void refusesWhatIsNoMessage() {
        assertThat(diagnosis("job.socket.sendall(b'hello\\n')\ntime.sleep(100)"))
                .contains("sent 'hello'")
                .contains("not a message");
        assertThat(diagnosis("job.send(type='dance')\ntime.sleep(100)")).contains("dance");
        assertThat(diagnosis("job.send(type='ready', pid=1)\ntime.sleep(100)")).contains("field samples");
        assertThat(diagnosis("job.send(type='report', values={})\ntime.sleep(100)"))
                .contains("field epoch");
        assertThat(diagnosis("job.socket.sendall(b'x' * 20_000_000)\ntime.sleep(100)"))
                .contains("line of more than");
    }

    @Test
    public void refusesADescriptionThatDoesNotFit() {
        assertThat(diagnosis("job.ready(batch=0)\njob.receive()")).contains("samples in a batch, got 0");
        assertThat(diagnosis("job.ready(groups=1)\njob.receive()"))
                .contains("group from 0 to 0")
                .contains("bias");
        assertThat(diagnosis("job.ready(memory={'path': '/proc/1/none', 'floats': 3})\njob.receive()"))
                .contains("/proc/1/none cannot be opened");
        assertThat(
                        diagnosis(
                                """
                job.ready(memory={"path": f"/proc/{os.getpid()}/fd/{job.descriptor}", "floats": 4})
                job.receive()
                """))
                .contains("blocks have 3 floats")
                .contains("memory has 4");
        assertThat(
                        diagnosis(
                                """
                os.ftruncate(job.descriptor, 8)
                job.ready()
                job.receive()
                """))
                .contains("has 8 bytes")
                .contains("need 24");
        assertThat(diagnosis("job.ready(optimizer={'kind': 'rprop'})\njob.receive()"))
                .contains("rprop");
        assertThat(
                        diagnosis(
                                """
                job.ready(optimizer={"kind": "sgd", "learningRate": -1, "momentum": 0, "weightDecay": 0})
                job.receive()
                """))
                .contains("learningRate=-1.0");
    }

    @Test
    public void refusesAnAnswerWithOtherGroups() throws Exception {
        ProgramEngine engine = start(
                """
                job.ready()
                job.receive()
                job.answer(1, [[0.1, 0]])
                time.sleep(100)
                """);
        assertThatThrownBy(() -> engine.step(part(0)))
                .hasMessageContaining("described 2 parameter groups and sent the settings of 1");
    }

    @Test
    public void passesSettingsOn() throws Exception {
        ProgramEngine engine = start(
                """
                import json
                open("seen", "w").write(json.dumps([job.welcome, sys.argv]))
                job.ready()
                job.receive()
                """);
        String seen = Files.readString(folder.getRoot().toPath().resolve("seen"));
        assertThat(seen).contains("\"version\": 1", "\"task\": \"worker-3\"", "\"seed\": 42", "\"synchronous\"");
        assertThat(seen).contains("[\"train.py\", \"--depth\", \"3\"]");
        assertThat(engine.groupSettings()).isEmpty();
    }
}
