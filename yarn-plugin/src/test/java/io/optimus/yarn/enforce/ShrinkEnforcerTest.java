package io.optimus.yarn.enforce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.model.Role;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.read.TrainingApplication;
import io.optimus.yarn.read.TrainingContainer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.junit.Test;

public class ShrinkEnforcerTest {
    private static final ApplicationId JOB = ApplicationId.newInstance(1, 1);
    private static final ApplicationAttemptId ATTEMPT = ApplicationAttemptId.newInstance(JOB, 1);
    private static final int WORKERS = 10;
    private static final Resources GPU = Resources.of(1024, 1, 1);
    private static final TrainingApplication APPLICATION =
            new TrainingApplication(JOB, Map.of(Role.WORKER, new TrainingApplication.RoleShape(WORKERS, GPU, 1, 8)));

    private final ShrinkEnforcer enforcer = new ShrinkEnforcer(() -> new ShrinkEnforcer.Times(1000, 500));

    /** Returns the {@code number}-th container, created at {@code number} ms. */
    private static TrainingContainer container(int number, String node) {
        return new TrainingContainer(ContainerId.newContainerId(ATTEMPT, number), node, WORKERS, GPU, number);
    }

    private static List<ApplicationUsage> holds(TrainingContainer... containers) {
        return List.of(new ApplicationUsage(
                APPLICATION, "alice", Placement.NONE, Arrays.asList(containers), false, new TreeSet<>()));
    }

    private static Map<ApplicationId, Ceiling> plan(Map<String, Integer> byNode) {
        return Map.of(
                JOB, new Ceiling(new TreeMap<>(Map.of(WORKERS, new Ceiling.RoleCeiling(GPU, new TreeMap<>(byNode))))));
    }

    private static ContainerId id(int number) {
        return ContainerId.newContainerId(ATTEMPT, number);
    }

    @Test
    public void waitsThenAsksBackThenTakesBack() {
        List<ApplicationUsage> held = holds(container(2, "n1"), container(3, "n1"));
        Map<ApplicationId, Ceiling> plan = plan(Map.of("n1", 1));
        assertThat(enforcer.advance(0, held, plan)).isEmpty();
        assertThat(enforcer.advance(999, held, plan)).isEmpty();
        assertThat(enforcer.advance(1000, held, plan)).containsExactly(ShrinkAction.message(id(3)));
        assertThat(enforcer.advance(1499, held, plan)).isEmpty();
        assertThat(enforcer.advance(1500, held, plan)).containsExactly(ShrinkAction.kill(id(3)));
        assertThat(enforcer.advance(1999, held, plan)).isEmpty();
        assertThat(enforcer.advance(2000, held, plan)).containsExactly(ShrinkAction.kill(id(3)));
    }

    @Test
    public void picksTheYoungestContainerOfTheOverfullNode() {
        List<ApplicationUsage> held =
                holds(container(2, "n1"), container(3, "n1"), container(4, "n1"), container(5, "n2"));
        Map<ApplicationId, Ceiling> plan = plan(Map.of("n1", 1, "n2", 1));
        enforcer.advance(0, held, plan);
        assertThat(enforcer.advance(1000, held, plan))
                .containsExactly(ShrinkAction.message(id(4)), ShrinkAction.message(id(3)));
    }

    @Test
    public void forgetsAJobThatComplies() {
        List<ApplicationUsage> two = holds(container(2, "n1"), container(3, "n1"));
        Map<ApplicationId, Ceiling> plan = plan(Map.of("n1", 1));
        enforcer.advance(0, two, plan);
        assertThat(enforcer.advance(900, holds(container(2, "n1")), plan)).isEmpty();
        assertThat(enforcer.advance(1100, two, plan)).isEmpty();
        assertThat(enforcer.advance(2100, two, plan)).containsExactly(ShrinkAction.message(id(3)));
    }

    @Test
    public void forgetsAJobThatEnds() {
        List<ApplicationUsage> two = holds(container(2, "n1"), container(3, "n1"));
        Map<ApplicationId, Ceiling> plan = plan(Map.of("n1", 1));
        enforcer.advance(0, two, plan);
        enforcer.advance(1000, two, plan);
        assertThat(enforcer.advance(1600, List.of(), plan)).isEmpty();
        assertThat(enforcer.advance(1700, two, plan)).isEmpty();
    }

    @Test
    public void doesNotLetANewPlanOrAYoungerContainerResetTheClock() {
        enforcer.advance(0, holds(container(2, "n1"), container(3, "n1")), plan(Map.of("n1", 1)));
        List<ApplicationUsage> three = holds(container(2, "n1"), container(3, "n1"), container(4, "n1"));
        assertThat(enforcer.advance(1000, three, plan(Map.of("n1", 2)))).containsExactly(ShrinkAction.message(id(3)));
    }

    @Test
    public void takesNothingFromAJobWithoutCeiling() {
        List<ApplicationUsage> held = holds(container(2, "n1"));
        enforcer.advance(0, held, Map.of());
        assertThat(enforcer.advance(10_000, held, Map.of())).isEmpty();
    }

    @Test
    public void takesBackContainersThatWereNeverPlanned() {
        TrainingContainer stray = new TrainingContainer(id(7), "n3", 99, GPU, 7);
        enforcer.advance(0, holds(stray), plan(Map.of("n1", 1)));
        assertThat(enforcer.advance(1000, holds(stray), plan(Map.of("n1", 1))))
                .containsExactly(ShrinkAction.message(id(7)));
    }

    @Test
    public void takesBackContainersLargerThanATaskAndCountsThemForNone() {
        TrainingContainer large = new TrainingContainer(id(2), "n1", WORKERS, Resources.of(1024, 1, 4), 2);
        List<ApplicationUsage> held = holds(large, container(3, "n1"));
        Map<ApplicationId, Ceiling> plan = plan(Map.of("n1", 1));
        enforcer.advance(0, held, plan);
        assertThat(enforcer.advance(1000, held, plan)).containsExactly(ShrinkAction.message(id(2)));
    }

    @Test
    public void asksAtOnceWithoutGrace() {
        ShrinkEnforcer strict = new ShrinkEnforcer(() -> new ShrinkEnforcer.Times(0, 0));
        List<ApplicationUsage> held = holds(container(2, "n1"));
        assertThat(strict.advance(5, held, Map.of(JOB, Ceiling.NOTHING))).containsExactly(ShrinkAction.message(id(2)));
        assertThat(strict.advance(5, held, Map.of(JOB, Ceiling.NOTHING))).containsExactly(ShrinkAction.kill(id(2)));
    }

    @Test
    public void refusesNegativeTimes() {
        assertThatThrownBy(() -> new ShrinkEnforcer.Times(-1, 500)).hasMessageContaining("grace -1 ms");
    }
}
