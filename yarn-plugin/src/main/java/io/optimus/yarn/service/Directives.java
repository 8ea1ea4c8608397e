package io.optimus.yarn.service;

import io.optimus.model.Allocation;
import io.optimus.protocol.proto.TrainingProtos.AllocationProto;
import io.optimus.protocol.proto.TrainingProtos.DirectiveProto;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.LatestPlan;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** A job's part of the plan, in the protocol's words. */
public final class Directives {
    private final LatestPlan board;
    private final UnaryOperator<String> resourceNames;
    private final LongSupplier clock;

    /**
     * Of the plans on {@code board}.
     *
     * @param resourceNames the name by which resource requests name a node, by node id
     * @param clock the round's, in milliseconds
     */
    public Directives(LatestPlan board, UnaryOperator<String> resourceNames, LongSupplier clock) {
        this.board = board;
        this.resourceNames = resourceNames;
        this.clock = clock;
    }

    /** The directive of {@code application}; empty while no plan covers it. */
    Optional<DirectiveProto> of(ApplicationId application) {
        return board.current().of(application).map(this::directive);
    }

    private DirectiveProto directive(JobPlan plan) {
        DirectiveProto.Builder directive = DirectiveProto.newBuilder()
                .setPlan(plan.number())
                .setReason(plan.reason())
                .setExploring(plan.exploring())
                .setPlanned(allocation(plan.planned().allocation()));
        plan.target()
                .byNode()
                .forEach((node, tasks) -> directive.addTarget(NodeAllocationProto.newBuilder()
                        .setNode(node)
                        .setResourceName(resourceNames.apply(node))
                        .setAllocation(allocation(tasks))));
        plan.graceEndsMillis().ifPresent(end -> directive.setGraceMillis(Math.max(0, end - clock.getAsLong())));
        plan.remaining().ifPresent(remaining -> {
            remaining.seconds().ifPresent(directive::setRemainingSeconds);
            directive.setRemainingTime(remaining.inWords());
        });
        return directive.build();
    }

    private static AllocationProto allocation(Allocation allocation) {
        return AllocationProto.newBuilder()
                .setParameterServers(allocation.parameterServers())
                .setWorkers(allocation.workers())
                .build();
    }
}
