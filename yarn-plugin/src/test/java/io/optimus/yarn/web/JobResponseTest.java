package io.optimus.yarn.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.belief.Estimate;
import io.optimus.model.belief.HeldTime;
import io.optimus.model.belief.LearnedBelief;
import io.optimus.model.belief.Observations;
import io.optimus.model.convergence.ConvergencePrediction;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.job.JobDemand;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.FittedLosses;
import io.optimus.yarn.jobs.GpuSpeeds;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.jobs.Jobs;
import java.io.IOException;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.junit.Test;

public final class JobResponseTest {
    private final JobRegistry registry = Jobs.registry(GpuSpeeds.ALIKE);
    private final ApplicationFacts caller = new FakeApplications().run(Jobs.attempt(1, 1));

    @Test
    public void showsFamilyParametersAndInterval() throws Exception {
        JsonNode json = afterLosses(new StopRule.LossPlateau(0.01, 3), step -> 1 + 5 * Math.exp(-step / 300));

        JsonNode curve = json.get("lossCurve");
        assertThat(curve.get("family").asText()).isEqualTo("exponential decay");
        assertThat(curve.get("rate").asDouble()).isCloseTo(1 / 300.0, within(1e-5));
        assertThat(curve.get("limit").asDouble()).isCloseTo(1, within(1e-3));
        assertThat(curve.get("bendStep").isNull()).isTrue();
        JsonNode remaining = json.get("remaining");
        assertThat(remaining.get("steps").asDouble())
                .isBetween(
                        remaining.get("fewestSteps").asDouble(),
                        remaining.get("mostSteps").asDouble());
    }

    @Test
    public void showsTheBend() throws Exception {
        JsonNode json = afterLosses(new StopRule.MaxEpochs(40), step -> (step < 400 ? 2 : 0.5) + 1 / (1 + 0.05 * step));

        assertThat(json.get("lossCurve").get("bendStep").asDouble()).isEqualTo(400);
        assertThat(json.get("lossCurve").get("outcome").asText()).contains("since the bend at step 400");
        assertThat(json.get("remaining").get("mostSteps").asDouble())
                .isEqualTo(json.get("remaining").get("fewestSteps").asDouble());
    }

    /** The speed of the job is not known yet. */
    @Test
    public void hasNoRemainingTimeWithoutASpeedFunction() throws Exception {
        JsonNode json = afterLosses(new StopRule.MaxEpochs(40), step -> 1 / (1 + 0.05 * step));

        assertThat(json.get("remainingTime").isNull()).isTrue();
        assertThat(json.get("mostRemainingSeconds").isNull()).isTrue();
    }

    @Test
    public void showsTheBatchOfAJobThatAdaptsIt() throws Exception {
        registry.register(caller, Jobs.LIMITS, Jobs.adaptive(512).build());
        registry.report(
                caller,
                Jobs.report(1)
                        .addMembers(
                                NodeAllocationProto.newBuilder().setNode("a:1").setAllocation(Jobs.allocation(0, 2)))
                        .addStepTimes(Jobs.steps(1, 2, 64, 0.1, 1))
                        .setGradientNoise(Jobs.noise(1, 30))
                        .setBatch(128)
                        .build());

        JsonNode json = respond(new StopRule.MaxEpochs(40)).get("batch");

        assertThat(json.get("initial").asInt()).isEqualTo(128);
        assertThat(json.get("max").asInt()).isEqualTo(512);
        assertThat(json.get("last").asInt()).isEqualTo(128);
        assertThat(json.get("noiseScale").asDouble()).isEqualTo(128 * 30);
        assertThat(json.get("best").asInt()).isEqualTo(512);
        assertThat(json.get("gain").asDouble()).isCloseTo(31 / (30 / 4.0 + 1), within(1e-9));
    }

    private JsonNode afterLosses(StopRule stop, DoubleUnaryOperator losses) throws Exception {
        registry.register(caller, Jobs.LIMITS, Jobs.registration().build());
        ReportRequestProto.Builder report = Jobs.report(1);
        for (int step = 10; step <= 600; step += 10) {
            report.addLosses(Jobs.loss(step, losses.applyAsDouble(step)));
        }
        registry.report(caller, report.setCurrentStep(600).build());
        return respond(stop);
    }

    private JsonNode respond(StopRule stop) throws IOException {
        JobView job = registry.views().get(0);
        FittedLosses fitted = registry.fit(job.id(), new LossCurveFitter()).orElseThrow();
        Estimate estimate = new LearnedBelief(
                        new JobDemand(
                                job.registration().demand().parameterServers(),
                                job.registration().demand().workers()),
                        job.registration().training().speedForm(),
                        Optional.of(new ConvergencePrediction(stop, 100)),
                        new Observations(
                                fitted.curve(),
                                fitted.epochs(),
                                job.measured().speeds(),
                                job.measured().givenUp(),
                                0,
                                job.progress().step(),
                                job.measured().goodput(),
                                8,
                                HeldTime.NONE))
                .estimate();
        ObjectNode json = JobResponse.of(job, Optional.empty(), Optional.of(estimate));
        OpenApiTest.hold(json, "Job");
        return json;
    }
}
