package io.optimus.am.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.checkpoint.CheckpointKey;
import io.optimus.am.checkpoint.SavedCheckpoint;
import io.optimus.am.engine.Communication;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.Message.FromTask;
import io.optimus.am.wire.Message.ToTask;
import io.optimus.am.wire.Range;
import io.optimus.am.wire.Ranges;
import io.optimus.am.wire.TaskId;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.model.TrainingMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A membership machine and simulated tasks, which answer in random order, and come, go and fail at random. Checks after
 * each event that the machine keeps its promises.
 */
final class SimulatedJob extends FakeContext {
    private static final int MOST_OF_A_ROLE = 4;

    private final Random random;
    private final boolean synchronous;
    private final TrainingMode mode;
    private final Communication communication;
    private MembershipMachine machine;
    private int attempt = 1;
    /** What members have kept for a coordinator that takes over; empty if parameters of it are lost. */
    private Optional<Membership> kept = Optional.empty();
    /** The tasks that hold parameters. */
    private final Role holders;

    private final boolean hasServers;

    private final Allocation minimum;
    /** The step whose parameters each worker has, where workers hold them. */
    private final Map<TaskId, Long> has = new TreeMap<>();

    private final Map<TaskId, Queue<Runnable>> answers = new TreeMap<>();
    private final Map<Role, Integer> nextIndex = new TreeMap<>();
    /** The membership whose workers may be in a step. */
    private MembershipNumber stepping = new MembershipNumber(0, 0);

    private MembershipNumber newest = new MembershipNumber(1, 0);
    private long expectedStep;

    SimulatedJob(long seed, TrainingMode mode, Communication communication) {
        this.random = new Random(seed);
        this.mode = mode;
        this.communication = communication;
        this.synchronous = mode == TrainingMode.SYNCHRONOUS;
        this.holders = communication == Communication.PARAMETER_SERVER ? Role.PARAMETER_SERVER : Role.WORKER;
        this.hasServers = communication.hasServers();
        this.minimum = new Allocation(hasServers ? 1 : 0, 1);
        this.machine = new MembershipMachine(mode, communication, minimum, 1, this);
        this.saved = Optional.empty();
        this.endStep = synchronous && random.nextBoolean() ? 1 + random.nextInt(60) : Long.MAX_VALUE;
    }

    /** Runs {@code events} random events, then ends the job in order. */
    void run(int events) {
        for (int event = 0; event < events && !ended; event++) {
            disturb();
            check();
        }
        machine.target(ready());
        answerAll(0);
        if (!ended) {
            assertThat(machine.state()).isIn(StateName.WAITING, StateName.STEPPING);
            assertThat(knownStep).as("no step is done after the last one").isLessThanOrEqualTo(endStep);
            machine.endByRule();
            answerAll(0.1);
        }
        if (!ended) {
            assertThat(machine.state()).isIn(StateName.WAITING, StateName.STEPPING);
            machine.endEarly();
            answerAll(0);
        }
        assertThat(ended).as("all tasks have left").isTrue();
    }

    private void disturb() {
        switch (random.nextInt(40)) {
            case 0, 1 -> add(random.nextBoolean() || !hasServers ? Role.WORKER : Role.PARAMETER_SERVER);
            case 2, 3 -> machine.target(someReady());
            case 4, 5 -> machine.target(ready());
            case 6 -> any(ready()).ifPresent(this::lose);
            case 7 -> any(ready()).ifPresent(machine::release);
            case 8 -> any(ready()).ifPresent(task -> {
                if (machine.interrupted(task, machine.current().number())) {
                    lose(task);
                }
            });
            case 9 -> any(ready()).ifPresent(task -> {
                if (machine.notDone(task, newest, task)) {
                    lose(task);
                }
            });
            case 10 -> machine.target(new TreeSet<>());
            case 11 -> {
                if (random.nextInt(10) == 0) {
                    if (random.nextInt(3) == 0) {
                        machine.endEarly();
                    } else {
                        machine.endByRule();
                    }
                }
            }
            case 12 -> {
                if (random.nextInt(6) == 0) {
                    machine.fail("for a test");
                }
            }
            case 13 -> {
                if (machine.state() == StateName.STEPPING) {
                    machine.restartStep();
                }
            }
            case 14, 15, 16 -> step();
            case 17 -> machine.renew();
            case 18 -> {
                if (random.nextInt(6) == 0) {
                    takeOver();
                }
            }
            default -> any(answering()).ifPresent(this::answer);
        }
    }

