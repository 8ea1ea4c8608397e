package io.optimus.yarn.web;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.yarn.OptimusScheduler;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.jobs.JobView;
import java.util.Optional;
import javax.inject.Inject;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.Response.Status;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/**
 * REST resource with the training jobs and the plan. {@code yarn.http.rmwebapp.external.classes} adds it to the web
 * application of the ResourceManager. Lists leave out jobs that the caller may not see; a request for such a job is
 * refused.
 */
@Path("/ws/v1/optimus")
@Produces(MediaType.APPLICATION_JSON + ";charset=utf-8")
public class OptimusResource {
    private final ResourceManager resourceManager;

    /** Created by the web application for each request. */
    @Inject
    public OptimusResource(ResourceManager resourceManager) {
        this.resourceManager = resourceManager;
    }

    /** Mode, intervals, the address of the training service. */
    @GET
    public Response info() {
        return overview().map(PlanResponse::info).map(OptimusResource::ok).orElseGet(OptimusResource::notServed);
    }

    /** All jobs that the caller may see. */
    @GET
    @Path("/jobs")
    public Response jobs(@Context HttpServletRequest request) {
        Optional<SchedulerOverview> overview = overview();
        if (overview.isEmpty()) {
            return notServed();
        }
        ViewRights rights = new ViewRights(resourceManager, request);
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode jobs = json.putArray("jobs");
        for (JobView job : overview.get().state().registry().views()) {
            if (rights.maySee(job.id())) {
                jobs.add(json(overview.get(), job));
            }
        }
        return ok(json);
    }

    /** One job. */
    @GET
    @Path("/jobs/{id}")
    public Response job(@Context HttpServletRequest request, @PathParam("id") String id) {
        Optional<SchedulerOverview> overview = overview();
        if (overview.isEmpty()) {
            return notServed();
        }
        ViewRights rights = new ViewRights(resourceManager, request);
        Optional<JobView> job = parsed(id).flatMap(overview.get().state().registry()::view);
        if (job.isEmpty()) {
            return error(Status.NOT_FOUND, "No training job is registered as " + id);
        }
        return rights.maySee(job.get().id())
                ? ok(json(overview.get(), job.get()))
                : error(Status.FORBIDDEN, "You may neither view " + id + " nor administer its queue");
    }

    /** The plan and the last rounds. */
    @GET
    @Path("/plan")
    public Response plan(@Context HttpServletRequest request) {
        ViewRights rights = new ViewRights(resourceManager, request);
        return overview()
                .map(overview -> ok(PlanResponse.of(overview, rights::maySee)))
                .orElseGet(OptimusResource::notServed);
    }

    private Optional<SchedulerOverview> overview() {
        return resourceManager.getResourceScheduler() instanceof OptimusScheduler scheduler
                ? scheduler.overview()
                : Optional.empty();
    }

    private static ObjectNode json(SchedulerOverview overview, JobView job) {
        return JobResponse.of(
                job,
                overview.state().plan().current().of(job.id()),
                overview.state().beliefs().of(job.id()));
    }

    private static Optional<ApplicationId> parsed(String id) {
        try {
            return Optional.of(ApplicationId.fromString(id));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Response ok(ObjectNode json) {
        return Response.ok(json.toString()).build();
    }

    private static Response notServed() {
        return error(
                Status.NOT_FOUND,
                "This ResourceManager does not run io.optimus.yarn.OptimusScheduler"
                        + " (yarn.resourcemanager.scheduler.class)");
    }

    private static Response error(Status status, String message) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("status", status.getStatusCode());
        json.put("message", message);
        return Response.status(status).entity(json.toString()).build();
    }
}
