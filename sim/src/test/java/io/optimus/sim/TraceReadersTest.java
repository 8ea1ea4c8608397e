package io.optimus.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.KnowledgeSource;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.input.InvalidInputException;
import io.optimus.sim.input.TraceTimes;
import io.optimus.sim.knowledge.RunOptions;
import io.optimus.sim.trace.TraceReader;
import io.optimus.sim.truth.SteppingTraining;
import io.optimus.sim.truth.Training;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.Assume;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public class TraceReadersTest {
    private static final TraceReader.Surroundings SURROUNDINGS = new TraceReader.Surroundings(Optional.empty(), 16, 4);
    private static final RunOptions EXACT = RunOptions.of(KnowledgeSource.EXACT, Batch.FIXED);

    @Rule
    public final Timeout timeout = Timeout.seconds(60);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path file(String name, String... lines) throws IOException {
        return Files.write(folder.getRoot().toPath().resolve(name), List.of(lines));
    }

    private static Path shared(String path) {
        Path file = Path.of(System.getProperty("optimus.shared.dir", "../../shared"), "data", path);
        Assume.assumeTrue("Skipped: " + file + " is not there", new File(file.toString()).exists());
        return file;
    }

    /** Returns the seconds of training on the size that the job's owner asked for. */
    private static double seconds(SimulatedJob job, String... nodes) {
        Training training = job.script().begin(EXACT, 1).training();
        int servers = job.requested().parameterServers() / nodes.length;
        int workers = job.requested().workers() / nodes.length;
        Map<String, Allocation> places = new HashMap<>();
        for (String node : nodes) {
            places.put(node, new Allocation(servers, workers));
        }
        training.place(Placement.of(places));
        return training.secondsToNextChange();
    }

    @Test
    public void readsPhillyAndKeepsTheRecordedTimeOnTheRecordedGpus() throws Exception {
        Workload workload = TraceReaders.read(
                file(
                        "philly.csv",
                        "timestamp,duration,num_gpus,gpu_time,cluster",
                        "2017-10-09 07:01:55,66.0,1,66.0,11cb48",
                        "2017-10-09 07:00:55,1000.0,8,8000.0,6214e9",
                        "2017-10-09 07:00:57,0.0,1,0.0,6214e9"),
                SURROUNDINGS);

        assertThat(workload.name()).isEqualTo("philly");
        assertThat(workload.jobs()).extracting(SimulatedJob::arrivalSeconds).containsExactly(0.0, 60.0);
        SimulatedJob large = workload.jobs().get(0);
        assertThat(large.requested()).isEqualTo(new Allocation(0, 8));
        assertThat(large.demand().workers().max()).isEqualTo(16);
        assertThat(large.model()).isEqualTo("6214e9");
        assertThat(seconds(large, "n0", "n1")).isCloseTo(1000, within(1e-6));
        assertThat(seconds(workload.jobs().get(1), "n0")).isCloseTo(66, within(1e-6));
    }

    @Test
    public void readsHeliosAndAlibaba() throws Exception {
        Workload helios = TraceReaders.read(
                file(
                        "helios.csv",
                        "job_id,user,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue,vc",
                        "1,u1,8,32,1,COMPLETED,2020-04-01 00:00:10,2020-04-01 00:00:11,x,120,0,vc1",
                        "2,u1,0,32,1,COMPLETED,2020-04-01 00:00:11,2020-04-01 00:00:11,x,120,0,vc1"),
                SURROUNDINGS);
        Workload alibaba = TraceReaders.read(
                file(
                        "pai.csv",
                        "job_id,submit_time,duration,plan_gpu,inst_num",
                        "a,100,60,50,4",
                        "d,110,60,100,7",
                        "b,160,60,100,1",
                        "c,170,60,,1"),
                SURROUNDINGS);

        assertThat(helios.jobs()).extracting(SimulatedJob::requested).containsExactly(new Allocation(0, 8));
        assertThat(alibaba.jobs())
                .extracting(SimulatedJob::requested)
                .containsExactly(new Allocation(0, 2), new Allocation(0, 7), new Allocation(0, 1));
        assertThat(alibaba.jobs().get(2).arrivalSeconds()).isEqualTo(60);
    }

    /** Alibaba's published simulator has the same figures: GPUs, or parts of one, for each instance. */
    @Test
    public void multipliesGpusOfAnInstanceByTheNumberOfInstances() throws Exception {
        Workload workload = TraceReaders.read(
                file(
                        "pai_job_duration.csv",
                        "job_id,user,num_gpu,num_inst,submit_time,duration",
                        "a,u,2,3,100,60",
                        "b,u,0.5,3,160,60",
                        "c,u,1,,170,60"),
                SURROUNDINGS);

        assertThat(workload.jobs())
                .extracting(SimulatedJob::requested)
                .containsExactly(new Allocation(0, 6), new Allocation(0, 2), new Allocation(0, 1));
    }

    @Test
    public void readsColumnsInAnyOrderWithQuotesMarksAndEmptyLines() throws Exception {
        Path file = folder.getRoot().toPath().resolve("windows.csv");
        Files.writeString(
                file,
                "\uFEFF\"duration\",gpu_num, submit_time,vc\r\n"
                        + "60,1,2020-04-01 00:00:10,\"a, \"\"b\"\"\"\r\n\r\n"
                        + "\"120\", 2 ,2020-04-01 00:00:00,c\r\n");

        Workload workload = TraceReaders.read(file, SURROUNDINGS);

        assertThat(workload.jobs()).extracting(SimulatedJob::model).containsExactly("c", "a, \"b\"");
        assertThat(workload.jobs()).extracting(SimulatedJob::arrivalSeconds).containsExactly(0.0, 10.0);
        assertThat(seconds(workload.jobs().get(0), "n0")).isCloseTo(120, within(1e-6));
    }

    @Test
    public void readsTimesAsTracesWriteThem() {
        double expected = 1_585_699_210;
        assertThat(List.of(
                        "2020-04-01 00:00:10",
                        "2020-04-01T00:00:10Z",
                        "2020-04-01T08:00:10.000+08:00",
                        "2020-03-31 17:00:10 PDT",
                        "1585699210",
                        "1585699210000"))
                .allSatisfy(
                        text -> assertThat(TraceTimes.seconds(text)).as(text).hasValueCloseTo(expected, within(1e-6)));
        assertThat(TraceTimes.seconds("2020-04-01")).hasValueCloseTo(expected - 10, within(1e-6));
        assertThat(List.of("", "yesterday", "04/01/2020 00:00:10", "NaN"))
                .allSatisfy(
                        text -> assertThat(TraceTimes.seconds(text)).as(text).isEmpty());
    }

    @Test
    public void refusesATraceWithoutJobsToRun() throws IOException {
        String header = "job_id,submit_time,duration,gpu_num";
        assertThat(catchThrowableOfType(
                                InvalidInputException.class,
                                () -> TraceReaders.read(file("none.csv", header, "1,0,0,4", "2,0,100,0"), SURROUNDINGS))
                        .problems()
                        .toString())
                .contains("none.csv has no job that ran on a GPU");
        assertThat(catchThrowableOfType(
                                InvalidInputException.class, () -> TraceReaders.read(file("empty.csv"), SURROUNDINGS))
                        .problems()
                        .toString())
                .contains("empty.csv is empty");
    }

    @Test
    public void readsMeasuredSpeedsAsTruth() throws Exception {
        String header = "model,sync_mode,global_batch,num_ps,num_worker,steps_per_s,valid";
        Workload workload = TraceReaders.read(
                file(
                        "speeds.csv",
                        header,
                        "lenet,dist_sync,32,1,1,1.0,1",
                        "lenet,dist_sync,32,1,2,1.5,1",
                        "lenet,dist_sync,32,2,1,1.2,1",
                        "lenet,dist_sync,32,2,2,2.5,1",
                        "lenet,dist_sync,32,2,3,99,0"),
                SURROUNDINGS);

        assertThat(workload.jobs()).hasSize(9);
        Training training = workload.jobs().get(0).script().begin(EXACT, 1).training();
        training.place(Placement.of(Map.of("n0", new Allocation(2, 2))));
        assertThat(training.stepsPerSecond()).isEqualTo(2.5);
        training.place(Placement.of(Map.of("n0", new Allocation(1, 2))));
        assertThat(training.stepsPerSecond()).isEqualTo(1.5);
    }

    @Test
    public void readsAFolderOfJournalsAsOneWorkload() throws Exception {
        folder.newFolder("one");
        folder.newFolder("two");
        file(
                "one/journal.jsonl",
                "{\"at\":10000,\"event\":\"started\",\"attempt\":1,\"application\":\"application_1_1\"}",
                "{\"at\":11000,\"event\":\"resize\",\"fromPs\":0,\"fromWorkers\":0,\"toPs\":1,\"toWorkers\":1,\"pauseMillis\":0}",
                "{\"at\":12000,\"event\":\"speed\",\"ps\":1,\"workers\":1,\"stepsPerSecond\":4.0,\"seconds\":10}",
                "{\"at\":12500,\"event\":\"loss\",\"step\":39,\"loss\":2.0}",
                "{\"at\":13000,\"event\":\"resize\",\"fromPs\":1,\"fromWorkers\":1,\"toPs\":1,\"toWorkers\":2,\"pauseMillis\":500}",
                "{\"at\":14000,\"event\":\"speed\",\"ps\":1,\"workers\":2,\"stepsPerSecond\":6.0,\"seconds\":10}",
                "{\"at\":15000,\"event\":\"finished\",\"steps\":100,\"epochs\":4}",
                "{\"at\":15001,\"event\":\"en");
        file(
                "two/journal.jsonl",
                "{\"at\":4000,\"event\":\"started\",\"attempt\":1,\"application\":\"application_1_2\"}");

        Workload workload = TraceReaders.read(folder.getRoot().toPath(), SURROUNDINGS);

        assertThat(workload.jobs()).hasSize(1);
        SimulatedJob job = workload.jobs().get(0);
        assertThat(job.id()).isEqualTo("application_1_1");
        assertThat(job.pauses().resizeSeconds()).hasValue(0.5);
        assertThat(job.requested()).isEqualTo(new Allocation(1, 2));
        assertThat(seconds(job, "n0")).isCloseTo(100 / 6.0, within(1e-9));
    }

    @Test
    public void readsTheCostOfSeveralNodesFromAJournal() throws Exception {
        Path journal = file(
                "journal.jsonl",
                "{\"at\":11000,\"event\":\"resize\",\"fromPs\":0,\"fromWorkers\":0,\"toPs\":2,\"toWorkers\":2,\"pauseMillis\":0}",
                "{\"at\":12000,\"event\":\"speed\",\"ps\":1,\"workers\":1,\"stepsPerSecond\":4.0,\"seconds\":10}",
                "{\"at\":13000,\"event\":\"speed\",\"ps\":1,\"workers\":2,\"stepsPerSecond\":6.0,\"seconds\":10}",
                speedOnNodes(1, 8.0),
                speedOnNodes(2, 4.0),
                "{\"at\":15000,\"event\":\"finished\",\"steps\":100,\"epochs\":4}");

        SimulatedJob job = TraceReaders.read(journal, SURROUNDINGS).jobs().get(0);

        assertThat(seconds(job, "n0", "n1")).isGreaterThan(1.5 * seconds(job, "n0"));
    }

    private static String speedOnNodes(int nodes, double stepsPerSecond) {
        return "{\"at\":14000,\"event\":\"speed\",\"ps\":2,\"workers\":2,\"stepsPerSecond\":" + stepsPerSecond
                + ",\"seconds\":10,\"nodes\":" + nodes + ",\"workerNode\":\"n0:1\"}";
    }

    /** The second ApplicationMaster continued from a checkpoint at step 20; its journal has nothing from before. */
    @Test
    public void readsTheJournalsOfAllApplicationMastersOfAJobAsOne() throws Exception {
        file(
                "journal-2.jsonl",
                "{\"at\":30000,\"event\":\"started\",\"attempt\":2,\"application\":\"application_1_1\"}",
                "{\"at\":31000,\"event\":\"registering\",\"step\":20}",
                "{\"at\":32000,\"event\":\"loss\",\"step\":29,\"loss\":1.5}",
                "{\"at\":33000,\"event\":\"finished\",\"steps\":50,\"epochs\":2}");
        file(
                "journal.jsonl",
                "{\"at\":10000,\"event\":\"started\",\"attempt\":1,\"application\":\"application_1_1\"}",
                "{\"at\":12000,\"event\":\"speed\",\"ps\":1,\"workers\":1,\"stepsPerSecond\":4.0,\"seconds\":10}",
                "{\"at\":12100,\"event\":\"loss\",\"step\":19,\"loss\":2.0}",
                "{\"at\":12200,\"event\":\"loss\",\"step\":29,\"loss\":1.8}");

        Workload workload = TraceReaders.read(folder.getRoot().toPath(), SURROUNDINGS);

        assertThat(workload.jobs()).extracting(SimulatedJob::id).containsExactly("application_1_1");
        SteppingTraining training = (SteppingTraining)
                workload.jobs().get(0).script().begin(EXACT, 1).training();
        training.place(Placement.of(Map.of("n0", new Allocation(1, 1))));
        assertThat(training.secondsToNextChange()).isEqualTo(50 / 4.0);
        training.run(12.5);
        assertThat(training.reports().takeLosses()).containsExactly(new LossPoint(19, 2.0), new LossPoint(29, 1.5));
    }

    @Test
    public void refusesAJournalWithEveryLineThatIsWrong() throws IOException {
        Path bad = file(
                "journal.jsonl",
                "{\"at\":10000,\"event\":\"started\",\"attempt\":1,\"application\":\"application_1_1\"}",
                "{\"at\":12000,\"event\":\"speed\",\"ps\":1,\"workers\":1,\"seconds\":10}",
                "a line of a log",
                "{\"at\":12200,\"event\":\"lo");

        assertThat(catchThrowableOfType(InvalidInputException.class, () -> TraceReaders.read(bad, SURROUNDINGS))
                        .problems())
                .hasSize(2)
                .anyMatch(problem ->
                        problem.contains("line 2 is no event of a journal") && problem.contains("stepsPerSecond"))
                .anyMatch(problem -> problem.contains("line 3 is no event of a journal: it is no object in JSON"));
    }

    @Test
    public void refusesABadFileWithEveryLineThatIsWrong() throws IOException {
        Path bad = file(
                "bad.csv",
                "timestamp,duration,num_gpus,gpu_time,cluster",
                "yesterday,66.0,1,66.0,a",
                "2017-10-09 07:01:55,-5,1,66.0,a",
                "2017-10-09 07:01:55,66.0,many,66.0,a",
                "2017-10-09 07:01:55,66.0");

        InvalidInputException refused =
                catchThrowableOfType(InvalidInputException.class, () -> TraceReaders.read(bad, SURROUNDINGS));

        assertThat(refused.problems()).hasSize(4);
        assertThat(refused.problems().toString())
                .contains("line 2: timestamp is \"yesterday\"")
                .contains("line 3: duration is \"-5\"")
                .contains("line 4: num_gpus is \"many\"")
                .contains("line 5: 2 fields instead of 5");
    }

    @Test
    public void refusesAFileOfNoKnownFormatAndNamesAllFormats() throws IOException {
        Path unknown = file("unknown.csv", "a,b,c", "1,2,3");

        InvalidInputException refused =
                catchThrowableOfType(InvalidInputException.class, () -> TraceReaders.read(unknown, SURROUNDINGS));

        assertThat(refused.problems().toString())
                .contains("\"a,b,c\"")
                .contains("Philly")
                .contains("num_worker");
    }

    /** Tries files of every format, each without one of its columns. */
    @Test
    public void namesTheMostLikelyFormatOfAFileAndItsMissingColumns() throws IOException {
        List<String> headers = List.of(
                "timestamp,duration,num_gpus,gpu_time,cluster",
                "job_id,user,gpu_num,state,submit_time,start_time,duration,vc",
                "name,time,application,num_replicas,batch_size",
                "model,sync_mode,global_batch,num_ps,num_worker,steps_per_s,valid");
        for (String header : headers) {
            TraceReader kind = TraceReaders.all().stream()
                    .filter(reader -> reader.recognises(header))
                    .findFirst()
                    .orElseThrow();
            for (List<String> names : kind.header().columns()) {
                String column =
                        names.stream().filter(header::contains).findFirst().orElseThrow();
                assertThat(problemOf(header.replace(column, "x")))
                        .contains(kind.kind() + ", but lacks the column ")
                        .contains(String.join(" or ", names));
            }
        }
    }

    @Test
    public void namesAllEquallyLikelyFormats() throws IOException {
        assertThat(problemOf("duration,num_gpus"))
                .contains("most like Philly, but lacks the column timestamp. Remedy: rename the column that holds it")
                .contains("; or Helios or Alibaba, but lacks the column submit_time or submission_time");
        assertThat(problemOf("time,application,batch_size"))
                .contains(
                        "most like Pollux, but lacks the columns name, num_replicas. Remedy: rename the columns that hold them");
    }

    @Test
    public void asksForCommasBetweenColumns() throws IOException {
        assertThat(problemOf("timestamp;duration;num_gpus")).contains("replace each \";\" by a comma");
        assertThat(problemOf("submit_time\tduration\tgpu_num")).contains("no commas between its columns");
    }

    private String problemOf(String header) throws IOException {
        Path file = file("mangled.csv", header, "1,2,3,4,5,6,7,8");
        return catchThrowableOfType(InvalidInputException.class, () -> TraceReaders.read(file, SURROUNDINGS))
                .problems()
                .toString();
    }

    private static final String MEASURED = "valid,num_worker,num_ps,model,global_batch,steps_per_s";

    @Test
    public void takesTheMeanOfValidRepeatsAndSkipsFailedOnes() throws Exception {
        Workload measured = TraceReaders.read(
                file(
                        "speeds.csv",
                        MEASURED,
                        "True,1,1,mine,32,2.4",
                        "true,1,1,mine,32,2.6",
                        "False,1,1,mine,32,0.001",
                        "0,2,1,mine,32,",
                        "1,1,1,other,32,0"),
                SURROUNDINGS);

        assertThat(measured.jobs()).extracting(SimulatedJob::model).containsOnly("mine");
        SimulatedJob.Begun begun = measured.jobs().get(0).script().begin(EXACT, 1);
        begun.training().place(Placement.of(Map.of("n0", new Allocation(1, 1))));
        assertThat(begun.training().stepsPerSecond()).isCloseTo(2.5, within(1e-9));
    }

    @Test
    public void refusesMeasuredSpeedsThatContradictEachOther() throws Exception {
        Path file = file("speeds.csv", MEASURED, "1,1,1,mine,32,2.4", "1,2,1,mine,64,2.6", "maybe,2,1,mine,32,3");

        assertThatThrownBy(() -> TraceReaders.read(file, SURROUNDINGS))
                .hasMessageContaining("line 3: global_batch is \"64\" instead of the 32 that another row has")
                .hasMessageContaining("line 4: valid is \"maybe\" instead of 1, true, 0 or false");
    }

    @Test
    public void readsTheWholePhillyTrace() throws Exception {
        Workload philly = TraceReaders.read(shared("philly/philly.csv"), SURROUNDINGS);

        assertThat(philly.jobs()).hasSizeBetween(80_000, 82_247);
        assertThat(philly.jobs().get(0).arrivalSeconds()).isZero();
    }

    @Test
    public void readsTheMeasuredSpeedsOfTheTestbed() throws Exception {
        Workload measured = TraceReaders.read(shared("parameter-server/measured-speed.csv"), SURROUNDINGS);

        assertThat(measured.jobs()).extracting(SimulatedJob::model).contains("resnet-50", "vgg-16", "seq2seq");
    }
}
