package io.optimus.am.coordinator;

import io.optimus.am.engine.Communication;
import io.optimus.am.membership.MembershipMachine;
import io.optimus.am.progress.StepLosses;
import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.TaskId;
import io.optimus.model.TrainingMode;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Answers the tasks that wait until it is decided whether training goes on, so that it ends at the step that its rule names.
 * Every question is answered soon, since its task does nothing else.
 */
final class EndDecisions {
    private final TrainingRun training;
    private final Executor events;
    private final boolean synchronous;
    /** Whether the losses of synchronous steps come from a server, and may come after the first worker's question. */
    private final boolean lossesMayFollow;

    private Optional<Question> open = Optional.empty();

    /** A task waits before a step. */
    private record Question(TaskId task, Message.AtDecision asked) {}

    /**
     * Decides for {@code training}.
     *
     * @param events runs later, on the coordinator's thread, what must not run while the membership changes its state
     */
    EndDecisions(TrainingRun training, TrainingSettings.Steps steps, Executor events) {
        this.training = training;
        this.events = events;
        this.synchronous = steps.mode() == TrainingMode.SYNCHRONOUS;
        this.lossesMayFollow = synchronous && steps.communication() == Communication.PARAMETER_SERVER;
    }

    /** A task asks. */
    void asked(TaskId task, Message.AtDecision asked) {
        Question question = new Question(task, asked);
        if (lossesMayFollow && isCurrent(asked.number()) && training.knownStep() < asked.step()) {
            open = Optional.of(question);
        } else {
            answer(question);
        }
    }

    /** An earlier coordinator may have known after {@code step} steps that training ends, and have told workers their last one. */
    void mayHaveEndedAfter(long step) {
        if (synchronous) {
            training.progress().endsBefore(Math.max(step + 1, training.knownStep()));
        }
    }

    /** The losses of the steps before {@code step} are known. */
    void lossesKnown(long step) {
        open.filter(question -> step >= question.asked.step()).ifPresent(this::answer);
    }

    /** The step in flight is given up, in the middle of a transition. */
    void steppingEnds() {
        open.ifPresent(question -> events.execute(() -> answer(question)));
        open = Optional.empty();
    }

    /** Whether steps of membership {@code number} are being done. */
    private boolean isCurrent(MembershipNumber number) {
        MembershipMachine machine = training.machine();
        return number.equals(machine.current().number())
                && switch (machine.state()) {
                    case STARTING, STEPPING, CONNECTING, STOPPING -> true;
                    case WAITING, INITIALISING, FENCING, PLACING, SAVING, EVALUATING, LEAVING, ENDED -> false;
                };
    }

    private void answer(Question question) {
        open = Optional.empty();
        Message.AtDecision asked = question.asked;
        StepLosses losses = training.progress().losses();
        if (losses != null && synchronous && isCurrent(asked.number())) {
            // The first worker has the replies of all servers, or has averaged with all workers.
            losses.settledAt(asked.step(), training.nanos());
        }
        boolean ends = training.endsByItsRule();
        if (ends) {
            if (synchronous && isCurrent(asked.number())) {
                training.progress().endsBefore(asked.step() + 1);
            }
            training.send(question.task, new Message.LastStep(asked.number()));
        }
        long next = ends ? Long.MAX_VALUE : Math.max(training.progress().decisionStep(), asked.step() + 1);
        Message.GoOn answer = new Message.GoOn(asked.number(), next);
        training.send(question.task, answer);
        if (lossesMayFollow) {
            training.machine().current().servers().keySet().stream()
                    .findFirst()
                    .ifPresent(server -> training.send(server, answer));
        }
    }
}
