package io.optimus.yarn.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.optimus.model.job.SchedulingTerms;
import io.optimus.protocol.setting.InvalidSettingsException;
import io.optimus.protocol.setting.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.Test;

public final class OptimusConfigurationTest {
    private final Configuration configuration = new Configuration(false);

    @Test
    public void hasDefaults() {
        OptimusConfiguration read = OptimusConfiguration.read(configuration);

        assertThat(read.mode()).isEqualTo(SchedulerMode.ENFORCE);
        assertThat(read.rounds().intervalMillis()).isEqualTo(60_000);
        assertThat(read.policies().of("root.anywhere")).isEqualTo("marginal-goodput");
        assertThat(read.jobLimits().lossPoints()).isEqualTo(512);
    }

    @Test
    public void readsWhatIsSet() {
        configuration.set("yarn.scheduler.optimus.mode", "advise");
        configuration.set("yarn.scheduler.optimus.round-interval", "500ms");
        configuration.set("yarn.scheduler.optimus.grace-time", "7");
        configuration.set("yarn.scheduler.optimus.rpc-handlers", "3");
        configuration.set("yarn.scheduler.optimus.queue.root.research.policy", "optimus");
        configuration.set("yarn.scheduler.optimus.gpu-types", "a100=2.5, v100=1");

        OptimusConfiguration read = OptimusConfiguration.read(configuration);

        assertThat(read.mode()).isEqualTo(SchedulerMode.ADVISE);
        assertThat(read.rounds().intervalMillis()).isEqualTo(500);
        assertThat(read.shrinking().graceMillis()).isEqualTo(7_000);
        assertThat(read.service().rpcHandlers()).isEqualTo(3);
        assertThat(read.policies().byQueue()).containsEntry("root.research", "optimus");
        assertThat(read.policies().gpuTypes().speed("a100")).isEqualTo(2.5);
        assertThat(read.policies().gpuTypes().speed("k80")).isEqualTo(1);
    }

    @Test
    public void namesEveryProblemAtOnceWithItsRemedy() {
        configuration.set("yarn.scheduler.optimus.mode", "loud");
        configuration.set("yarn.scheduler.optimus.round-interval", "1ms");
        configuration.set("yarn.scheduler.optimus.grace-time", "soon");
        configuration.set("yarn.scheduler.optimus.loss-points-per-job", "many");
        configuration.set("yarn.scheduler.optimus.rpc-handlers", "0");
        configuration.set("yarn.scheduler.optimus.queue.root.a.policy", "magic");
        configuration.set("yarn.scheduler.optimus.rond-interval", "60s");
        configuration.set("yarn.scheduler.optimus.gpu-types", "a100=2.5,v100=fast");

        assertThatExceptionOfType(InvalidSettingsException.class)
                .isThrownBy(() -> OptimusConfiguration.read(configuration))
                .withMessageContainingAll(
                        "8 configuration problem(s)",
                        "yarn.scheduler.optimus.mode=loud is not one of enforce, advise, off. Remedy:",
                        "yarn.scheduler.optimus.round-interval=1ms",
                        "yarn.scheduler.optimus.grace-time=soon",
                        "yarn.scheduler.optimus.loss-points-per-job=many",
                        "yarn.scheduler.optimus.rpc-handlers=0",
                        "yarn.scheduler.optimus.queue.root.a.policy=magic",
                        "yarn.scheduler.optimus.rond-interval is not a key of this version: did you mean yarn.scheduler.optimus.round-interval?",
                        "yarn.scheduler.optimus.gpu-types=a100=2.5,v100=fast is not alike, or NAME=NUMBER");
    }

    @Test
    public void namesTheKeyThatAMisspeltQueueKeyWasMeantToBe() {
        configuration.set("yarn.scheduler.optimus.queue.root.research.polcy", "optimus");

        assertThatExceptionOfType(InvalidSettingsException.class)
                .isThrownBy(() -> OptimusConfiguration.read(configuration))
                .withMessageContaining("did you mean yarn.scheduler.optimus.queue.root.research.policy?");
    }

