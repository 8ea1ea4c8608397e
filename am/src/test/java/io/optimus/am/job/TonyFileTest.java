package io.optimus.am.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.optimus.am.yaml.FileProblem;
import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Files of TonY in place of job files; the first ones are those that TonY publishes with its examples. */
public final class TonyFileTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void readsThePublishedExampleOfPyTorch() throws InvalidJobFileException {
        JobFile file = JobFile.parse(
                "tony-test.xml",
                xml(
                        "tony.application.security.enabled", "false",
                        "tony.ps.instances", "0",
                        "tony.worker.instances", "2",
                        "tony.application.framework", "pytorch"),
                List.of("roles.worker.command=venv/bin/python mnist_distributed.py"));

        JobSpec spec = file.spec();
        assertThat(spec.command().orElseThrow().line(Role.WORKER)).isEqualTo("venv/bin/python mnist_distributed.py");
        assertThat(spec.worker().min()).isEqualTo(2);
        assertThat(spec.worker().max()).isEqualTo(2);
        assertThat(spec.worker().task()).isEqualTo(Resources.of(2048, 1, 0));
        assertThat(spec.parameterServer()).isEqualTo(RoleSpec.NONE);
        assertThat(file.warnings())
                .containsExactly("these keys of tony-test.xml have no counterpart and are ignored:"
                        + " tony.application.security.enabled");
    }

    @Test
    public void readsThePublishedExampleOfTensorFlow() throws InvalidJobFileException {
        JobSpec spec = JobFile.parse(
                        "tony-test.xml",
                        xml("tony.worker.instances", "3", "tony.worker.memory", "4g"),
                        List.of("roles.worker.command=python m.py", "roles.ps.command=python m.py"))
                .spec();

        assertThat(spec.worker().min()).isEqualTo(3);
        assertThat(spec.worker().task()).isEqualTo(Resources.of(4096, 1, 0));
        assertThat(spec.parameterServer().max()).isEqualTo(1);
        assertThat(spec.parameterServer().task()).isEqualTo(Resources.of(2048, 1, 0));
    }

    @Test
    public void mapsEveryKeyOfTheTable() throws IOException, InvalidJobFileException {
        Path file = folder.newFile("tony.xml").toPath();
        folder.newFile("train.py");
        folder.newFile("venv.zip");
        Files.writeString(
                file,
                xml(
                        "tony.application.name", "mnist",
                        "tony.yarn.queue", "research",
                        "tony.containers.command", "venv/bin/python train.py",
                        "tony.containers.resources", "train.py,venv.zip::venv#archive",
                        "tony.containers.envs", "A=1,B=x=y",
                        "tony.execution.envs", "C=3",
                        "tony.chief.instances", "1",
                        "tony.worker.instances", "2",
                        "tony.worker.memory", "3072m",
                        "tony.worker.vcores", "4",
                        "tony.worker.gpus", "1",
                        "tony.ps.instances", "2",
                        "tony.ps.command", "venv/bin/python serve.py",
                        "tony.am.memory", "1g",
                        "tony.am.vcores", "2",
                        "tony.am.retry-count", "2"));

        JobFile job = JobFile.read(file, List.of());
        JobSpec spec = job.spec();

        assertThat(spec.name()).isEqualTo("mnist");
        assertThat(spec.queue()).isEqualTo("research");
        assertThat(spec.worker().min()).isEqualTo(3);
        assertThat(spec.worker().task()).isEqualTo(Resources.of(3072, 4, 1));
        assertThat(spec.parameterServer().min()).isEqualTo(2);
        CommandSpec command = spec.command().orElseThrow();
        assertThat(command.chief()).isTrue();
        assertThat(command.line(Role.WORKER)).isEqualTo("venv/bin/python train.py");
        assertThat(command.line(Role.PARAMETER_SERVER)).isEqualTo("venv/bin/python serve.py");
        assertThat(command.environment()).hasToString("{A=1, B=x=y, C=3}");
        assertThat(spec.workerFiles())
                .containsExactly(
                        new WorkerFile("train.py", "train.py", false), new WorkerFile("venv.zip", "venv", true));
        assertThat(spec.master().memoryMb()).isEqualTo(1024);
        assertThat(spec.maxAttempts()).isEqualTo(3);
        assertThat(job.warnings()).isEmpty();
    }

    @Test
    public void refusesAllThatCannotBeMappedTogether() {
        assertThat(problems(xml(
                        "tony.application.framework", "horovod",
                        "tony.containers.command", "x",
                        "tony.scheduler.instances", "1",
                        "tony.worker.memory", "much",
                        "tony.chief.instances", "1",
                        "tony.chief.memory", "8g",
                        "tony.ps.instances", "some",
                        "tony.worker.node-label", "gpu",
                        "tony.application.enable-preprocess", "true")))
                .extracting(FileProblem::key)
                .containsExactlyInAnyOrder(
                        "tony.application.framework",
                        "tony.scheduler.instances",
                        "tony.worker.memory",
                        "tony.chief.memory",
                        "tony.ps.instances",
                        "tony.worker.node-label",
                        "tony.application.enable-preprocess");
    }

    @Test
    public void namesTheLineOfBrokenXmlAndReadsNoOtherFile() {
        assertThat(problems("<configuration>\n<property></name>"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.where().line()).isEqualTo(2);
                    assertThat(problem.sentence()).startsWith("This is no XML file of properties");
                });
        assertThat(problems("<!DOCTYPE c [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>"
                        + "<configuration><property><name>tony.application.name</name><value>&e;</value></property>"
                        + "</configuration>"))
                .isNotEmpty()
                .noneSatisfy(problem -> assertThat(problem.sentence()).contains("root"));
    }

    private static List<FileProblem> problems(String text) {
        return catchThrowableOfType(InvalidJobFileException.class, () -> JobFile.parse("tony.xml", text, List.of()))
                .problems();
    }

    private static String xml(String... pairs) {
        StringBuilder text = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
        for (int i = 0; i < pairs.length; i += 2) {
            text.append("  <property>\n    <name>")
                    .append(pairs[i])
                    .append("</name>\n    <value>")
                    .append(pairs[i + 1])
                    .append("</value>\n  </property>\n");
        }
        return text.append("</configuration>\n").toString();
    }
}
