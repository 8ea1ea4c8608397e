package io.optimus.yarn.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.protocol.AmRmTokenSelector;
import io.optimus.protocol.TrainingProtocolClient;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.protocol.proto.TrainingProtos.FinishJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.TaskRateProto;
import io.optimus.protocol.proto.TrainingProtos.TrainingProtocolService;
import io.optimus.yarn.WholeLog;
import io.optimus.yarn.jobs.Jobs;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.token.TokenInfo;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** An ApplicationMaster that tries to flood the log, to forge its lines, and to cause rounds. */
public final class HostileCallsTest {
    /** Text that must not stand at the beginning of a line. */
    private static final String FORGED = "2026-01-01 00:00:00,000 INFO RMAuditLogger: USER=root";

    private static final String EVIL = "x\n" + FORGED + "\r\n" + FORGED + "\u2028" + FORGED + "\u0000\u001b[2J";
    private static final Pattern LINE_ENDS = Pattern.compile("[\\n\\r\\u2028\\u2029\\u0085]");
    private static final String LONG = EVIL + "y".repeat(1_000_000);

    @Rule
    public final Timeout timeout = new Timeout(60, TimeUnit.SECONDS);

    @Rule
    public final LocalTrainingServer local = new LocalTrainingServer();

    private final AtomicInteger refusals = new AtomicInteger();

    private static RegisterJobRequestProto.Builder job() {
        return Jobs.allReduce();
    }

    private static RegisterJobRequestProto withResource(String name) {
        return job().clearRoles()
                .addRoles(Jobs.role(RoleProto.WORKER, 1, 8, 11, 1).addResources(Jobs.amount(name, 5)))
                .build();
    }

    private static NodeAllocationProto.Builder on(String node) {
        return NodeAllocationProto.newBuilder().setNode(node).setAllocation(Jobs.allocation(0, 1));
    }

    @Test
    public void noTextOfACallReachesTheLogRawOrUnbounded() throws Exception {
        List<RegisterJobRequestProto> registrations = List.of(
                job().setName(LONG).build(),
                job().setName(EVIL).build(),
                withResource(LONG),
                job().addGpuTypes(LONG).build(),
                job().addGpuTypes(EVIL).setVersion(0).build(),
                job().addHeld(on(LONG)).build(),
                job().addHeld(on("without-a-port")).build(),
                job().addHeld(on(EVIL)).setHistory(Jobs.history(LONG)).build());
        List<ReportRequestProto> reports = List.of(
                Jobs.report(1).addMembers(on(LONG)).build(),
                Jobs.report(2)
                        .addTasks(TaskRateProto.newBuilder()
                                .setTask(LONG)
                                .setRole(RoleProto.WORKER)
                                .setNode(EVIL)
                                .setStepsPerSecond(1))
                        .build(),
                Jobs.report(3)
                        .addSpeeds(Jobs.speed(0, 1, 5).setNodes(1).setWorkerNode(LONG))
                        .build(),
                Jobs.report(4).setVersion(-1).build());
        FinishJobRequestProto finish = FinishJobRequestProto.newBuilder()
                .setVersion(1)
                .setConverged(false)
                .setFinalStep(1)
                .setDiagnostics(LONG)
                .build();
        int application = 0;
        int calls = 0;
        try (WholeLog log = new WholeLog()) {
            for (RegisterJobRequestProto registration : registrations) {
                try (TrainingProtocolClient client = local.client(running(++application))) {
                    quietly(() -> client.registerJob(registration));
                    quietly(() -> client.registerJob(job().build()));
                    for (ReportRequestProto report : reports) {
                        quietly(() -> client.report(report));
                    }
                    quietly(() -> client.finishJob(finish));
                    calls += 3 + reports.size();
                }
            }
            assertThat(refusals.get()).isGreaterThan(registrations.size());
            assertThat(log.events()).anyMatch(event -> event.contains("call refused"));
            assertThat(log.events()).allSatisfy(HostileCallsTest::hasNoForgedLine);
            assertThat(log.length() / calls).as("characters a call").isLessThan(2500);
        }
    }