    @Test
    public void aQueueHasTheLimitsOfTheNearestQueueAboveIt() {
        configuration.set("yarn.scheduler.optimus.min-run-limit", "2h");
        configuration.set("yarn.scheduler.optimus.queue.root.research.min-run-limit", "10m");
        configuration.set("yarn.scheduler.optimus.queue.root.research.unpreemptible-jobs", "preempted");
        configuration.set("yarn.scheduler.optimus.queue.root.research.vision.min-run-limit", "1h");
        configuration.set("yarn.scheduler.optimus.queue.root.jobs-per-user", "4");
        SchedulingTerms asked = new SchedulingTerms(3, false, 1_000_000, new TreeSet<>());

        OwnerLimits owners = OptimusConfiguration.read(configuration).owners();

        assertThat(owners.within("root.other", asked)).isEqualTo(new SchedulingTerms(3, false, 7200, new TreeSet<>()));
        assertThat(owners.within("root.research.text", asked))
                .isEqualTo(new SchedulingTerms(3, true, 600, new TreeSet<>()));
        assertThat(owners.within("root.research.vision", asked))
                .isEqualTo(new SchedulingTerms(3, true, 3600, new TreeSet<>()));
        assertThat(owners.jobsPerUser().of("root.research.vision")).isEqualTo(4);
        assertThat(OptimusConfiguration.read(configuration).queueKeys())
                .containsOnlyKeys("root", "root.research", "root.research.vision");
    }

    @Test
    public void refusesInvalidAndMisspeltLimitsOfAQueue() {
        configuration.set("yarn.scheduler.optimus.queue.root.a.jobs-per-user", "-1");
        configuration.set("yarn.scheduler.optimus.queue.root.a.unpreemptible-jobs", "never");
        configuration.set("yarn.scheduler.optimus.queue.root.a.min-run-limits", "1h");

        assertThatExceptionOfType(InvalidSettingsException.class)
                .isThrownBy(() -> OptimusConfiguration.read(configuration))
                .withMessageContainingAll(
                        "3 configuration problem(s)",
                        "yarn.scheduler.optimus.queue.root.a.jobs-per-user=-1",
                        "yarn.scheduler.optimus.queue.root.a.unpreemptible-jobs=never is not one of allowed, preempted",
                        "did you mean yarn.scheduler.optimus.queue.root.a.min-run-limit?");
    }

    @Test
    public void servesNoTrainingInAFederation() {
        assertThat(OptimusConfiguration.problemsOfYarn(configuration)).isEmpty();

        configuration.setBoolean(YarnConfiguration.FEDERATION_ENABLED, true);

        assertThat(OptimusConfiguration.problemsOfYarn(configuration))
                .singleElement()
                .asString()
                .contains("AMRMProxy", "Remedy: take this cluster out of the federation");
    }

    @Test
    public void servesNoTrainingIfContainersAreGrantedOutsideTheScheduler() {
        configuration.setBoolean(YarnConfiguration.OPPORTUNISTIC_CONTAINER_ALLOCATION_ENABLED, true);

        assertThat(OptimusConfiguration.problemsOfYarn(configuration))
                .singleElement()
                .asString()
                .contains("yarn.resourcemanager.opportunistic-container-allocation.enabled=true", "Remedy: set it");
    }

    @Test
    public void everyKeyIsDocumentedAsItIs() throws IOException {
        String table = Files.readString(Path.of("../docs/configuration.md"));
        for (Setting<?> setting : OptimusConfiguration.settings()) {
            assertThat(table)
                    .contains(
                            "| `" + setting.key() + "` | `" + setting.defaultText() + "` | " + setting.range() + " |");
        }
    }

    @Test
    public void everyDocumentedKeyExists() throws IOException {
        List<String> documented = Files.readString(Path.of("../docs/configuration.md"))
                .lines()
                .filter(line -> line.startsWith("| `" + OptimusConfiguration.PREFIX))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .filter(key -> !key.startsWith(OptimusConfiguration.QUEUE_PREFIX))
                .toList();

        assertThat(documented)
                .containsExactlyInAnyOrderElementsOf(OptimusConfiguration.settings().stream()
                        .map(Setting::key)
                        .toList());
    }
}
