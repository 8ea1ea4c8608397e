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

/** Makes directives for ApplicationMasters from the plan. */
public final class Directives {
    private final LatestPlan plan;
    private final UnaryOperator<String> resourceNames;
    private final LongSupplier clock;

    /**
     * Makes directives from {@code plan}.
     *
     * @param resourceNames name of a node in resource requests, by node id
     * @param clock clock of the rounds, in milliseconds
     */
    public Directives(LatestPlan plan, UnaryOperator<String> resourceNames, LongSupplier clock) {
        this.plan = plan;
        this.resourceNames = resourceNames;
        this.clock = clock;
    }

    /** The directive of {@code application}; empty while no plan covers it. */
    Optional<DirectiveProto> of(ApplicationId application) {
        return plan.current().of(application).map(this::directive);
    }

    private DirectiveProto directive(JobPlan part) {
        DirectiveProto.Builder directive = DirectiveProto.newBuilder()
                .setPlan(part.number())
                .setReason(part.reason())
                .setExploring(part.exploring())
                .setPlanned(allocation(part.planned().allocation()));
        part.target()
                .byNode()
                .forEach((node, tasks) -> directive.addTarget(NodeAllocationProto.newBuilder()
                        .setNode(node)
                        .setResourceName(resourceNames.apply(node))
                        .setAllocation(allocation(tasks))));
        part.graceEndsMillis().ifPresent(end -> directive.setGraceMillis(Math.max(0, end - clock.getAsLong())));
        part.remaining().ifPresent(remaining -> {
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
