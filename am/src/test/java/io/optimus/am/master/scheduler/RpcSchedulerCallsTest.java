package io.optimus.am.master.scheduler;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.optimus.protocol.SchedulerUnreachableException;
import io.optimus.protocol.TrainingAddress;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

public final class RpcSchedulerCallsTest {
    /** The default of yarn.optimus.am.scheduler-timeout, the time that a new job waits for a scheduler. */
    @Rule
    public final Timeout timeout = new Timeout(15, TimeUnit.SECONDS);

    private final Configuration configuration = new YarnConfiguration();

    @Test
    public void saysWhatToCheckIfNoSchedulerListens() throws Exception {
        String address = unusedAddress();
        configuration.set(TrainingAddress.ADDRESS, address);

        assertUnreachable(address);
    }

    @Test
    public void saysSoForAHighlyAvailablePairToo() throws Exception {
        String address = unusedAddress();
        configuration.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
        configuration.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
        configuration.set(TrainingAddress.ADDRESS + ".rm1", address);
        configuration.set(TrainingAddress.ADDRESS + ".rm2", address);

        assertUnreachable(address);
    }

    private void assertUnreachable(String address) {
        try (RpcSchedulerCalls calls = new RpcSchedulerCalls(configuration)) {
            assertThatExceptionOfType(SchedulerUnreachableException.class)
                    .isThrownBy(() -> calls.register(RegisterJobRequestProto.getDefaultInstance()))
                    .withMessageContaining(address)
                    .withMessageContaining("yarn.scheduler.optimus.mode not off");
        }
    }

    private static String unusedAddress() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return "localhost:" + socket.getLocalPort();
        }
    }
}
