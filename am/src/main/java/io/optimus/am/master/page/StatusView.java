package io.optimus.am.master.page;

import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.JobIdentity;
import io.optimus.am.master.plan.TaskView;
import io.optimus.model.losses.LossPoint;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * The job at one moment.
 *
 * @param job the job and this attempt
 * @param atMillis the moment, Unix time
 * @param schedulerPage address of the job's page in the ResourceManager, which stays after the job's end; empty if there is none
 * @param training state of the training
 * @param plan the plan that the job follows
 * @param history what has happened so far
 * @param tasks all tasks that hold a container, oldest first
 * @param result how training ended; empty while it goes on
 */
public record StatusView(
        JobIdentity job,
        long atMillis,
        Optional<String> schedulerPage,
        CoordinatorStatus training,
        FollowedPlan plan,
        History history,
        List<TaskView> tasks,
        Optional<TrainingResult> result) {
    /**
     * The plan that the job follows.
     *
     * @param directive the job's part of it
     * @param sizesItself whether the job sizes itself, since no scheduler does
     * @param settled whether the directive is carried out whole
     * @param avoidedNodes YARN's ids of nodes where tasks failed so often that none is started there for now
     */
    public record FollowedPlan(
            Directive directive, boolean sizesItself, boolean settled, SortedSet<String> avoidedNodes) {}

    /**
     * What has happened so far.
     *
     * @param losses the loss curve, thinned
     * @param resizes the last resizes, oldest first
     * @param metrics the last value of each figure that the job's program has reported
     * @param lostTasks number of tasks that ended and should not have
     * @param restartedTasks number of tasks that resizes restarted although they should have kept them
     * @param survived lost tasks, failures of the store and more that training has survived
     */
    public record History(
            List<LossPoint> losses,
            List<ResizeRecord> resizes,
            SortedMap<String, Double> metrics,
            long lostTasks,
            int restartedTasks,
            Survived survived) {}
}
