package io.optimus.yarn.soak;

import io.optimus.yarn.jobs.Applications;
import io.optimus.yarn.read.FakeApplicationMaster;
import io.optimus.yarn.read.LocalResourceManager;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException;
import org.apache.hadoop.yarn.exceptions.ApplicationMasterNotRegisteredException;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.util.Records;

/**
 * An application on the simulated nodes, from its submission to its end, over all its attempts. Its master registers with
 * YARN, again after a failover, and does its work; a master whose container is gone is started anew by YARN.
 */
final class SimulatedApplication {
    private static final int ATTEMPTS = 4;
    private static final long LOOK_MILLIS = 500;

    private final SoakCluster cluster;
    private final Script script;
    private final Work work;
    private final ApplicationId id;
    private State state = State.WAITING;
    private Optional<Attempt> attempt = Optional.empty();
    private Optional<FakeApplicationMaster> master = Optional.empty();
    private long nextLookMillis;
    private String end = "";

    /** The state of its master. */
    private enum State {
        WAITING,
        LAUNCHED,
        RUNNING,
        UNREGISTERING,
        STOPPED,
        ENDED
    }

    /** A master and its container. */
    private record Attempt(ApplicationAttemptId id, Container container) {}

    private SimulatedApplication(SoakCluster cluster, Script script, ApplicationId id) {
        this.cluster = cluster;
        this.script = script;
        this.work = script.work(cluster);
        this.id = id;
    }

    /** Submits it to the active ResourceManager. */
    static SimulatedApplication submit(SoakCluster cluster, Script script) throws Exception {
        var clients = cluster.active().getClientRMService();
        ApplicationId id = clients.getNewApplication(Records.newRecord(GetNewApplicationRequest.class))
                .getApplicationId();
        boolean trains = script instanceof Script.Training;
        ApplicationSubmissionContext submission = ApplicationSubmissionContext.newInstance(
                id,
                "soak",
                script.submission().queue(),
                Priority.newInstance(0),
                Records.newRecord(ContainerLaunchContext.class),
                false,
                true,
                ATTEMPTS,
                LocalResourceManager.resource(512, 1, 0),
                trains ? Applications.TRAINING_TYPE : "ORDINARY");
        submission.setKeepContainersAcrossApplicationAttempts(
                script instanceof Script.Training job && job.manners().keepsContainers());
        UserGroupInformation.createRemoteUser(script.submission().user()).doAs((PrivilegedExceptionAction<Object>)
                () -> clients.submitApplication(SubmitApplicationRequest.newInstance(submission)));
        return new SimulatedApplication(cluster, script, id);
    }

    ApplicationId id() {
        return id;
    }

    Script script() {
        return script;
    }

    Work work() {
        return work;
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    boolean hasEnded() {
        return state == State.ENDED;
    }

    /** How it ended; empty if it has not. */
    String end() {
        return end;
    }

    /** Where it is in its life, for messages. */
    String description() {
        return id + " " + script.getClass().getSimpleName() + " in "
                + script.submission().queue() + " " + state;
    }

    /** YARN has a container for a new master. */
    void launch(ApplicationAttemptId next, Container container, long nowMillis) {
        boolean starts = cluster.node(container.getNodeId()).start(container, nowMillis, Long.MAX_VALUE);
        cluster.active()
                .getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(
                        starts
                                ? new RMAppAttemptEvent(next, RMAppAttemptEventType.LAUNCHED)
                                : new RMAppAttemptEvent(next, RMAppAttemptEventType.LAUNCH_FAILED, "node is down"));
        if (starts) {
            loseMaster();
            attempt = Optional.of(new Attempt(next, container));
            state = State.LAUNCHED;
        }
    }

    /** Does what is due. */
    void step(long nowMillis) throws Exception {
        if (nowMillis >= nextLookMillis) {
            nextLookMillis = nowMillis + LOOK_MILLIS;
            look();
        }
        if (state == State.ENDED || state == State.WAITING) {
            return;
        }
        Attempt now = attempt.orElseThrow();
        SimulatedNode node = cluster.node(now.container().getNodeId());
        if (state != State.STOPPED && !node.runs(now.container().getId())) {
            loseMaster();
            return;
        }
        try {
            advance(now, node, nowMillis);
        } catch (ApplicationMasterNotRegisteredException e) {
            if (state == State.RUNNING) {
                master.orElseThrow().register();
                work.reconnected();
            }
        } catch (ApplicationAttemptNotFoundException e) {
            node.stop(now.container().getId(), ContainerExitStatus.ABORTED);
            loseMaster();
        }
    }

    private void advance(Attempt now, SimulatedNode node, long nowMillis) throws Exception {
        switch (state) {
            case LAUNCHED -> {
                if (isLaunched(now.id())) {
                    FakeApplicationMaster next = new FakeApplicationMaster(cluster::active, now.id());
                    master = Optional.of(next);
                    var response = next.register();
                    state = State.RUNNING;
                    work.begin(next, response.getContainersFromPreviousAttempts(), nowMillis);
                }
            }
            case RUNNING -> {
                if (work.step(nowMillis)) {
                    state = State.UNREGISTERING;
                } else if (work.dies()) {
                    node.stop(now.container().getId(), 1);
                    loseMaster();
                }
            }
            case UNREGISTERING -> {
                if (master.orElseThrow().unregister()) {
                    node.stop(now.container().getId(), ContainerExitStatus.SUCCESS);
                    work.end();
                    state = State.STOPPED;
                }
            }
            case WAITING, STOPPED, ENDED -> {}
        }
    }

    private boolean isLaunched(ApplicationAttemptId which) {
        RMApp known = cluster.active().getRMContext().getRMApps().get(id);
        RMAppAttempt found = known == null ? null : known.getRMAppAttempt(which);
        return found != null && found.getAppAttemptState() == RMAppAttemptState.LAUNCHED;
    }

    private void loseMaster() {
        if (state == State.LAUNCHED || state == State.RUNNING || state == State.UNREGISTERING) {
            work.end();
            state = State.WAITING;
        }
        master = Optional.empty();
    }

    /** Looks whether YARN has ended it. A ResourceManager soon forgets what has ended. */
    private void look() {
        RMApp known = cluster.active().getRMContext().getRMApps().get(id);
        RMAppState now = known == null ? RMAppState.FINISHED : known.getState();
        if (now == RMAppState.FINISHED || now == RMAppState.FAILED || now == RMAppState.KILLED) {
            loseMaster();
            end = now.toString();
            state = State.ENDED;
        }
    }
}
