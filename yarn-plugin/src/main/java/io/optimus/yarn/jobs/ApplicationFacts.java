package io.optimus.yarn.jobs;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/**
 * The ResourceManager's facts about a running application.
 *
 * @param attempt its current attempt
 * @param user the user who submitted it
 * @param queue path of its leaf queue
 * @param submitMillis when it was submitted
 * @param priority its priority in YARN, which an administrator can change; larger first
 */
public record ApplicationFacts(
        ApplicationAttemptId attempt, String user, String queue, long submitMillis, int priority) {}
