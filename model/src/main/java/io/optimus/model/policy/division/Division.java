package io.optimus.model.policy.division;

import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.ResourceAxes;
import io.optimus.model.cluster.Resources;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.decision.Shortage;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Precedence;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is left of the cluster while it is divided, and who was given what. */
public final class Division {
    private final List<Participant> contenders;
    private final ResourceAxes axes;
    private final long[] capacity;
    private final long[] left;
    private final TaskShapes shapes;

    /** Of {@code cluster} among {@code jobs}. */
    public Division(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
        List<Resources> tasks = jobs.stream()
                .flatMap(job -> Stream.of(
                        job.demand().parameterServers().task(),
                        job.demand().workers().task()))
                .distinct()
                .toList();
        this.axes = ResourceAxes.of(cluster, tasks.stream());
        this.left = axes.amounts(cluster.available());
        this.shapes = new TaskShapes(cluster, axes, tasks);
        Resources total = cluster.capacity();
        this.capacity = axes.amounts(total);
        Set<String> nodes = cluster.nodes().stream().map(NodeSnapshot::id).collect(Collectors.toSet());
        this.contenders = jobs.stream()
                .sorted(Precedence.BY_RIGHT)
                .map(job -> new Participant(
                        job,
                        job.current().within(nodes::contains).allocation(),
                        task(job.demand().parameterServers().task(), total),
                        task(job.demand().workers().task(), total)))
                .toList();
    }

    private Participant.Task task(Resources task, Resources capacity) {
        return new Participant.Task(axes.amounts(task), shapes.index(task), task.dominant(capacity));
    }

    /** In the order of {@link Precedence#BY_RIGHT}. */
    public List<Participant> contenders() {
        return contenders;
    }

    /** What everybody was given. */
    public AllocationDecision decision() {
        return AllocationDecision.of(contenders.stream()
                .collect(Collectors.toMap(contender -> contender.job().id(), Participant::decided)));
    }

    /**
     * Before anybody grows: jobs that may not shrink keep what they hold, then everybody gets its minimum while it fits.
     *
     * @return those that have at least their minimum now
     */
    public List<Participant> giveWhatIsSure() {
        keepWhatMayNotShrink();
        return contenders.stream().filter(this::giveMinimum).toList();
    }

    /** Even where limits were lowered below it. */
    public void keepWhatMayNotShrink() {
        for (Participant contender : contenders) {
            if (!contender.job().mayShrink()) {
                set(contender, contender.held().min(contender.job().maximum()));
            }
        }
    }

    /** Its minimum, whole or not at all: whether it has that now. */
    public boolean giveMinimum(Participant contender) {
        Allocation minimum = contender.job().minimum();
        Optional<Shortage> lack = raise(contender, minimum);
        lack.ifPresent(what -> {
            contender.explain(new AllocationReason.Waits(contender.job().trainsOn(), minimum, what));
            // Less than a minimum does not run.
            set(contender, Allocation.NONE);
        });
        contender.isSureOfWhatItHas();
        return lack.isEmpty();
    }

    /** Makes {@code allocation} what the contender has, whether it fits or not. */
    void set(Participant contender, Allocation allocation) {
        Allocation given = contender.given();
        take(contender.task(Role.WORKER), allocation.workers() - given.workers());
        take(contender.task(Role.PARAMETER_SERVER), allocation.parameterServers() - given.parameterServers());
        contender.set(allocation);
    }

    private void take(Participant.Task task, int more) {
        if (more != 0) {
            ResourceAxes.take(task.amounts(), more, left);
            shapes.take(task.shape(), more);
        }
    }

    /** How many resources are divided. */
    public int resources() {
        return axes.size();
    }

    /** The number of one of them, by its name. */
    public int resource(String name) {
        return axes.axis(name);
    }

    /** By resource. */
    public long[] amounts(Resources resources) {
        return axes.amounts(resources);
    }

    /** What is left to be given, by resource; below 0 where limits were lowered. */
    public long[] left() {
        return left.clone();
    }

    /** What {@code resources} take of the cluster, by resource; of one that the cluster does not have, nothing. */
    public double[] shares(Resources resources) {
        return shares(axes.amounts(resources));
    }

    /** What is left of the cluster to be given, by resource; below 0 where limits were lowered. */
    public double[] freeShares() {
        return shares(left);
    }

    private double[] shares(long[] amounts) {
        double[] shares = new double[amounts.length];
        for (int axis = 0; axis < amounts.length; axis++) {
            shares[axis] = capacity[axis] > 0 ? (double) amounts[axis] / capacity[axis] : 0;
        }
        return shares;
    }

    /** Whether {@code wished} has room beside what everybody has been given. */
    public boolean hasRoom(Participant contender, Allocation wished) {
        return lack(contender, wished.beyond(contender.given())).isEmpty();
    }

    /** Gives what is missing to {@code wished}, all or nothing: what lacks, or empty where it was given. */
    public Optional<Shortage> raise(Participant contender, Allocation wished) {
        Optional<Shortage> lack = lack(contender, wished.beyond(contender.given()));
        if (lack.isEmpty()) {
            set(contender, contender.given().max(wished));
        }
        return lack;
    }

    private Optional<Shortage> lack(Participant contender, Allocation more) {
        Participant.Task server = contender.task(Role.PARAMETER_SERVER);
        Participant.Task worker = contender.task(Role.WORKER);
        for (int axis = 0; axis < left.length; axis++) {
            long asked = more.parameterServers() * server.amount(axis) + more.workers() * worker.amount(axis);
            if (asked > 0 && asked > left[axis]) {
                return Optional.of(new Shortage.OfResource(axes.name(axis), asked, left[axis]));
            }
        }
        for (Role role : Role.values()) {
            if (more.count(role) > 0 && !shapes.hosts(contender.task(role).shape(), more.count(role))) {
                return Optional.of(new Shortage.OfNodes(role));
            }
        }
        return Optional.empty();
    }
}
