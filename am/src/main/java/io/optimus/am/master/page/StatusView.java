package io.optimus.am.master.page;

import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.job.JobSpec;
import io.optimus.am.master.journal.HistoryView;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.TaskView;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The job at one moment, for the tracking page.
 *
 * @param applicationId YARN's
 * @param attempt of the ApplicationMaster, from 1
 * @param startedMillis when the job was submitted, Unix time
 * @param atMillis the moment, Unix time
 * @param spec what was submitted
 * @param training how the training goes
 * @param directive what is followed
 * @param sizesItself whether the job decides its size, for want of a scheduler that does
 * @param settled whether the directive is carried out whole
 * @param story what happened so far
 * @param tasks all that hold a container, oldest first
 * @param avoidedNodes YARN's ids of nodes where tasks failed so often that none is started there for now
 * @param lostTasks how many ended that should not have
 * @param result how training ended; empty while it goes on
 */
public record StatusView(
        String applicationId,
        int attempt,
        long startedMillis,
        long atMillis,
        JobSpec spec,
        CoordinatorStatus training,
        Directive directive,
        boolean sizesItself,
        boolean settled,
        HistoryView story,
        List<TaskView> tasks,
        SortedSet<String> avoidedNodes,
        long lostTasks,
        Optional<TrainingResult> result) {}
