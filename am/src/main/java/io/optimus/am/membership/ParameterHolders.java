package io.optimus.am.membership;

import io.optimus.am.engine.Communication;
import io.optimus.am.membership.Resize.Cause;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Knows which tasks hold the parameters. That decides what a lost task takes with it, who saves, and who hands the
 * parameters on.
 */
interface ParameterHolders {
    static ParameterHolders of(Communication communication) {
        return switch (communication) {
            case PARAMETER_SERVER -> new Servers();
            case AVERAGING_SERVER, ALL_REDUCE -> new Workers();
        };
    }

    /** Whether servers hold the parameters. Otherwise they may be lost, and begin each membership with nothing. */
    boolean areServers();

    /** The tasks of {@code membership} that hold parameters, in a set of their own. */
    SortedSet<TaskId> of(Membership membership);

    /**
     * What is held once the step in flight is given up.
     *
     * @param steps what each holder that is left would do next
     * @param cause why the step was given up
     * @return null if the newest checkpoint has to be loaded
     */
    @Nullable
    HeldParameters fenced(SortedMap<TaskId, Long> steps, Cause cause);

    /** What is still held when only the tasks in {@code ready} are left. Returns null if parameters are lost. */
    @Nullable
    HeldParameters left(HeldParameters held, Membership membership, Set<TaskId> ready);

    /** The tasks that save what is held. */
    Collection<TaskId> savers(HeldParameters held, Membership membership);

    /** The workers that cannot evaluate what is held. */
    Set<TaskId> unable(HeldParameters held, Membership membership);

    /** The tasks of the next membership: {@code wanted}, and a task without which they do not get what is held. */
    SortedSet<TaskId> members(Set<TaskId> wanted, @Nullable HeldParameters held);

    /** The shards from which servers get theirs in the next membership. */
    SortedMap<TaskId, Ranges> moving(Membership membership);

    /** The part of the model that servers have to do with, if there are any. */
    ModelLayout onServers(ModelLayout model);

    /**
     * How workers receive parameters from each other when {@code membership} begins; empty: they read them from servers.
     *
     * @param upToDate the workers that have the parameters
     * @param checkpoint the checkpoint that is loaded; empty: none
     */
    Optional<Message.Group> group(
            Membership membership,
            Collection<TaskId> upToDate,
            String checkpoint,
            long step,
            MembershipContext context);

    /** Each server holds its shard. Workers read the parameters from them. */
    final class Servers implements ParameterHolders {
        @Override
        public boolean areServers() {
            return true;
        }

        @Override
        public SortedSet<TaskId> of(Membership membership) {
            return new TreeSet<>(membership.servers().keySet());
        }

        /** The lowest step comes next. A server that has applied it already takes it back. */
        @Override
        public @Nullable HeldParameters fenced(SortedMap<TaskId, Long> steps, Cause cause) {
            if (cause == Cause.SERVER_LOST) {
                return null;
            }
            SortedSet<Long> different = new TreeSet<>(steps.values());
            return new HeldParameters(different.first(), new TreeSet<>(), different.size() > 1);
        }

        @Override
        public @Nullable HeldParameters left(HeldParameters held, Membership membership, Set<TaskId> ready) {
            return ready.containsAll(membership.servers().keySet()) ? held : null;
        }

        @Override
        public Collection<TaskId> savers(HeldParameters held, Membership membership) {
            return membership.servers().keySet();
        }

        @Override
        public Set<TaskId> unable(HeldParameters held, Membership membership) {
            return Set.of();
        }

        @Override
        public SortedSet<TaskId> members(Set<TaskId> wanted, @Nullable HeldParameters held) {
            return new TreeSet<>(wanted);
        }

        @Override
        public SortedMap<TaskId, Ranges> moving(Membership membership) {
            return membership.servers();
        }

        @Override
        public ModelLayout onServers(ModelLayout model) {
            return model;
        }

        @Override
        public Optional<Message.Group> group(
                Membership membership,
                Collection<TaskId> upToDate,
                String checkpoint,
                long step,
                MembershipContext context) {
            return Optional.empty();
        }
    }

    /** Each worker holds all parameters, and the state of the optimizer. Servers, if there are any, average gradients. */
    final class Workers implements ParameterHolders {
        @Override
        public boolean areServers() {
            return false;
        }

        @Override
        public SortedSet<TaskId> of(Membership membership) {
            return new TreeSet<>(membership.workers());
        }

        /** The highest step comes next: a worker that has done it cannot take it back. The others receive its state. */
        @Override
        public @Nullable HeldParameters fenced(SortedMap<TaskId, Long> steps, Cause cause) {
            long highest = steps.values().stream().max(Long::compare).orElse(-1L);
            if (highest < 0) {
                return null;
            }
            SortedSet<TaskId> upToDate = new TreeSet<>(steps.keySet());
            upToDate.removeIf(worker -> steps.getOrDefault(worker, -1L) < highest);
            return new HeldParameters(highest, upToDate, false);
        }

        @Override
        public @Nullable HeldParameters left(HeldParameters held, Membership membership, Set<TaskId> ready) {
            HeldParameters left = held.among(ready);
            return left.upToDate().isEmpty() ? null : left;
        }

        @Override
        public Collection<TaskId> savers(HeldParameters held, Membership membership) {
            return Set.of(held.upToDate().first());
        }

        @Override
        public Set<TaskId> unable(HeldParameters held, Membership membership) {
            SortedSet<TaskId> unable = new TreeSet<>(membership.workers());
            unable.removeAll(held.upToDate());
            return unable;
        }

        /**
         * If none of {@code wanted} has the parameters, a worker that has them stays for one membership more, and hands
         * them on as this begins.
         */
        @Override
        public SortedSet<TaskId> members(Set<TaskId> wanted, @Nullable HeldParameters held) {
            SortedSet<TaskId> members = new TreeSet<>(wanted);
            if (held != null && held.among(wanted).upToDate().isEmpty()) {
                members.add(held.upToDate().first());
            }
            return members;
        }

        /** Servers begin with nothing. */
        @Override
        public SortedMap<TaskId, Ranges> moving(Membership membership) {
            return new TreeMap<>();
        }

        @Override
        public ModelLayout onServers(ModelLayout model) {
            return model.averaged();
        }

        @Override
        public Optional<Message.Group> group(
                Membership membership,
                Collection<TaskId> upToDate,
                String checkpoint,
                long step,
                MembershipContext context) {
            var workers = membership.workers();
            int source = IntStream.range(0, workers.size())
                    .filter(rank -> upToDate.contains(workers.get(rank)))
                    .findFirst()
                    .orElse(0);
            var receivers = IntStream.range(0, workers.size())
                    .filter(rank -> rank != source && !upToDate.contains(workers.get(rank)))
                    .boxed()
                    .toList();
            return Optional.of(new Message.Group(
                    context.address(workers.get(0)), source, receivers, checkpoint, context.samplesFrom(step)));
        }
    }
}
