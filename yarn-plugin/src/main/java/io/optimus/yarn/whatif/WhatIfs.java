package io.optimus.yarn.whatif;

import io.optimus.model.InterruptedComputationException;
import io.optimus.model.plan.Strategy;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.read.ClusterReader;
import io.optimus.yarn.round.ControlLoop;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions about changes of the cluster, each on a thread of its own. It holds no lock of
 * CapacityScheduler while it computes, and reads it as a round does, one queue, node or application at a time. At most {@value
 * #MOST} questions are answered at a time, and each within its time budget.
 */
public final class WhatIfs {
    private static final Logger LOG = LoggerFactory.getLogger(WhatIfs.class);
    private static final int MOST = 2;

    /** A forecast asks for the time between two events; one of them may take longer. */
    private static final int GIVEN_UP_AFTER_BUDGETS = 2;

    private final Semaphore permits = new Semaphore(MOST);
    private final Surroundings surroundings;

    /**
     * What questions are answered from.
     *
     * @param state jobs, beliefs, the plan in force and orders
     * @param settings the settings in force
     * @param reader a new reader of the scheduler, which nobody else uses
     * @param partition the node label of a queue's requests that name none, by path of the queue
     * @param byPolicy makes a strategy by the name of its policy
     */
    public record Surroundings(
            ControlLoop.State state,
            Supplier<OptimusConfiguration> settings,
            Supplier<ClusterReader> reader,
            Function<String, String> partition,
            Function<String, Strategy> byPolicy) {}

    public WhatIfs(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /**
     * Answers {@code question}.
     *
     * @throws InvalidQuestionException if it is invalid, with all problems
     * @throws UnansweredException if too many questions are being answered, or this one takes too long
     */
    public Answer ask(Question question) throws InvalidQuestionException, UnansweredException, InterruptedException {
        return within(budget -> new Inquiry(surroundings, budget).ask(question));
    }

    /** Says what the next node would save, for each kind of node that the cluster has. */
    public Answer capacity() throws InvalidQuestionException, UnansweredException, InterruptedException {
        return within(budget -> new Inquiry(surroundings, budget).capacity());
    }

    private interface Computation {
        Answer within(TimeLeft time) throws InvalidQuestionException;
    }

    private Answer within(Computation computation)
            throws InvalidQuestionException, UnansweredException, InterruptedException {
        if (!permits.tryAcquire()) {
            throw new UnansweredException(
                    "As many what-if questions as allowed, " + MOST + ", are being answered. Remedy: ask again later");
        }
        long budgetMillis = surroundings.settings().get().service().whatIfMillis();
        Callable<Answer> released = () -> {
            try {
                return computation.within(TimeLeft.of(budgetMillis));
            } finally {
                permits.release();
            }
        };
        FutureTask<Answer> task = new FutureTask<>(released);
        Thread thread = new Thread(task, "optimus-what-if");
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(GIVEN_UP_AFTER_BUDGETS * budgetMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw tooLong(budgetMillis);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InvalidQuestionException invalid) {
                throw new InvalidQuestionException(invalid.problems());
            }
            if (e.getCause() instanceof InterruptedComputationException) {
                throw tooLong(budgetMillis);
            }
            LOG.warn("what-if forecast failed, nothing else is affected", e.getCause());
            throw new IllegalStateException("The forecast failed: " + e.getCause(), e);
        } finally {
            // Ends a computation that nobody waits for any more; without effect on one that has ended.
            thread.interrupt();
        }
    }

    private static UnansweredException tooLong(long budgetMillis) {
        return new UnansweredException("The forecast took longer than " + GIVEN_UP_AFTER_BUDGETS * budgetMillis
                + " ms. Remedy: ask again later, or raise yarn.scheduler.optimus.what-if-time-budget");
    }
}
