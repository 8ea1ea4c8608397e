package io.optimus.am.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.optimus.am.engine.Optimizer;
import io.optimus.am.yaml.FileProblem;
import io.optimus.model.TrainingMode;
import io.optimus.model.cluster.Resources;
import io.optimus.model.convergence.StopRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class JobFileTest {
    private static final String SMALLEST = "name: a\nmodel: mlp\ndataset: digits\n";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void fillsInDefaults() throws InvalidJobFileException {
        JobSpec spec = JobFile.parse("job.yaml", SMALLEST, List.of()).spec();

        assertThat(spec.queue()).isEqualTo("default");
        assertThat(spec.mode()).isEqualTo(TrainingMode.SYNCHRONOUS);
        assertThat(spec.preemptible()).isTrue();
        assertThat(spec.engine().hidden()).containsExactly(64);
        assertThat(spec.optimizer()).isEqualTo(new Optimizer.Sgd(0.1, 0.9, 0));
        assertThat(spec.stop()).isEqualTo(new StopRule.FirstOf(List.of(new StopRule.MaxEpochs(100))));
        assertThat(spec.worker())
                .isEqualTo(new RoleSpec(1, 1, Resources.of(1024, 1, 0), RoleSpec.Memory.FIXED, new TreeMap<>(), 3));
        assertThat(spec.parameterServer())
                .isEqualTo(new RoleSpec(1, 1, Resources.of(512, 1, 0), RoleSpec.Memory.FIXED, new TreeMap<>(), 3));
        assertThat(spec.outputOf("application_1_0001")).isEqualTo("optimus-models/application_1_0001");
    }

    @Test
    public void readsBackEverythingThatItPrints() throws InvalidJobFileException {
        JobSpec spec = JobSpecs.emulated();

        assertThat(JobFile.parse("printed", JobFile.print(spec), List.of()).spec())
                .isEqualTo(spec);
    }

    @Test
    public void readsBackTheDefaultsThatItPrints() throws InvalidJobFileException {
        JobSpec spec = JobFile.parse("job.yaml", SMALLEST, List.of()).spec();

        assertThat(JobFile.parse("printed", JobFile.print(spec), List.of()).spec())
                .isEqualTo(spec);
    }

    @Test
    public void reportsAllProblemsAtOnceWithLineAndRemedy() {
        assertThat(
                        problems(
                                """
                        name: wrong
                        modle: mlp
                        model: {kind: mlp, hidden: [64, many]}
                        dataset: imagenet
                        priority: high
                        preemptible: maybe
                        globalBatch: 0
                        mode: synchronus
                        roles:
                          worker: {min: 4, max: 2, memory: 1024}
                          ps:
                            max: 1
                            min: 2
                            environment: {1A: x, OPTIMUS_TASK: y}
                            resources: {memory-mb: 5, yarn.io/fpga: -1}
                        learningRate: 0.1
                        """))
                .containsExactly(
                        "job.yaml:2:1: modle: There is no such key: did you mean model?",
                        "job.yaml:3:33: model.hidden: must be a whole number, not 'many'",
                        "job.yaml:4:1: dataset: There is no data set 'imagenet': use digits, or idx:/folder for files in"
                                + " MNIST's format",
                        "job.yaml:5:1: priority: must be a whole number, not 'high'",
                        "job.yaml:6:1: preemptible: must be true or false, not 'maybe'",
                        "job.yaml:7:1: globalBatch: 0 is out of range: 1 to 1000000",
                        "job.yaml:8:1: mode: must be one of synchronous, asynchronous, not 'synchronus': did you mean"
                                + " synchronous?",
                        "job.yaml:10:20: roles.worker.max: 2 is below min, which is 4: raise max or lower"
                                + " roles.worker.min",
                        "job.yaml:10:28: roles.worker.memory: must be one of fixed, auto, not '1024': memoryMb is the"
                                + " amount",
                        "job.yaml:12:5: roles.ps.max: 1 is below min, which is 2: raise max or lower roles.ps.min",
                        "job.yaml:14:19: roles.ps.environment: '1A' cannot name a variable: use letters, digits and"
                                + " underscores",
                        "job.yaml:14:26: roles.ps.environment: OPTIMUS_TASK is set by Optimus itself: choose a name"
                                + " without OPTIMUS_",
                        "job.yaml:15:17: roles.ps.resources: memory-mb has a key of its own: give memoryMb instead",
                        "job.yaml:15:31: roles.ps.resources: yarn.io/fpga -1 is out of range: 1 or more",
                        "job.yaml:16:1: learningRate: There is no such key: it is optimizer.learningRate, written with"
                                + " its indent or as --set optimizer.learningRate=…");
    }

    @Test
    public void refusesWhatYarnWouldNotRunInDocker() {
        assertThat(
                        problems(
                                """
                        name: wrong
                        model: mlp
                        dataset: digits
                        fileSystems: [other, 'hdfs://third']
                        docker: {image: Not/An Image, mounts: ['/data:/data', '/a:/b:ro'], javaHome: java}
                        """))
                .containsExactly(
                        "job.yaml:4:1: fileSystems: 'other' is no file system: write a URI such as hdfs://other",
                        "job.yaml:5:10: docker.image: 'Not/An Image' is no image that YARN accepts: write"
                                + " [REGISTRY/]NAME[:TAG], the name in lower case",
                        "job.yaml:5:31: docker.mounts: '/data:/data' is no mount: write SOURCE:TARGET:ro or"
                                + " SOURCE:TARGET:rw, both absolute paths",
                        "job.yaml:5:68: docker.javaHome: 'java' is not absolute: write the path inside the image");
        assertThat(problems("name: a\nmodel: mlp\ndataset: digits\ndocker: {applicationMaster: true}\n"))
                .containsExactly("job.yaml:4:10: docker.applicationMaster: means nothing without docker.image: add it,"
                        + " or leave this out");
    }

    @Test
    public void startsFromOneEarlierJobOnly() {
        assertThat(problems("name: a\nmodel: mlp\ndataset: digits\nstart: {model: none.bin, resume: job}\n"))
                .hasSize(3)
                .anyMatch(problem -> problem.contains("start.model: there is no file "))
                .anyMatch(problem -> problem.contains("start.resume: is given beside start.model"))
                .anyMatch(problem -> problem.contains("start.resume: 'job' names no job"));
    }

    @Test
    public void namesLineAndColumnOfBrokenYaml() {
        assertThat(problems("name: a\nmodel: [mlp\ndataset: digits\n"))
                .singleElement()
                .asString()
                .startsWith("job.yaml:3:8: This is not YAML: ")
                .contains("brackets");
        assertThat(problems("name: a\n\tmodel: mlp\n"))
                .singleElement()
                .asString()
                .startsWith("job.yaml:2:1: This is not YAML: ")
                .contains("indents");
        assertThat(problems("name: a\nmodel: \u0000\n"))
                .singleElement()
                .asString()
                .startsWith("job.yaml:2:8: YAML does not allow this character");
    }

    @Test
    public void reportsKeysThatAreThereTwice() {
        assertThat(problems(SMALLEST + "queue: a\nqueue: b\n"))
                .containsExactly("job.yaml:5:1: queue: This key appears twice, first at job.yaml:4:1: keep one");
    }

    @Test
    public void reportsWhatIsRequired() {
        assertThat(problems("seed: 3\n")).hasSize(3).allSatisfy(problem -> assertThat(problem)
                .startsWith("job.yaml:1:1: ")
                .contains(" is required: "));
    }

    @Test
    public void refusesFilesThatHoldNoKeys() {
        assertThat(problems(""))
                .containsExactly("job.yaml:1:1: The file is empty: it needs at least name, model and dataset");
        assertThat(problems("- a\n- b\n")).containsExactly("job.yaml:1:1: A job file is a section of keys, not a list");
    }

    @Test
    public void refusesWordsInThePlaceOfSections() {
        assertThat(problems(SMALLEST + "roles: many\ncheckpoint:\n"))
                .containsExactly(
                        "job.yaml:4:1: roles: must be a section with the keys ps, worker, not 'many'",
                        "job.yaml:5:1: checkpoint: must be a section with the keys everySeconds, everySteps, folder, not nothing");
    }

    @Test
    public void refusesValuesThatAreNotThere() {
        assertThat(problems(SMALLEST + "queue:\n"))
                .containsExactly("job.yaml:4:1: queue: must be text, not nothing: write one, or leave the key out");
    }

    @Test
    public void refusesNumbersThatYamlReadsInAnotherBaseOrThatAreNone() {
        assertThat(problems(SMALLEST + "seed: 0x10\nstop: {targetLoss: .nan}\npriority: 99999999999999999999\n"))
                .containsExactly(
                        "job.yaml:4:1: seed: must be a whole number, not '0x10'",
                        "job.yaml:5:8: stop.targetLoss: must be a number, not '.nan'",
                        "job.yaml:6:1: priority: 99999999999999999999 is out of range: 0 to 1000000");
    }

    @Test
    public void refusesModelsThatTheEngineCannotTrain() {
        assertThat(problems("name: a\nengine: java\nmodel: lenet\ndataset: digits\n"))
                .singleElement()
                .asString()
                .startsWith("job.yaml:3:1: model.kind: ")
                .contains("java", "lenet");
    }

    @Test
    public void refusesPaceWithoutTheEmulatedEngineAndTheEmulatedEngineWithoutPace() {
        assertThat(problems(SMALLEST + "emulated:\n  speed: {secondsFixed: 0.1}\n"))
                .singleElement()
                .asString()
                .startsWith("job.yaml:4:1: emulated.wraps: ");
        assertThat(problems(SMALLEST + "engine: emulated\n"))
                .singleElement()
                .asString()
                .contains("secondsFixed");
        assertThat(problems(SMALLEST
                        + "engine: emulated\nmode: asynchronous\nemulated: {speed: {secondsPerSample: 0.1}}\n"))
                .singleElement()
                .asString()
                .startsWith("job.yaml:6:20: emulated.speed.secondsPerSample: ");
    }

    @Test
    public void saysOnceThatATermOfThePaceIsWrong() {
        assertThat(problems(SMALLEST + "engine: emulated\nemulated: {speed: {secondsFixed: -1}}\n"))
                .singleElement()
                .asString()
                .contains("emulated.speed.secondsFixed: -1 is out of range");
    }

    @Test
    public void saysWhereAnOpenQuoteBegins() {
        assertThat(problems("name: \"a\nmodel: mlp\ndataset: digits\n"))
                .singleElement()
                .asString()
                .contains("quoted scalar that begins at 1:7");
    }

    @Test
    public void refusesOneOptimizersKeysWithTheOther() {
        assertThat(problems(SMALLEST + "optimizer: {kind: adam, momentum: 0.5}\n"))
                .singleElement()
                .asString()
                .startsWith("job.yaml:4:25: optimizer.momentum: belongs to sgd");
        assertThat(problems(SMALLEST + "optimizer:\n  beta2: 0.5\n"))
                .singleElement()
                .asString()
                .startsWith("job.yaml:5:3: optimizer.beta2: belongs to adam");
    }

    @Test
    public void refusesMoreWorkersThanSamplesInASynchronousStep() throws InvalidJobFileException {
        String file = SMALLEST + "globalBatch: 4\nroles: {worker: {max: 8}}\n";

        assertThat(problems(file)).singleElement().asString().contains("4 samples are too few for 8 workers");
        assertThat(JobFile.parse("job.yaml", file, List.of("mode=asynchronous"))
                        .spec()
                        .globalBatch())
                .isEqualTo(4);
    }

    @Test
    public void refusesGpuTypesWithoutGpus() throws InvalidJobFileException {
        String types = SMALLEST + "roles: {worker: {gpuTypes: [a100, v100]}}\n";

        assertThat(problems(types))
                .singleElement()
                .asString()
                .contains("means nothing without GPUs: give roles.worker.gpus");
        assertThat(JobFile.parse("job.yaml", types, List.of("roles.worker.gpus=1"))
                        .spec()
                        .gpuTypes())
                .containsExactly("a100", "v100");
    }

    @Test
    public void refusesPlateauEpochsAlone() {
        assertThat(problems(SMALLEST + "stop: {plateau: {epochs: 2}}\n"))
                .singleElement()
                .asString()
                .contains("stop.plateau.decrease");
    }

    @Test
    public void letsOptionsOverrideTheFile() throws InvalidJobFileException {
        JobSpec spec = JobFile.parse(
                        "job.yaml",
                        SMALLEST,
                        List.of(
                                "roles.worker.max=6",
                                "model.hidden=[32, 16]",
                                "optimizer=adam",
                                "optimizer.beta1=0.8",
                                "roles.ps.resources.yarn.io/fpga=2",
                                "roles.worker.environment.LANG=C",
                                "queue=first",
                                "queue=second"))
                .spec();

        assertThat(spec.worker().max()).isEqualTo(6);
        assertThat(spec.engine().hidden()).containsExactly(32, 16);
        assertThat(spec.optimizer()).isEqualTo(new Optimizer.Adam(0.001, 0.8, 0.999, 1e-8, 0, false));
        assertThat(spec.parameterServer().task().amount("yarn.io/fpga")).isEqualTo(2);
        assertThat(spec.worker().environment()).isEqualTo(Map.of("LANG", "C"));
        assertThat(spec.queue()).isEqualTo("second");
    }

    @Test
    public void namesTheOptionThatIsWrong() {
        assertThat(problems(
                        SMALLEST + "bogus: 1\n", "roles.worker.maks=6", "seed", "seed=[", "roles.ps.max=0", "queue="))
                .anySatisfy(problem -> assertThat(problem).startsWith("--set seed: must be key=value"))
                .anySatisfy(problem -> assertThat(problem).startsWith("--set seed=[: This is not YAML"))
                .anySatisfy(problem -> assertThat(problem).startsWith("--set queue=: queue: must be text, not nothing"))
                .contains(
                        "--set roles.worker.maks=6: roles.worker.maks: There is no such key: did you mean max?",
                        "--set roles.ps.max=0: roles.ps.max: 0 is out of range: 1 to 1000")
                .first()
                .asString()
                .startsWith("job.yaml:4:1: bogus: There is no such key: there are ");
    }

    @Test
    public void namesTheOptionThatContradictsTheFile() {
        assertThat(problems(SMALLEST + "roles: {ps: {min: 3, max: 4}}\n", "roles.ps.max=2"))
                .containsExactly("--set roles.ps.max=2: roles.ps.max: 2 is below min, which is 3: raise max or lower"
                        + " roles.ps.min");
    }

    @Test
    public void readsAliasesAndRefusesEndlessOnes() throws InvalidJobFileException {
        JobSpec spec = JobFile.parse(
                        "job.yaml", SMALLEST + "roles: {worker: &all {memoryMb: 700, max: 2}, ps: *all}\n", List.of())
                .spec();

        assertThat(spec.parameterServer().task().amount(Resources.MEMORY_MB)).isEqualTo(700);
        assertThat(problems(SMALLEST + "roles: &all {worker: *all}\n")).anySatisfy(problem -> assertThat(problem)
                .contains("This alias stands for a section that contains it"));
    }

    @Test
    public void refusesTextThatIsNotUtf8() throws IOException {
        Path file = folder.getRoot().toPath().resolve("job.yaml");
        Files.write(file, new byte[] {'n', (byte) 0xff, (byte) 0xfe});

        InvalidJobFileException wrong =
                catchThrowableOfType(InvalidJobFileException.class, () -> JobFile.read(file, List.of()));

        assertThat(wrong).hasMessageContaining("save it as UTF-8");
    }

    private static List<String> problems(String file, String... overrides) {
        InvalidJobFileException wrong = catchThrowableOfType(
                InvalidJobFileException.class, () -> JobFile.parse("job.yaml", file, List.of(overrides)));
        return wrong.problems().stream().map(FileProblem::toString).toList();
    }
}
