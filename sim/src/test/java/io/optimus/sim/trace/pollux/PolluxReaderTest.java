package io.optimus.sim.trace.pollux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.model.Allocation;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.sim.TraceReaders;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.input.InvalidInputException;
import io.optimus.sim.trace.TraceReader.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class PolluxReaderTest {
    private static final String HEADER = "name,time,application,num_replicas,batch_size";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private Path profile = Path.of("");

    @Before
    public void writeProfile() throws IOException {
        profile = folder.newFolder("profiles", "net").toPath();
        write(
                "placements.csv",
                "placement,local_bsz,step_time,sync_time",
                "1,4,1,0.1",
                "1,8,1.5,0.1",
                "2,4,1.2,0.3",
                "2,8,1.8,0.3",
                "44,4,2,0.9",
                "44,8,2.5,0.9");
        write("scalability.csv", "num_nodes,num_replicas,local_bsz,step_time,sync_time", "6,6,4,3,2", "6,12,8,4,2");
        write("validation-8.csv", "progress,iteration,metric,grad_sqr,grad_var", "10,10,1,1,2", "20,20,2,1,2");
        write("validation-64.csv", "progress,iteration,metric,grad_sqr,grad_var", "11,4,1,1,2", "22,8,2,1,2");
    }

    private void write(String file, String... lines) throws IOException {
        Files.write(profile.resolve(file), List.of(lines));
    }

    private Workload read(String... lines) throws IOException, InvalidInputException {
        Path file = folder.getRoot().toPath().resolve("workload.csv");
        Files.write(file, List.of(lines));
        return TraceReaders.read(file, new Surroundings(Optional.ofNullable(profile.getParent()), 16, 4));
    }

    @Test
    public void refusesAFolderWithoutProfiles() throws IOException {
        Path empty = folder.newFolder("empty").toPath();
        Path absent = folder.getRoot().toPath().resolve("absent");

        for (Path profiles : List.of(empty, absent)) {
            profile = profiles.resolve("net");
            assertThatThrownBy(() -> read(HEADER, "net-1,60,net,2,16"))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("names models, and " + profiles + " has no folder of any");
        }
    }

    @Test
    public void readsWhatOwnersAskedFor() throws Exception {
        SimulatedJob job = read(HEADER, "net-1,60,net,2,16").jobs().get(0);

        assertThat(job.id()).isEqualTo("net-1");
        assertThat(job.arrivalSeconds()).isEqualTo(60);
        assertThat(job.requested()).isEqualTo(new Allocation(0, 2));
    }

    @Test
    public void letsJobsHaveAsManyWorkersAsTheirBatchHasSamplesFor() throws Exception {
        SimulatedJob job = read(HEADER, "net-1,60,net,2,16").jobs().get(0);

        assertThat(job.script().workers(job.demand().workers(), Batch.FIXED).max())
                .as("16 samples, 4 each")
                .isEqualTo(4);
        assertThat(job.script().workers(job.demand().workers(), Batch.ADAPTIVE).max())
                .as("as many as were measured")
                .isEqualTo(12);
    }

    @Test
    public void namesEverythingThatIsWrongInAWorkload() {
        assertThatThrownBy(() -> read(
                        HEADER, "a,60,net,2,16", "b,-1,net,0,16", "c,0,other,1,16", "d,0,net,1,9999", "a,9,net,1,16"))
                .hasMessageContaining("line 3: time is \"-1\"")
                .hasMessageContaining("line 3: num_replicas is \"0\"")
                .hasMessageContaining(
                        "line 4: application is \"other\" instead of a model with a folder of its name in ")
                .hasMessageContaining("line 5: batch_size is \"9999\" instead of a number from 8 to 64")
                .hasMessageContaining("line 6: name is \"a\" instead of a name that no other line has: line 2 has it");
    }

    @Test
    public void namesEverythingThatIsWrongInAProfile() throws IOException {
        write("placements.csv", "placement,local_bsz,step_time,sync_time", "1,4,1,2", "x,8,1.5,0.1");
        write("validation-8.csv", "progress,iteration,metric,grad_sqr,grad_var", "10,10,1,1,2", "9,20,2,-1,2");

        assertThatThrownBy(() -> read(HEADER, "a,60,net,2,16"))
                .hasMessageContaining("placements.csv, line 2: sync_time is \"2\"")
                .hasMessageContaining("placements.csv, line 3: placement is \"x\"")
                .hasMessageContaining("validation-8.csv, line 3: progress is \"9\"")
                .hasMessageContaining("validation-8.csv, line 3: grad_sqr is \"-1\"");
    }

    @Test
    public void asksForTheProfiles() {
        assertThatThrownBy(() -> TraceReaders.read(
                        Files.write(folder.getRoot().toPath().resolve("w.csv"), List.of(HEADER, "a,60,net,2,16")),
                        new Surroundings(Optional.empty(), 16, 4)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("name the folder with their profiles");
    }
}
