package io.optimus.yarn.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.GpuSpeeds;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.round.ControlLoop;
import io.optimus.yarn.round.RoundTimer;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.Before;
import org.junit.Test;

public final class JobTextsTest {
    private static final Page ALL = Page.of(null, null);
    private static final Fields EVERY = Fields.of(null, OpenApi.fields("JobSummary"));

    private final FakeApplications applications = new FakeApplications();
    private final JobRegistry registry = Jobs.registry(GpuSpeeds.ALIKE);
    private final JobTexts texts = new JobTexts();

    @Before
    public void register() throws Exception {
        for (int job = 1; job <= 3; job++) {
            registry.register(
                    applications.run(Jobs.attempt(job, 1)),
                    Jobs.LIMITS,
                    Jobs.registration().build());
        }
    }

    private SchedulerOverview overview(String mode) {
        Configuration configuration = new Configuration(false);
        configuration.set("yarn.scheduler.optimus.mode", mode);
        return new SchedulerOverview(
                OptimusConfiguration.read(configuration),
                Optional.empty(),
                List.of(),
                ControlLoop.State.of(registry, new RoundTimer(() -> true), () -> 1000),
                Optional.empty());
    }

    private void assertListed(SchedulerOverview overview, Page page, Predicate<ApplicationId> shown) {
        assertThat(texts.list(overview, page, shown))
                .isEqualTo(JobResponse.list(overview, page, EVERY, shown).toString());
    }

    @Test
    public void areThoseOfTheListAfterEachChange() throws Exception {
        SchedulerOverview enforcing = overview("enforce");
        assertListed(enforcing, ALL, id -> true);
        assertListed(enforcing, ALL, id -> true);

        ApplicationFacts caller = applications.run(Jobs.attempt(2, 1));
        registry.report(
                caller,
                Jobs.report(1).setCurrentStep(10).addLosses(Jobs.loss(10, 0.5)).build());
        assertThat(texts.list(enforcing, ALL, id -> true)).contains("\"step\":10");
        assertListed(enforcing, ALL, id -> true);

        assertListed(overview("advise"), ALL, id -> true);

        registry.remove(caller.attempt().getApplicationId());
        assertThat(texts.list(enforcing, ALL, id -> true))
                .doesNotContain(caller.attempt().getApplicationId().toString());
        assertListed(enforcing, ALL, id -> true);
    }

    @Test
    public void comeInPagesOfWhatTheCallerMaySee() {
        SchedulerOverview overview = overview("enforce");
        ApplicationId hidden = Jobs.attempt(1, 1).getApplicationId();
        Page first = Page.of("1", null);
        assertListed(overview, first, id -> !id.equals(hidden));
        assertThat(texts.list(overview, first, id -> !id.equals(hidden)))
                .contains("\"next\":\"" + Jobs.attempt(2, 1).getApplicationId() + "\"")
                .doesNotContain(hidden.toString());
        assertListed(overview, ALL, id -> false);
    }
}
