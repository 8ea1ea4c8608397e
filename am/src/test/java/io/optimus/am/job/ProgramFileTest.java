package io.optimus.am.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.optimus.am.engine.Communication;
import io.optimus.am.engine.ProgramSpec;
import io.optimus.am.engine.WireFormat;
import io.optimus.am.yaml.FileProblem;
import io.optimus.model.convergence.StopRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Job files of an owner's own program. */
public final class ProgramFileTest {
    private static final String SMALLEST = "name: a\nframework: python\nprogram: {script: src/train.py}\n";
    private static final String ALL_REDUCE = "communication: all-reduce\n";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Before
    public void writeScript() throws IOException {
        write("src/train.py");
    }

    @Test
    public void readsAProgramWithItsDefaults() throws IOException, InvalidJobFileException {
        JobFile file = read(SMALLEST);

        ProgramSpec program = Objects.requireNonNull(file.spec().engine().program());
        assertThat(program)
                .isEqualTo(new ProgramSpec(
                        "python3", new ProgramSpec.Main("train.py", false), List.of(), new TreeMap<>()));
        assertThat(program.command()).containsExactly("python3", "-m", "optimus_yarn", "train.py");
        assertThat(file.uploads()).containsExactly(new WorkerFile("src/train.py", "train.py", false));
        assertThat(file.uploads().get(0).local(file.folder())).hasContent("src/train.py");
        assertThat(file.spec().stop()).isEqualTo(new StopRule.FirstOf(List.of()));
        assertThat(file.spec().stepTimeoutSeconds()).isEqualTo(300);
        assertThat(file.spec().paced()).isFalse();
    }

    @Test
    public void readsEveryKey() throws IOException, InvalidJobFileException {
        write("env.TGZ");
        write("data.csv");
        JobFile file = read(
                """
                name: a
                framework: python
                program:
                  module: training.main
                  args: [--epochs, 3]
                  python: env/bin/python
                files: [data.csv, 'hdfs://nodes/labels#labels.csv']
                archives: env.TGZ#env
                environment: {HF_HOME: cache}
                stop: {maxEpochs: 7, targetAccuracy: 0.9}
                stepTimeoutSeconds: 3600
                """);

        assertThat(file.spec().targetAccuracy()).hasValue(0.9);
        ProgramSpec program = Objects.requireNonNull(file.spec().engine().program());
        assertThat(program.command())
                .containsExactly("env/bin/python", "-m", "optimus_yarn", "-m", "training.main", "--epochs", "3");
        assertThat(program.environment()).isEqualTo(Map.of("HF_HOME", "cache"));
        assertThat(file.spec().workerFiles())
                .containsExactly(
                        new WorkerFile("data.csv", "data.csv", false),
                        new WorkerFile("hdfs://nodes/labels", "labels.csv", false),
                        new WorkerFile("env.TGZ", "env", true));
        assertThat(file.uploads()).extracting(WorkerFile::alias).containsExactly("data.csv", "env");
        assertThat(file.demand().clusterFiles()).hasSize(1).containsValue("files");
        assertThat(file.spec().stop().maxEpochs()).hasValue(7);
        assertThat(file.spec().stepTimeoutSeconds()).isEqualTo(3600);
    }

    @Test
    public void readsWhereParametersAreUpdated() throws IOException, InvalidJobFileException {
        assertThat(read(SMALLEST).spec().communication()).isEqualTo(Communication.PARAMETER_SERVER);
        assertThat(read(SMALLEST + "update: worker\n").spec().communication())
                .isEqualTo(Communication.AVERAGING_SERVER);
        assertThat(read(SMALLEST + "communication: all-reduce\n").spec().communication())
                .isEqualTo(Communication.ALL_REDUCE);
        assertThat(read(SMALLEST).spec().evaluationTimeoutSeconds()).isEqualTo(1_800);
    }