    private static void hasNoForgedLine(String event) {
        assertThat(LINE_ENDS.splitAsStream(event)).noneMatch(line -> line.startsWith(FORGED));
        assertThat(event.chars()).noneMatch(c -> c == 0 || c == 0x1b);
    }

    @Test
    public void aCallOfAnotherProtocolReachesNoLog() throws Exception {
        try (WholeLog log = new WholeLog()) {
            Forged forged = proxy(Forged.class);
            assertThatThrownBy(() -> forged.report(null, Jobs.report(1).build()))
                    .hasStackTraceContaining("there is no such call");
            RPC.stopProxy(forged);

            assertThat(log.events()).allSatisfy(HostileCallsTest::hasNoForgedLine);
            assertThat(log.length()).isLessThan(2000);
        }
    }

    /** Another protocol, with a name that goes over the wire. */
    @ProtocolInfo(protocolName = "x\n" + FORGED, protocolVersion = 1)
    @TokenInfo(AmRmTokenSelector.class)
    private interface Forged extends TrainingProtocolService.BlockingInterface {}

    private <T> T proxy(Class<T> protocol) throws Exception {
        Configuration own = new Configuration(local.configuration());
        RPC.setProtocolEngine(own, protocol, ProtobufRpcEngine2.class);
        return local.user(local.tokens().createAndGetAMRMToken(running(99))).doAs((PrivilegedExceptionAction<T>)
                () -> RPC.getProxy(protocol, 1, local.server().address(), own));
    }

    @Test
    public void refusalsOfOneJobFillNoLog() throws Exception {
        try (TrainingProtocolClient client = local.client(running(1));
                WholeLog log = new WholeLog()) {
            client.registerJob(job().build());
            for (int i = 0; i < 150; i++) {
                assertThatThrownBy(
                                () -> client.report(Jobs.report(1).setVersion(0).build()))
                        .isInstanceOf(TrainingRefusedException.class);
            }
            assertThat(log.length()).isLessThan(5000);
        }
    }

    @Test
    public void aJobThatAlternatesItsDemandCausesFewRounds() throws Exception {
        try (TrainingProtocolClient client = local.client(running(1))) {
            for (int i = 0; i < 9; i++) {
                client.registerJob(job().clearRoles()
                        .addRoles(Jobs.role(RoleProto.WORKER, 1, 2 + i % 2, 11, 1))
                        .build());
                client.finishJob(FinishJobRequestProto.newBuilder()
                        .setVersion(1)
                        .setConverged(true)
                        .setFinalStep(1)
                        .build());
                client.report(Jobs.report(1).addSpeeds(Jobs.speed(0, 1 + i, 5)).build());
            }
        }
        assertThat(local.earlyRounds()).isBetween(1, 10);
    }

    @Test
    public void aJobWhosePriorityAlternatesCausesFewRounds() throws Exception {
        ApplicationAttemptId attempt = running(1);
        try (TrainingProtocolClient client = local.client(attempt)) {
            client.registerJob(job().build());
            for (int i = 1; i <= 30; i++) {
                local.applications().run(attempt, i % 2);
                client.report(Jobs.report(i).build());
            }
        }
        assertThat(local.earlyRounds()).isEqualTo(10);
    }

    @Test
    public void aCallerThatNeverRegistersIsSlowedDownToo() throws Exception {
        try (TrainingProtocolClient client = local.client(running(1))) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 5000; i++) {
                            client.report(Jobs.report(i).build());
                        }
                    })
                    .hasMessageContaining("calls more than");
        }
        assertThat(local.earlyRounds()).isZero();
    }

    /** Sends a call that may be refused. */
    private void quietly(Call call) throws IOException {
        try {
            call.send();
        } catch (TrainingRefusedException e) {
            refusals.incrementAndGet();
        }
    }

    private interface Call {
        Object send() throws IOException;
    }

    private ApplicationAttemptId running(int application) {
        ApplicationAttemptId attempt = Jobs.attempt(application, 1);
        local.applications().run(attempt);
        return attempt;
    }
}
