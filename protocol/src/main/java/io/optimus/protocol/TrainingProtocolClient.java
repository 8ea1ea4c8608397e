package io.optimus.protocol;

import io.optimus.protocol.TrainingRefusedException.Reason;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.FinishJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobResponseProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportResponseProto;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.io.retry.RetryPolicies;
import org.apache.hadoop.io.retry.RetryPolicy;
import org.apache.hadoop.io.retry.RetryProxy;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.client.RMProxy;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * The client of an ApplicationMaster for the scheduler.
 *
 * <p>It finds the service by {@link TrainingAddress}, sends the AMRM token of the user who created it, and follows the
 * failover of ResourceManagers. A call blocks while no ResourceManager answers, no longer than YARN's own clients do
 * ({@code yarn.resourcemanager.connect.max-wait.ms} and {@code .retry-interval.ms}; with high availability
 * {@code yarn.client.failover-*}); interrupting the thread ends it. Every call throws
 *
 * <ul>
 *   <li>{@link TrainingRefusedException} if the scheduler refuses the call; it would refuse a repeated call, too;
 *   <li>{@link SchedulerUnreachableException} if no scheduler answers: training goes on, and the call can be repeated later.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class TrainingProtocolClient implements AutoCloseable {
    private final List<InetSocketAddress> addresses;
    private final TrainingFailover failover;
    private final TrainingCalls calls;

    private TrainingProtocolClient(List<InetSocketAddress> addresses, TrainingFailover failover, TrainingCalls calls) {
        this.addresses = addresses;
        this.failover = failover;
        this.calls = calls;
    }

    /**
     * Creates a client for the calling user, which connects with the first call.
     *
     * @throws TrainingRefusedException behind an AMRMProxy or in a federation, whose tokens no scheduler knows
     */
    public static TrainingProtocolClient create(Configuration configuration) throws IOException {
        refuseFederation(configuration);
        Configuration own = new Configuration(configuration);
        // The retry policy retries, as in YARN's clients; the layer below tries only once.
        own.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
        own.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
        List<InetSocketAddress> addresses = TrainingAddress.ofAll(own);
        TrainingFailover failover = new TrainingFailover(addresses, UserGroupInformation.getCurrentUser(), own);
        TrainingCalls calls = (TrainingCalls) RetryProxy.create(TrainingCalls.class, failover, retryPolicy(own));
        return new TrainingProtocolClient(addresses, failover, calls);
    }

    /** Registers the job, or registers it again. */
    public RegisterJobResponseProto registerJob(RegisterJobRequestProto request) throws IOException {
        return answered(() -> calls.registerJob(request));
    }

    /** Sends a report; the answer carries the directive. */
    public ReportResponseProto report(ReportRequestProto request) throws IOException {
        return answered(() -> calls.report(request));
    }

    /** Tells the scheduler that the job has ended. */
    public FinishJobResponseProto finishJob(FinishJobRequestProto request) throws IOException {
        return answered(() -> calls.finishJob(request));
    }

    public List<InetSocketAddress> addresses() {
        return addresses;
    }

    @Override
    public void close() {
        failover.close();
    }

    private <T> T answered(Call<T> call) throws IOException {
        try {
            return call.send();
        } catch (TrainingRefusedException e) {
            throw e;
        } catch (IOException e) {
            throw new SchedulerUnreachableException(addresses, e);
        }
    }

    private static RetryPolicy retryPolicy(Configuration configuration) {
        // With high availability YARN's policy fails over on any IOException; a refusal is final.
        return RetryPolicies.retryByException(
                RMProxy.createRetryPolicy(configuration, HAUtil.isHAEnabled(configuration)),
                Map.of(TrainingRefusedException.class, RetryPolicies.TRY_ONCE_THEN_FAIL));
    }

    private static void refuseFederation(Configuration configuration) throws TrainingRefusedException {
        for (String key : List.of(YarnConfiguration.FEDERATION_ENABLED, YarnConfiguration.AMRM_PROXY_ENABLED)) {
            if (configuration.getBoolean(key, false)) {
                throw new TrainingRefusedException(
                        Reason.NOT_SERVED,
                        key + "=true: training jobs talk to their ResourceManager with its own AMRM token, which an"
                                + " AMRMProxy replaces. Submit to a cluster without it, or set " + key + "=false");
            }
        }
    }

    private interface Call<T> {
        T send() throws IOException;
    }
}