    @Test
    public void refusesAWireFormatWithoutParameterServers() throws IOException, InvalidJobFileException {
        assertThat(read(SMALLEST + "wireFormat: bfloat16\n").spec().wireFormat())
                .isEqualTo(WireFormat.BFLOAT16);
        assertThat(read(SMALLEST + "communication: all-reduce\n").spec().wireFormat())
                .isEqualTo(WireFormat.FLOAT32);
        assertThat(problems(SMALLEST + "wireFormat: bfloat16\ncommunication: all-reduce\n"))
                .singleElement()
                .asString()
                .contains("wireFormat: is for jobs with parameter servers", "communication hook");
        assertThat(problems("name: a\nframework: command\nroles: {worker: {command: x}}\nwireFormat: bfloat16\n"))
                .singleElement()
                .asString()
                .contains("wireFormat: is decided by your commands");
    }

    @Test
    public void refusesUpdatesByWorkersWhereTheyCannotBe() throws IOException {
        assertThat(problems(SMALLEST + "update: worker\nmode: asynchronous\nstart: {model: src/train.py}\n"))
                .hasSize(2)
                .anyMatch(problem -> problem.contains("mode: ") && problem.contains("use 'update: server'"))
                .anyMatch(problem -> problem.contains("start.model: ") && problem.contains("load it in your program"));
        assertThat(problems(SMALLEST + "update: worker\ncommunication: all-reduce\n"))
                .singleElement()
                .asString()
                .contains("update: is for jobs with parameter servers", "use 'communication: parameter-server'");
        assertThat(problems("name: a\nmodel: mlp\ndataset: digits\nupdate: worker\n"))
                .singleElement()
                .asString()
                .contains("update: says where your own program is updated: add 'framework: python'");
        assertThat(problems("name: a\nframework: command\nroles: {worker: {command: x}}\nupdate: worker\n"))
                .singleElement()
                .asString()
                .contains("update: is for 'framework: python'");
        assertThat(problems(SMALLEST + "update: both\n"))
                .singleElement()
                .asString()
                .contains("must be one of server, worker");
    }

    @Test
    public void namesTheFilesInTheJobsFolder() {
        JobDirectory directory = new JobDirectory(new org.apache.hadoop.fs.Path("hdfs://nodes/jobs/1"));

        assertThat(directory.workerFile(WorkerFile.of("a/env.TGZ#env", true)))
                .hasToString("hdfs://nodes/jobs/1/files/env.tgz");
        assertThat(directory.workerFile(WorkerFile.of("env.zip", true)))
                .hasToString("hdfs://nodes/jobs/1/files/env.zip");
        assertThat(directory.workerFile(WorkerFile.of("a#b#c.csv", false)))
                .hasToString("hdfs://nodes/jobs/1/files/c.csv");
        assertThat(directory.workerFile(WorkerFile.of("s3a://bucket/x.tar#env", true)))
                .hasToString("s3a://bucket/x.tar");
    }

    @Test
    public void readsBackWhatItPrints() throws IOException, InvalidJobFileException {
        JobSpec spec = read(SMALLEST).spec();

        assertThat(read(JobFile.print(spec)).spec()).isEqualTo(spec);
        assertThat(JobFile.print(spec)).contains("fileSystems: []").doesNotContain("&", "*");
        assertThat(JobSpecJson.read(JobSpecJson.write(spec))).isEqualTo(spec);
    }

    @Test
    public void refusesWhatTheProgramDecides() throws IOException {
        assertThat(
                        problems(
                                SMALLEST
                                        + """
                        engine: java
                        model: lenet
                        dataset: digits
                        globalBatch: 8
                        optimizer: {kind: adam, beta1: 0.8}
                        emulated: {speed: {secondsFixed: 1}}
                        """))
                .hasSize(7)
                .allMatch(problem -> problem.contains("is decided by your program: leave it out"))
                .anyMatch(problem -> problem.startsWith("job.yaml:5:1: model.kind: "));
    }

