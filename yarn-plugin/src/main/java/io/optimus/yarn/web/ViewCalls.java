package io.optimus.yarn.web;

import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.explain.JobExplainer;
import io.optimus.yarn.history.PastJob;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.operator.SizeOrder;
import io.optimus.yarn.round.ControlLoop;
import java.util.Optional;
import java.util.function.Function;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.Response.Status;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/** What callers may read, each within what YARN lets them view. None of it takes a lock of the scheduler. */
final class ViewCalls {
    private final HttpServletRequest request;
    private final SchedulerOverview overview;
    private final ViewRights rights;
    private final JobTexts texts;

    ViewCalls(ResourceManager resourceManager, HttpServletRequest request, SchedulerOverview overview, JobTexts texts) {
        this.texts = texts;
        this.request = request;
        this.overview = overview;
        this.rights = new ViewRights(resourceManager, request);
    }

    Response info() {
        return answer(PlanResponse.info(overview));
    }

    Response jobs(Page page, Fields fields) {
        return fields.names().isPresent()
                ? answer(JobResponse.list(overview, page, fields, rights::maySee))
                : Responses.ok(request, texts.list(overview, page, rights::maySee));
    }

    Response models(Page page, Fields fields) {
        return answer(JobResponse.models(overview, page, fields, rights::maySee));
    }

    Response history(Page page, Fields fields) {
        return answer(HistoryResponse.of(overview, page, fields, this::maySee));
    }

    Response plan(Page page) {
        return answer(PlanResponse.of(overview, page, rights::maySee));
    }

    Response rounds() {
        return answer(PlanResponse.rounds(overview));
    }

    Response queues() {
        return answer(QueuesResponse.of(overview));
    }

    Response openApi() {
        return Responses.ok(request, OpenApi.text());
    }

    Response job(String id, Fields fields) {
        return ofJob(id, fields, this::whole);
    }

    Response explain(String id, Fields fields) {
        JobExplainer explainer = new JobExplainer(overview.state(), overview.configuration(), ControlLoop.clock());
        return ofJob(id, fields, job -> ExplainResponse.of(job, explainer.explain(job), overview.configuration()));
    }

    /** {@code json} of the job, or the {@link PastJob} if it has ended. */
    private Response ofJob(String id, Fields fields, Function<JobView, ObjectNode> json) {
        Optional<JobView> job = parsed(id).flatMap(overview.state().registry()::view);
        if (job.isPresent()) {
            return rights.maySee(job.get().id()) ? answer(fields.select(json.apply(job.get()))) : forbidden(id);
        }
        return parsed(id)
                .flatMap(this::past)
                .map(past -> maySee(past) ? answer(fields.select(HistoryResponse.of(past))) : forbidden(id))
                .orElseGet(() -> unknown(id));
    }

    private ObjectNode whole(JobView job) {
        ObjectNode json = JobResponse.of(
                job,
                overview.state().plan().current().of(job.id()),
                overview.state().beliefs().of(job.id()));
        json.put(JobResponse.SCHEDULER_MODE, overview.configuration().mode().word());
        SizeOrder fixed = overview.state().orders().inForce().sizes().get(job.id());
        json.set("fixedSize", fixed == null ? NullNode.getInstance() : PlanResponse.fixedSize(fixed));
        return json;
    }

    private Optional<PastJob> past(ApplicationId id) {
        return overview.state().past().find(id, overview.state().registry()::contains);
    }

    private boolean maySee(PastJob job) {
        return rights.maySeePast(job.id(), job.owned().user());
    }

    private Response answer(ObjectNode json) {
        return Responses.ok(request, json.toString());
    }

    private static Response unknown(String id) {
        return Responses.error(
                Status.NOT_FOUND, "No training job is registered as " + id + ", and none of the ended jobs is it");
    }

    private static Response forbidden(String id) {
        return Responses.error(Status.FORBIDDEN, "You may neither view " + id + " nor administer its queue");
    }

    private static Optional<ApplicationId> parsed(String id) {
        try {
            return Optional.of(ApplicationId.fromString(id));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
