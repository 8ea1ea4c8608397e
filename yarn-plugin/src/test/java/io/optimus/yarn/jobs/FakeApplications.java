package io.optimus.yarn.jobs;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Running applications as a test sets them. */
public final class FakeApplications implements Applications {
    private final Map<ApplicationId, ApplicationFacts> running = new ConcurrentSkipListMap<>();

    /** Makes {@code attempt} the current attempt of its application. */
    public ApplicationFacts run(ApplicationAttemptId attempt) {
        return run(attempt, 0);
    }

    /** Makes {@code attempt}, with this priority in YARN, the current attempt of its application. */
    public ApplicationFacts run(ApplicationAttemptId attempt, int priority) {
        ApplicationFacts facts = new ApplicationFacts(
                attempt, "alice", "root.default", attempt.getApplicationId().getId(), priority);
        running.put(attempt.getApplicationId(), facts);
        return facts;
    }

    public void end(ApplicationId application) {
        running.remove(application);
    }

    @Override
    public Optional<ApplicationFacts> find(ApplicationId application) {
        return Optional.ofNullable(running.get(application));
    }

    @Override
    public Collection<ApplicationId> training() {
        return running.keySet();
    }

    @Override
    public Optional<String> page(ApplicationId application) {
        return Optional.of("http://rm/" + application);
    }
}
