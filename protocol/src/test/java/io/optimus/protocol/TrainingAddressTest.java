package io.optimus.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.Test;

public final class TrainingAddressTest {
    private final Configuration configuration = new Configuration(false);

    @Test
    public void defaultsToTheHostOfYarnsScheduler() {
        configuration.set(YarnConfiguration.RM_SCHEDULER_ADDRESS, "127.0.0.1:18030");

        assertThat(TrainingAddress.toBind(configuration)).isEqualTo(new InetSocketAddress("127.0.0.1", 8034));
        assertThat(TrainingAddress.isChosen(configuration)).isFalse();
    }

    @Test
    public void takesAnyFreePortIfYarnsSchedulerDoes() {
        configuration.set(YarnConfiguration.RM_SCHEDULER_ADDRESS, "127.0.0.1:0");

        assertThat(TrainingAddress.toBind(configuration).getPort()).isZero();
    }

    @Test
    public void readsTheAddressOfEachResourceManager() {
        configuration.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
        configuration.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
        configuration.set(YarnConfiguration.RM_HA_ID, "rm2");
        configuration.set(YarnConfiguration.RM_SCHEDULER_ADDRESS + ".rm1", "127.0.0.1:0");
        configuration.set(TrainingAddress.ADDRESS + ".rm2", "127.0.0.1:9034");

        assertThat(TrainingAddress.ofAll(configuration))
                .containsExactly(new InetSocketAddress("127.0.0.1", 0), new InetSocketAddress("127.0.0.1", 9034));
        assertThat(TrainingAddress.toBind(configuration).getPort()).isEqualTo(9034);
        assertThat(TrainingAddress.ownKey(configuration)).isEqualTo("yarn.resourcemanager.optimus.address.rm2");
        assertThat(TrainingAddress.isChosen(configuration)).isTrue();
    }

    @Test
    public void usesAPublishedPortAgainButDoesNotTreatItAsConfigured() {
        configuration.set(TrainingAddress.ADDRESS, "127.0.0.1:0");
        assertThat(TrainingAddress.isChosen(configuration)).isTrue();

        TrainingAddress.publish(configuration, new InetSocketAddress("127.0.0.1", 34567));

        Configuration copy = new Configuration(configuration);
        assertThat(TrainingAddress.toBind(copy).getPort()).isEqualTo(34567);
        assertThat(TrainingAddress.isChosen(copy)).isFalse();
    }

    @Test
    public void publishesNoAddressThatFollowsFromOtherKeys() {
        configuration.set(YarnConfiguration.RM_SCHEDULER_ADDRESS, "127.0.0.1:18030");

        TrainingAddress.publish(configuration, new InetSocketAddress("127.0.0.1", TrainingAddress.DEFAULT_PORT));

        assertThat(configuration.get(TrainingAddress.ADDRESS)).isNull();
    }
}
