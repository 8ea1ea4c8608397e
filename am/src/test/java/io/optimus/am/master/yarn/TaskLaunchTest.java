package io.optimus.am.master.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.job.JobSpecs;
import io.optimus.am.master.yarn.TaskLaunch.Natives;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Role;
import java.util.Map;
import org.junit.Test;

public class TaskLaunchTest {
    @Test
    public void sizesTheHeapWithinTheContainer() {
        assertThat(launch(Natives.NONE).heapMb(Role.WORKER, 1024)).isEqualTo(524);
        assertThat(launch(Natives.ARCHIVE).heapMb(Role.WORKER, 1024)).isEqualTo(256);
        assertThat(launch(Natives.ARCHIVE).heapMb(Role.WORKER, 2048))
                .as("of a larger container")
                .isEqualTo(512);
        assertThat(launch(Natives.ARCHIVE).heapMb(Role.PARAMETER_SERVER, 512)).isEqualTo(273);
        assertThat(launch(Natives.ARCHIVE).command(Role.PARAMETER_SERVER, 512))
                .contains("-Xmx273m", "-Xmn16m", "-XX:MaxDirectMemorySize=89m");
    }

    @Test
    public void readsTheSecretFromItsFileOnly() {
        String command = launch(Natives.NONE).command(Role.WORKER, 1024);

        assertThat(command).startsWith("export OPTIMUS_SECRET=\\$(cat job.secret) && exec ");
        assertThat(command).contains("io.optimus.am.worker.WorkerProcess", "-Xmx524m", "<LOG_DIR>/stderr");
        assertThat(launch(Natives.NONE).environment(TaskId.worker(3), "h1")).doesNotContainKey("OPTIMUS_SECRET");
    }

    @Test
    public void setsTheTasksNameAndTheCoordinatorsAddress() {
        Map<String, String> environment = launch(Natives.NONE).environment(TaskId.worker(3), "h1");

        assertThat(environment)
                .containsEntry("OPTIMUS_TASK", "worker-3")
                .containsEntry("OPTIMUS_COORDINATOR", "master:4711")
                .containsEntry("OPTIMUS_HOST", "h1")
                .containsEntry("OMP_NUM_THREADS", "2")
                .containsEntry("OPTIMUS_PORTS", "1-2")
                .containsEntry("CLASSPATH", "{{PWD}}/optimus-am.jar");
    }

    @Test
    public void givesNativeLibrariesToWorkersOnly() {
        assertThat(launch(Natives.ARCHIVE).environment(TaskId.worker(0), "h1"))
                .containsEntry("PYTORCH_LIBRARY_PATH", "{{PWD}}/libtorch/pytorch/cpu/linux-x86_64");
        assertThat(launch(new Natives("/opt/torch")).environment(TaskId.worker(0), "h1"))
                .containsEntry("PYTORCH_LIBRARY_PATH", "/opt/torch");
        assertThat(launch(Natives.ARCHIVE).environment(TaskId.server(0), "h1"))
                .doesNotContainKey("PYTORCH_LIBRARY_PATH");
    }

    @Test
    public void leavesTheMemoryToTheOwnersProgram() {
        TaskLaunch launch = launchOfProgram();

        assertThat(launch.command(Role.WORKER, 2096)).contains("-Xmx96m", "-XX:MaxDirectMemorySize=1000m");
        assertThat(launch.heapMb(Role.PARAMETER_SERVER, 512)).isEqualTo(298);
    }

    @Test
    public void startsOneThreadOfPyTorchForEachVirtualCoreUnlessTheOwnerSaysOtherwise() {
        assertThat(launchOfProgram().environment(TaskId.worker(0), "h1"))
                .containsEntry("OMP_NUM_THREADS", "3")
                .containsEntry("PYTHONUNBUFFERED", "1")
                .doesNotContainKey("PYTORCH_LIBRARY_PATH");
        assertThat(launchOfProgram("roles.worker.environment={OMP_NUM_THREADS: 1}")
                        .environment(TaskId.worker(0), "h1"))
                .containsEntry("OMP_NUM_THREADS", "1");
        assertThat(launchOfProgram().environment(TaskId.server(0), "h1")).doesNotContainKey("OMP_NUM_THREADS");
    }

    @Test
    public void runsTasksInTheDockerImageOfTheJob() {
        assertThat(launchOfProgram(
                                "docker.image=registry:5000/torch:2.4", "docker.mounts=[/data:/data:ro, /tmp/a:/b:rw]")
                        .environment(TaskId.worker(0), "h1"))
                .containsEntry("YARN_CONTAINER_RUNTIME_TYPE", "docker")
                .containsEntry("YARN_CONTAINER_RUNTIME_DOCKER_IMAGE", "registry:5000/torch:2.4")
                .containsEntry("YARN_CONTAINER_RUNTIME_DOCKER_CONTAINER_NETWORK", "host")
                .containsEntry("YARN_CONTAINER_RUNTIME_DOCKER_MOUNTS", "/data:/data:ro,/tmp/a:/b:rw")
                .doesNotContainKey("JAVA_HOME");
        assertThat(launchOfProgram("docker.image=torch", "docker.javaHome=/opt/java")
                        .environment(TaskId.server(0), "h1"))
                .containsEntry("YARN_CONTAINER_RUNTIME_DOCKER_IMAGE", "torch")
                .containsEntry("JAVA_HOME", "/opt/java");
        assertThat(launchOfProgram().environment(TaskId.worker(0), "h1"))
                .doesNotContainKey("YARN_CONTAINER_RUNTIME_TYPE");
    }

    @Test
    public void letsOneRoleHaveAnotherDockerImage() {
        assertThat(launchOfProgram(
                                "docker.image=java",
                                "roles.worker.environment={YARN_CONTAINER_RUNTIME_DOCKER_IMAGE: torch}")
                        .environment(TaskId.worker(0), "h1"))
                .containsEntry("YARN_CONTAINER_RUNTIME_DOCKER_IMAGE", "torch");
    }

    @Test
    public void tellsTasksHowManyGpusTheyAskedFor() {
        TaskLaunch launch = launchOfProgram("roles.worker.gpus=2");
        assertThat(launch.environment(TaskId.worker(0), "h1")).containsEntry("OPTIMUS_GPUS", "2");
        assertThat(launch.environment(TaskId.server(0), "h1")).containsEntry("OPTIMUS_GPUS", "0");
    }

    private static TaskLaunch launchOfProgram(String... overrides) {
        return new TaskLaunch(JobSpecs.program(overrides), Natives.NONE, "master:4711", Map.of());
    }

    private static TaskLaunch launch(Natives natives) {
        return new TaskLaunch(
                JobSpecs.emulated(), natives, "master:4711", Map.of("OPTIMUS_PORTS", "1-2", "OMP_NUM_THREADS", "8"));
    }
}