    @Test
    public void refusesProgramKeysWithoutTheFramework() throws IOException {
        assertThat(problems("name: a\nmodel: mlp\ndataset: digits\nprogram: {script: src/train.py}\nfiles: [x]\n"))
                .containsExactly(
                        "job.yaml:4:11: program.script: belongs to your own program: add 'framework: python', or leave this"
                                + " out",
                        "job.yaml:5:1: files: belongs to your own program: add 'framework: python', or leave this out");
        assertThat(problems("name: a\nmodel: mlp\ndataset: digits\nstop: {targetAccuracy: 0.9}\n"))
                .containsExactly(
                        "job.yaml:4:8: stop.targetAccuracy: needs the reports of your own program: add 'framework:"
                                + " python', or leave this out");
    }

    @Test
    public void reportsAFrameworkThatDoesNotExistOnce() throws IOException {
        assertThat(problems("name: a\nframework: pyton\nprogram: {script: src/train.py}\n"))
                .containsExactly(
                        "job.yaml:2:1: framework: must be one of optimus, python, command, not 'pyton': did you mean python?");
    }

    @Test
    public void wantsOneProgram() throws IOException {
        assertThat(problems("name: a\nframework: python\n"))
                .singleElement()
                .asString()
                .contains("program.script: is required, or program.module");
        assertThat(problems("name: a\nframework: python\nprogram: {script: src/train.py, module: m}\n"))
                .containsExactly(
                        "job.yaml:3:33: program.module: is given beside program.script: leave one of them out");
    }

    @Test
    public void refusesFilesThatCannotBeSentAllAtOnce() throws IOException {
        write("a/x.csv");
        write("b/x.csv");
        write("my data.csv");
        assertThat(
                        problems(
                                """
                        name: a
                        framework: python
                        program: {script: absent.py}
                        files: [src, a/x.csv, b/x.csv, 'a/x.csv#sub/x', 'a/x.csv#job.json', my data.csv]
                        archives: [a/x.csv#x]
                        roles: {worker: {memoryMb: 300}}
                        """))
                .satisfiesExactly(
                        problem -> assertThat(problem)
                                .startsWith("job.yaml:3:11: program.script: there is no file ")
                                .contains("absent.py: write its path from the folder of the job file"),
                        problem -> assertThat(problem).contains("src is a folder: pack it as a .tar.gz"),
                        problem -> assertThat(problem)
                                .contains("b/x.csv and a/x.csv are both called x.csv in the worker's folder"),
                        problem -> assertThat(problem).contains("'sub/x' cannot be a name in the worker's folder"),
                        problem -> assertThat(problem).contains("job.json is a file of Optimus or YARN"),
                        problem -> assertThat(problem).contains("write my data.csv#NAME"),
                        problem -> assertThat(problem)
                                .startsWith("job.yaml:5:1: archives: a/x.csv is no archive that YARN unpacks")
                                .contains(".zip, .tar, .tar.gz, .tgz"),
                        problem -> assertThat(problem)
                                .startsWith("job.yaml:6:18: roles.worker.memoryMb: 300 MiB are too few"));
    }

    @Test
    public void refusesVariablesOfOptimus() throws IOException {
        assertThat(problems(SMALLEST + "environment: {OPTIMUS_TASK: x}\n"))
                .singleElement()
                .asString()
                .contains("OPTIMUS_TASK is set by Optimus itself");
    }

    @Test
    public void readsAJobWithAllReduce() throws IOException, InvalidJobFileException {
        JobSpec spec = read(SMALLEST + ALL_REDUCE + "roles: {worker: {min: 2, max: 4}}\n")
                .spec();

        assertThat(spec.communication()).isEqualTo(Communication.ALL_REDUCE);
        assertThat(spec.worker().max()).isEqualTo(4);
        assertThat(spec.parameterServer()).isEqualTo(RoleSpec.NONE);
        assertThat(read(JobFile.print(spec)).spec()).isEqualTo(spec);
    }

