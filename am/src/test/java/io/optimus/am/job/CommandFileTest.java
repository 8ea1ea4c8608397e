package io.optimus.am.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.optimus.am.job.CommandSpec.Elasticity;
import io.optimus.model.Role;
import io.optimus.model.convergence.StopRule;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Test;

/** Job files of commands that train by themselves. */
public final class CommandFileTest {
    private static final String SMALLEST = "name: a\nframework: command\nroles: {worker: {command: ./train}}\n";

    @Test
    public void readsACommandWithItsDefaults() throws InvalidJobFileException {
        JobSpec spec = read(SMALLEST);

        assertThat(spec.command())
                .contains(new CommandSpec(
                        new TreeMap<>(Map.of(Role.WORKER, "./train")),
                        Elasticity.NONE,
                        30,
                        false,
                        "",
                        new TreeMap<>()));
        assertThat(spec.parameterServer()).isEqualTo(RoleSpec.NONE);
        assertThat(spec.worker().max()).isEqualTo(1);
        assertThat(spec.stop()).isEqualTo(new StopRule.FirstOf(List.of()));
        assertThat(spec.engine().engine()).isEqualTo("command");
    }

    @Test
    public void readsEveryKeyAndWhatItPrints() throws IOException, InvalidJobFileException {
        JobSpec spec = read(
                """
                name: a
                framework: command
                environment: {LR: "0.1"}
                elastic: {kind: restart, graceSeconds: 5}
                checkpoint: {folder: "hdfs:///checkpoints/${application}"}
                roles:
                  worker: {command: python train.py, chief: true, min: 1, max: 4}
                  ps: {command: python serve.py, min: 1, max: 2}
                """);

        CommandSpec command = spec.command().orElseThrow();
        assertThat(command.line(Role.PARAMETER_SERVER)).isEqualTo("python serve.py");
        assertThat(command.elastic()).isEqualTo(Elasticity.RESTART);
        assertThat(command.graceSeconds()).isEqualTo(5);
        assertThat(command.chief()).isTrue();
        assertThat(command.environment()).containsEntry("LR", "0.1");
        assertThat(command.checkpointFolderOf("application_1_2")).isEqualTo("hdfs:///checkpoints/application_1_2");
        assertThat(spec.parameterServer().max()).isEqualTo(2);
        assertThat(read(JobFile.print(spec))).isEqualTo(spec);
        assertThat(JobSpecJson.read(JobSpecJson.write(spec))).isEqualTo(spec);
    }

    @Test
    public void readsWhatItPrintsWithoutParameterServers() throws InvalidJobFileException {
        JobSpec spec = read(SMALLEST);

        assertThat(read(JobFile.print(spec))).isEqualTo(spec);
    }

    @Test
    public void refusesAllThatCommandsDecideThemselves() {
        assertThat(
                        problems(
                                """
                        name: a
                        framework: command
                        mode: asynchronous
                        seed: 7
                        model: mlp
                        program: {script: train.py}
                        checkpoint: {everySteps: 5, folder: here}
                        roles:
                          worker: {max: 2}
                          ps: {min: 2}
                        """))
                .containsExactly(
                        "mode: asynchronous has no meaning for commands, which exchange their gradients themselves: leave"
                                + " it out",
                        "seed: is decided by your commands: leave it out",
                        "model.kind: is decided by your program: leave it out",
                        "program.script: there is no file "
                                + java.nio.file.Path.of("train.py").toAbsolutePath()
                                + ": write its path from the folder of the job file, or a URI of the cluster's file system",
                        "program.script: is decided by your commands: leave it out",
                        "checkpoint.everySteps: is decided by your commands: leave it out",
                        "checkpoint.folder: 'here' would be lost with the container: give an absolute path that all nodes"
                                + " share, or a URI",
                        "roles.worker.command: is required: what each task runs in a shell, with framework command",
                        "roles.worker.max: 2 is above min, but these commands run at a fixed size: add 'elastic: restart'"
                                + " or 'elastic: torchrun' if they can be resized, or leave max out",
                        "roles.ps.min: belongs to a role that has no command: give roles.ps.command, or leave this out");
    }

    @Test
    public void refusesParameterServersBesideTorchrun() {
        assertThat(problems(SMALLEST.replace("}}", "}, ps: {command: x}}") + "elastic: torchrun\n"))
                .containsExactly("roles.ps.command: torchrun knows no parameter servers: leave roles.ps out, or use"
                        + " 'elastic: restart'");
    }

    @Test
    public void refusesKeysOfCommandsInOtherJobs() {
        assertThat(problems("name: a\nmodel: mlp\ndataset: digits\nelastic: restart\nroles: {ps: {command: x}}\n"))
                .containsExactlyInAnyOrder(
                        "elastic.kind: belongs to commands: add 'framework: command', or leave this out",
                        "roles.ps.command: belongs to commands: add 'framework: command', or leave this out");
    }

    private static JobSpec read(String text) throws InvalidJobFileException {
        return JobFile.parse("job.yaml", text, List.of()).spec();
    }

    private static List<String> problems(String text) {
        InvalidJobFileException wrong = catchThrowableOfType(InvalidJobFileException.class, () -> read(text));
        return wrong.problems().stream()
                .map(problem -> problem.key() + ": " + problem.sentence())
                .toList();
    }
}
