package io.optimus.am.engine.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeNoException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.Timeout;

public final class OutOfMemoryKillsTest {
    private static final Path GROUPS = Path.of("/sys/fs/cgroup/memory");

    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void noticesThatTheCountOfTheMachineHasRisen() throws IOException {
        Path proc = folder.newFolder("proc").toPath();
        Files.writeString(proc.resolve("vmstat"), "nr_free_pages 7\noom_kill 3\n");
        OutOfMemoryKills kills = OutOfMemoryKills.fromNow(proc, folder.getRoot().toPath());
        assertThat(kills.areOfContainer()).isFalse();
        assertThat(kills.any()).isFalse();

        Files.writeString(proc.resolve("vmstat"), "nr_free_pages 7\noom_kill 4\n");
        assertThat(kills.any()).isTrue();
    }

    @Test
    public void countsThoseOfItsControlGroupWhereItHasOne() throws IOException {
        for (String line : List.of("0::/yarn/container_1", "9:cpu:/x\n4:memory:/yarn/container_1")) {
            Path proc = folder.newFolder().toPath();
            Files.writeString(Files.createDirectory(proc.resolve("self")).resolve("cgroup"), line + "\n");
            Path groups = folder.newFolder().toPath();
            Path counters = line.startsWith("0")
                    ? groups.resolve("yarn/container_1/memory.events")
                    : groups.resolve("memory/yarn/container_1/memory.oom_control");
            Files.createDirectories(counters.getParent());
            Files.writeString(counters, "under_oom 0\noom_kill 0\n");
            OutOfMemoryKills kills = OutOfMemoryKills.fromNow(proc, groups);
            assertThat(kills.areOfContainer()).as(line).isTrue();
            assertThat(kills.any()).isFalse();

            Files.writeString(counters, "under_oom 0\noom_kill 1\n");
            assertThat(kills.any()).isTrue();
        }
    }

    @Test
    public void takesNoOtherGroupForThatOfItsContainer() throws IOException {
        Path proc = folder.newFolder().toPath();
        Files.writeString(
                Files.createDirectory(proc.resolve("self")).resolve("cgroup"),
                "0::/system.slice/nodemanager.service\n");
        assertThat(OutOfMemoryKills.fromNow(proc, proc).areOfContainer()).isFalse();
    }

    @Test
    public void knowsOfNoneWhereLinuxDoesNotCount() throws IOException {
        Path nothing = folder.newFolder().toPath();
        assertThat(OutOfMemoryKills.fromNow(nothing, nothing).any()).isFalse();
    }

    @Test
    public void aProcessThatWasKilledHasNotRunOutOfMemory() throws Exception {
        ProgramProcess killed = start("kill -9 $$");
        killed.awaitExit();
        assertThat(killed.ranOutOfMemory()).isFalse();
        assertThat(killed.exitInWords("roles.worker.memoryMb")).contains("SIGKILL: perhaps it ran out of memory");
    }

    @Test
    public void aProcessThatLinuxKillsForItsMemoryHasRunOutOfIt() throws Exception {
        Path group = groupOf(50);
        try {
            ProgramProcess greedy =
                    start("echo $$ > " + group + "/cgroup.procs; exec python3 -c 'print(len(bytearray(200 << 20)))'");
            greedy.awaitExit();
            assertThat(greedy.ranOutOfMemory()).isTrue();
            assertThat(greedy.exitInWords("roles.worker.memoryMb"))
                    .contains("killed by Linux", "raise roles.worker.memoryMb");
        } finally {
            Files.delete(group);
        }
    }

    /** A control group with that many MiB; the test is skipped where none can be made. */
    private static Path groupOf(int memoryMb) {
        Path group = GROUPS.resolve("optimus-test-" + UUID.randomUUID());
        try {
            Files.createDirectory(group);
            Files.writeString(group.resolve("memory.limit_in_bytes"), String.valueOf((long) memoryMb << 20));
        } catch (IOException e) {
            assumeNoException("no control group of memory can be made here", e);
        }
        return group;
    }

    /** The counts of this machine, without those of the control group that this process may be in. */
    private Path machine() throws IOException {
        Path proc = folder.newFolder().toPath();
        Files.createSymbolicLink(proc.resolve("vmstat"), Path.of("/proc/vmstat"));
        return proc;
    }

    private ProgramProcess start(String script) throws IOException {
        return ProgramProcess.start(
                List.of("bash", "-c", script),
                folder.getRoot().toPath(),
                Map.of(),
                new ByteArrayOutputStream(),
                OutOfMemoryKills.fromNow(machine(), folder.getRoot().toPath()));
    }
}