    @Test
    public void refusesWhatAllReduceCannotDoAllAtOnce() throws IOException {
        write("model.bin");
        assertThat(
                        problems(
                                SMALLEST
                                        + """
                        communication: all-reduce
                        mode: asynchronous
                        start: {model: model.bin}
                        roles:
                          worker: {max: 4}
                          ps: {memoryMb: 512, max: 2}
                        """))
                .satisfiesExactly(
                        problem -> assertThat(problem)
                                .startsWith("job.yaml:5:1: mode: Workers that average gradients among themselves wait")
                                .contains("leave 'mode' out, or use 'communication: parameter-server'"),
                        problem -> assertThat(problem)
                                .startsWith("job.yaml:6:9: start.model: ")
                                .contains("load it in your program with optimus_yarn.load"),
                        problem -> assertThat(problem)
                                .startsWith("job.yaml:9:")
                                .contains("has no parameter servers: leave the section roles.ps out"));
    }

    @Test
    public void refusesEachKeyOfParameterServersWithAllReduce() throws IOException {
        for (String key : List.of(
                "min: 1",
                "max: 2",
                "memoryMb: 512",
                "vcores: 1",
                "gpus: 0",
                "resources: {yarn.io/fpga: 1}",
                "environment: {A: b}",
                "retries: 0")) {
            assertThat(problems(SMALLEST + ALL_REDUCE + "roles: {ps: {" + key + "}}\n"))
                    .singleElement()
                    .asString()
                    .startsWith("job.yaml:5:14: roles.ps." + key.replaceFirst(":.*", ": "))
                    .contains("has no parameter servers");
        }
        assertThat(problems(SMALLEST + ALL_REDUCE + "roles: {ps: {command: bash ps.sh}}\n"))
                .singleElement()
                .asString()
                .startsWith("job.yaml:5:14: roles.ps.command: belongs to commands");
    }

    @Test
    public void refusesAllReduceOfAnythingButAPythonProgram() throws IOException {
        for (String engine : List.of("java", "djl", "emulated")) {
            String pace = engine.equals("emulated") ? "emulated: {speed: {secondsFixed: 1}}\n" : "";
            assertThat(problems("name: a\nmodel: mlp\ndataset: digits\nengine: " + engine + "\n" + ALL_REDUCE + pace))
                    .containsExactly("job.yaml:5:1: communication: all-reduce is for your own program: add 'framework:"
                            + " python', or leave this out");
        }
        assertThat(problems("name: a\nframework: command\n" + ALL_REDUCE
                        + "roles: {worker: {command: python3 train.py}}\n"))
                .containsExactly("job.yaml:3:1: communication: is for 'framework: python': commands communicate by"
                        + " themselves");
        assertThat(problems(SMALLEST + "communication: allreduce\n"))
                .containsExactly("job.yaml:4:1: communication: must be one of parameter-server, all-reduce, not"
                        + " 'allreduce': did you mean all-reduce?");
    }

    private void write(String name) throws IOException {
        Path path = folder.getRoot().toPath().resolve(name);
        Files.createDirectories(path.resolveSibling(""));
        Files.writeString(path, name);
    }

    private JobFile read(String text) throws IOException, InvalidJobFileException {
        Path file = folder.getRoot().toPath().resolve("job.yaml");
        Files.writeString(file, text);
        return JobFile.read(file, List.of());
    }

    private List<String> problems(String text) throws IOException {
        InvalidJobFileException wrong = catchThrowableOfType(InvalidJobFileException.class, () -> read(text));
        String inFolder = folder.getRoot() + "/job.yaml";
        return wrong.problems().stream()
                .map(FileProblem::toString)
                .map(problem -> problem.replace(inFolder, "job.yaml"))
                .toList();
    }
}
