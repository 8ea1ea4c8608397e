package io.optimus.yarn.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.explain.JobExplainer;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.GpuSpeeds;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.round.ControlLoop;
import io.optimus.yarn.round.RoundTimer;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.Before;
import org.junit.Test;

/** Holds answers against the OpenAPI document that is served with them. */
public final class OpenApiTest {
    private static final Page ALL = Page.of(null, null);
    private static final Fields EVERY = Fields.of(null, OpenApi.fields("Job", "PastJob"));

    private final JobRegistry registry = Jobs.registry(GpuSpeeds.ALIKE);
    private final ControlLoop.State state = ControlLoop.State.of(registry, new RoundTimer(() -> true), () -> 1000);
    private final OptimusConfiguration settings = OptimusConfiguration.read(new Configuration(false));
    private final SchedulerOverview overview =
            new SchedulerOverview(settings, Optional.empty(), List.of(), state, Optional.empty());
    private final ApplicationId running = Jobs.attempt(1, 1).getApplicationId();
    private final ApplicationId ended = Jobs.attempt(2, 1).getApplicationId();

    @Before
    public void runJobs() throws Exception {
        FakeApplications applications = new FakeApplications();
        for (int job = 1; job <= 2; job++) {
            ApplicationFacts caller = applications.run(Jobs.attempt(job, 1));
            registry.register(caller, Jobs.LIMITS, Jobs.registration().build());
            registry.report(
                    caller,
                    Jobs.report(1)
                            .setCurrentStep(10)
                            .addLosses(Jobs.loss(10, 0.5))
                            .build());
        }
        state.past().observe(registry.views(), PublishedPlan.NONE);
        registry.remove(ended);
    }

    private JobView job() {
        return registry.view(running).orElseThrow();
    }

    private static JsonNode document() throws IOException {
        return new ObjectMapper().readTree(OpenApiTest.class.getResourceAsStream("openapi.json"));
    }

    /** Asserts that {@code answer} is what the document says of {@code schema}. */
    static void hold(ObjectNode answer, String schema) throws IOException {
        ObjectNode whole = document().deepCopy();
        whole.put("$ref", "#/components/schemas/" + schema);
        Set<ValidationMessage> problems = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(whole)
                .validate(answer);
        assertThat(problems).as(schema + " " + answer).isEmpty();
    }

    @Test
    public void isAnOpenApiDocument() throws IOException {
        String text = document().toString();
        assertThat(new OpenAPIV3Parser()
                        .readContents(text, null, new ParseOptions())
                        .getMessages())
                .isEmpty();
        assertThat(new OpenAPIV3Parser()
                        .readContents(text.replace("\"responses\"", "\"answers\""), null, new ParseOptions())
                        .getMessages())
                .as("of a document that is none")
                .isNotEmpty();
    }

    @Test
    public void describesEveryAnswer() throws IOException {
        hold(PlanResponse.info(overview), "Info");
        hold(JobResponse.list(overview, ALL, EVERY, id -> true), "Jobs");
        hold(JobResponse.models(overview, ALL, EVERY, id -> true), "Models");
        hold(JobResponse.of(job(), Optional.empty(), state.beliefs().of(running)), "Job");
        hold(HistoryResponse.of(overview, ALL, EVERY, job -> true), "History");
        hold(PlanResponse.of(overview, ALL, id -> true), "Plan");
        hold(PlanResponse.rounds(overview), "Rounds");
        hold(QueuesResponse.of(overview), "Queues");
        hold(ExplainResponse.of(job(), new JobExplainer(state, settings, 0).explain(job()), settings), "Explanation");
    }

    @Test
    public void refusesAnswersThatItDoesNotDescribe() throws IOException {
        ObjectNode answer = JobResponse.list(overview, ALL, EVERY, id -> true);
        ((ObjectNode) answer.get("jobs").get(0)).put("undescribed", 1);
        ObjectNode whole = document().deepCopy();
        whole.put("$ref", "#/components/schemas/Jobs");

        assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(whole)
                        .validate(answer))
                .isNotEmpty();
    }

    @Test
    public void listsHaveNoDetailOfTasks() {
        JsonNode job =
                JobResponse.list(overview, ALL, EVERY, id -> true).get("jobs").get(0);

        assertThat(job.has("tasks") || job.has("placement") || job.has("resizes"))
                .isFalse();
    }

    @Test
    public void givesTheFieldsThatAreAskedFor() {
        JsonNode job = JobResponse.list(overview, ALL, Fields.of("id,state", OpenApi.fields("JobSummary")), id -> true)
                .get("jobs")
                .get(0);

        assertThat(job.fieldNames()).toIterable().containsExactlyInAnyOrder("id", "state");
        Fields onlySomeHave = Fields.of("id,batch", OpenApi.fields("JobSummary"));
        assertThat(JobResponse.list(overview, ALL, onlySomeHave, id -> true).get("jobs"))
                .allSatisfy(each -> assertThat(each.has("id")).isTrue());
        Fields ofAJobThatRuns = Fields.of("state,remainingSeconds", OpenApi.fields("Job", "PastJob"));
        assertThat(HistoryResponse.of(overview, ALL, ofAJobThatRuns, past -> true)
                        .get("jobs")
                        .get(0)
                        .fieldNames())
                .toIterable()
                .containsExactly("state");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        JobResponse.list(overview, ALL, Fields.of("id,stat", OpenApi.fields("JobSummary")), id -> true))
                .withMessageContaining("no field stat")
                .withMessageContaining("state");
        assertThatIllegalArgumentException().isThrownBy(() -> Fields.of("id,,state", OpenApi.fields("JobSummary")));
    }

    @Test
    public void remembersJobsThatHaveEnded() {
        JsonNode history = HistoryResponse.of(overview, ALL, EVERY, job -> true);

        assertThat(history.get("jobs")).hasSize(1);
        assertThat(history.get("jobs").get(0).get("id").asText()).isEqualTo(ended.toString());
        assertThat(history.get("jobs").get(0).get("step").asInt()).isEqualTo(10);
        assertThat(HistoryResponse.of(overview, ALL, EVERY, job -> false).get("jobs"))
                .as("for nobody who may not see it")
                .isEmpty();
    }
}