    /** The coordinator is lost, and with it all that it was told; another one goes on with the tasks that are not leaving. */
    private void takeOver() {
        if (machine.state() == StateName.LEAVING || machine.state() == StateName.ENDED) {
            return;
        }
        SortedSet<TaskId> ready = ready();
        answers.keySet().retainAll(ready);
        answers.values().forEach(Queue::clear);
        machine = new MembershipMachine(mode, communication, minimum, ++attempt, this);
        ready.forEach(machine::ready);
        boolean held = kept.isPresent()
                && (holders == Role.WORKER
                        ? kept.get().workers().stream().anyMatch(worker -> ready.contains(worker))
                        : ready.containsAll(kept.get().servers().keySet()));
        if (held) {
            machine.takeOver(kept.get());
        } else {
            machine.giveUp(ready);
        }
    }

    @Override
    public void beginning(Membership membership, long step) {
        super.beginning(membership, step);
        kept = Optional.of(membership);
    }

    private void step() {
        if (machine.state() == StateName.STEPPING || machine.state() == StateName.CONNECTING) {
            if (knownStep < endStep) {
                knownStep++;
                machine.current().workers().forEach(worker -> has.put(worker, knownStep));
                stopAtEnd();
            }
        }
    }

    /** Synchronous workers stop by themselves before the end of the training. */
    private void stopAtEnd() {
        if (synchronous && knownStep == endStep) {
            stepping = new MembershipNumber(0, 0);
            MembershipNumber number = machine.current().number();
            machine.current().workers().forEach(worker -> reply(worker, new Message.AtBoundary(number, endStep)));
        }
    }

    private void add(Role role) {
        long same = ready().stream().filter(task -> task.role() == role).count();
        if (same < MOST_OF_A_ROLE) {
            TaskId task = new TaskId(role, nextIndex.merge(role, 1, Integer::sum) - 1);
            answers.put(task, new ArrayDeque<>());
            machine.ready(task);
        }
    }

    private void lose(TaskId task) {
        if (answers.remove(task) != null) {
            machine.lost(task);
        }
    }

    private SortedSet<TaskId> ready() {
        SortedSet<TaskId> ready = new TreeSet<>(machine.ready());
        ready.retainAll(answers.keySet());
        return ready;
    }

    private SortedSet<TaskId> someReady() {
        SortedSet<TaskId> some = ready();
        some.removeIf(task -> random.nextInt(3) == 0);
        return some;
    }

    private SortedSet<TaskId> answering() {
        SortedSet<TaskId> answering = new TreeSet<>();
        answers.forEach((task, queue) -> {
            if (!queue.isEmpty()) {
                answering.add(task);
            }
        });
        return answering;
    }

    private Optional<TaskId> any(SortedSet<TaskId> tasks) {
        return tasks.isEmpty()
                ? Optional.empty()
                : Optional.of(new ArrayList<>(tasks).get(random.nextInt(tasks.size())));
    }

    /** Lets all tasks answer, and loses one instead with the given chance. */
    private void answerAll(double loss) {
        for (int i = 0; i < 10_000; i++) {
            Optional<TaskId> task = any(answering());
            if (task.isEmpty()) {
                return;
            }
            if (random.nextDouble() < loss) {
                lose(task.get());
            } else {
                answer(task.get());
            }
            check();
        }
        throw new AssertionError("The tasks and the machine answer each other without end");
    }

    private void answer(TaskId task) {
        Runnable answer = answers.getOrDefault(task, new ArrayDeque<>()).poll();
        if (answer != null) {
            answer.run();
        }
    }

    private void reply(TaskId task, FromTask message) {
        later(task, () -> machine.received(task, message));
    }

    private void later(TaskId task, Runnable answer) {
        Queue<Runnable> queue = answers.get(task);
        if (queue != null) {
            queue.add(answer);
        }
    }

    @Override
    public void send(TaskId task, ToTask message) {
        super.send(task, message);
        if (message instanceof Message.LastStep last) {
            if (synchronous && knownStep >= endStep) {
                return;
            }
            long step = ++knownStep;
            stepping = new MembershipNumber(0, 0);
            machine.current().workers().forEach(worker -> has.put(worker, step));
            List<TaskId> stopping = synchronous ? machine.current().workers() : List.of(task);
            stopping.forEach(worker -> reply(worker, new Message.AtBoundary(last.number(), step)));
        } else if (message instanceof Message.Place place) {
            assertThat(place.number()).isGreaterThanOrEqualTo(newest);
            newest = place.number();
            if (!place.checkpoint().isEmpty()) {
                kept = Optional.empty();
            }
            if (holders == Role.WORKER) {
                assertThat(place.sends())
                        .as("servers hold nothing that could move")
                        .isEmpty();
                assertThat(place.checkpoint()).isEmpty();
            }
            reply(task, new Message.Placed(place.number()));
        } else if (message instanceof Message.Begin begin) {
            assertThat(!synchronous || begin.step() == expectedStep)
                    .as("first step")
                    .isTrue();
            begin.group().ifPresent(group -> receive(task, begin, group));
            reply(task, new Message.Started(begin.number(), begin.step()));
            if (synchronous && begin.step() >= endStep) {
                reply(task, new Message.AtBoundary(begin.number(), begin.step()));
            }
        } else if (message instanceof Message.Prepare prepare) {
            reply(task, new Message.Prepared(prepare.number()));
        } else if (message instanceof Message.Connect connect) {
            reply(task, new Message.Connected(connect.number()));
        } else if (message instanceof Message.Fence fence) {
            reply(task, new Message.Fenced(fence.number(), fenced(task)));
        } else if (message instanceof Message.SaveNow now) {
            assertThat(holders == Role.PARAMETER_SERVER || has.getOrDefault(task, -1L) == now.step())
                    .as("saves the state before step %d", now.step())
                    .isTrue();
            later(task, () -> save(new CheckpointKey(now.step(), now.number())));
        } else if (message instanceof Message.SaveInitial) {
            later(task, () -> save(new CheckpointKey(0, machine.current().number())));
        } else if (message instanceof Message.Evaluate) {
            assertThat(holders == Role.PARAMETER_SERVER || has.getOrDefault(task, -1L) == knownStep)
                    .as("evaluates the last parameters")
                    .isTrue();
            reply(task, new Message.Evaluated(Optional.empty(), List.of()));
        } else if (message instanceof Message.Leave) {
            later(task, () -> lose(task));
        }
    }

    /** A worker of a group has the parameters before the first step, or receives them before it answers. */
    private void receive(TaskId task, Message.Begin begin, Message.Group group) {
        boolean loads = group.source() == begin.rank() && !group.checkpoint().isEmpty();
        if (loads || group.receivers().contains(begin.rank())) {
            has.put(task, -1L);
            later(task, () -> has.put(task, begin.step()));
        } else {
            assertThat(has.get(task)).as("%s need not receive parameters", task).isEqualTo(begin.step());
        }
        assertThat(group.samples().from()).isEqualTo(10 * begin.step());
    }

    /** A step in flight may be done on some workers or servers, and not on others. */
    private long fenced(TaskId task) {
        if (holders == Role.PARAMETER_SERVER) {
            return Math.min(endStep, knownStep + random.nextInt(2));
        }
        long step = has.getOrDefault(task, -1L);
        if (stepping.equals(machine.current().number())) {
            step = Math.min(endStep, step + random.nextInt(2));
            has.put(task, step);
        }
        return step;
    }

    private void save(CheckpointKey key) {
        if (machine.savesNow(key)) {
            saved = Optional.of(checkpoint("checkpoint-" + key.step(), key.step()));
            machine.saved(key.step());
        }
    }

    @Override
    public void settledAt(long step) {
        expectedStep = step;
        knownStep = step;
    }

    @Override
    public void restoredTo(SavedCheckpoint checkpoint, MembershipNumber next) {
        settledAt(checkpoint.step());
    }

    private void check() {
        Membership current = machine.current();
        if (machine.state() == StateName.STEPPING) {
            stepping = current.number();
            if (hasServers) {
                List<Range> held = new ArrayList<>();
                current.servers().values().forEach(ranges -> held.addAll(ranges.list()));
                assertThat(Ranges.of(held))
                        .as("every parameter once")
                        .isEqualTo(new Ranges(List.of(new Range(0, FLOATS))));
            } else {
                assertThat(current.servers()).isEmpty();
            }
            if (holders == Role.WORKER) {
                current.workers().forEach(worker -> assertThat(has.get(worker))
                        .as("%s has the parameters", worker)
                        .isEqualTo(knownStep));
            }
            assertThat(answers.keySet()).as("all members live").containsAll(current.members());
            assertThat(minimum.isWithin(current.allocation())).isTrue();
        }
    }
}
