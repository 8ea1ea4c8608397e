package io.optimus.yarn.web;

import io.optimus.model.Allocation;
import io.optimus.yarn.OptimusScheduler;
import io.optimus.yarn.SchedulerOverview;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Function;
import javax.inject.Inject;
import javax.inject.Singleton;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.Response.Status;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.jspecify.annotations.Nullable;

/**
 * REST resource with the training jobs and the plan, which also takes the orders of administrators. {@code
 * yarn.http.rmwebapp.external.classes} adds it to the web application of the ResourceManager. Lists leave out jobs that the
 * caller may not see; a request for such a job is refused.
 */
@Singleton
@Path("/ws/v1/optimus")
@Produces(MediaType.APPLICATION_JSON + ";charset=utf-8")
public class OptimusResource {
    private final ResourceManager resourceManager;
    private final JobTexts texts = new JobTexts();

    /** Created once by the web application. */
    @Inject
    public OptimusResource(ResourceManager resourceManager) {
        this.resourceManager = resourceManager;
    }

    /** Mode, intervals, the address of the training service. */
    @GET
    public Response info(@Context HttpServletRequest request) {
        return view(request, ViewCalls::info);
    }

    /**
     * The jobs that the caller may see, without their tasks, in pages.
     *
     * @param limit most jobs, from 1 to 1000
     * @param after the id after which the page begins: {@code next} of the page before
     * @param fields the fields of each job, with commas between them; all without it
     */
    @GET
    @Path("/jobs")
    public Response jobs(
            @Context HttpServletRequest request,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @QueryParam("fields") @Nullable String fields) {
        return view(
                request, calls -> calls.jobs(Page.of(limit, after), Fields.of(fields, OpenApi.fields("JobSummary"))));
    }

    /** One job, also one that has ended. */
    @GET
    @Path("/jobs/{id}")
    public Response job(
            @Context HttpServletRequest request,
            @PathParam("id") String id,
            @QueryParam("fields") @Nullable String fields) {
        return view(request, calls -> calls.job(id, Fields.of(fields, OpenApi.fields("Job", "PastJob"))));
    }

    /** Why a job has what it has, and what would change it; of one that has ended, the same as {@link #job}. */
    @GET
    @Path("/jobs/{id}/explain")
    public Response explain(
            @Context HttpServletRequest request,
            @PathParam("id") String id,
            @QueryParam("fields") @Nullable String fields) {
        return view(request, calls -> calls.explain(id, Fields.of(fields, OpenApi.fields("Explanation", "PastJob"))));
    }

    /** The jobs that ended last, the newest first, in pages as with {@link #jobs}. */
    @GET
    @Path("/history")
    public Response history(
            @Context HttpServletRequest request,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @QueryParam("fields") @Nullable String fields) {
        return view(
                request, calls -> calls.history(Page.of(limit, after), Fields.of(fields, OpenApi.fields("PastJob"))));
    }

    /** The fitted models of the jobs, in pages as with {@link #jobs}. */
    @GET
    @Path("/models")
    public Response models(
            @Context HttpServletRequest request,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @QueryParam("fields") @Nullable String fields) {
        return view(
                request,
                calls -> calls.models(
                        Page.of(limit, after), Fields.of(fields, OpenApi.fields("Models/properties/jobs/items"))));
    }

    /** The plan, in pages of jobs as with {@link #jobs}, and the last rounds. */
    @GET
    @Path("/plan")
    public Response plan(
            @Context HttpServletRequest request,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after) {
        return view(request, calls -> calls.plan(Page.of(limit, after)));
    }

    /** The last rounds, the newest first. */
    @GET
    @Path("/rounds")
    public Response rounds(@Context HttpServletRequest request) {
        return view(request, ViewCalls::rounds);
    }

    /** The leaf queues with training jobs. */
    @GET
    @Path("/queues")
    public Response queues(@Context HttpServletRequest request) {
        return view(request, ViewCalls::queues);
    }

    /** What would happen with another job, policy, queue limit or node; nothing changes. */
    @POST
    @Path("/what-if")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response whatIf(@Context HttpServletRequest request, InputStream body) {
        return forecast(request, calls -> calls.ask(body));
    }

    /** What the next node would save. */
    @GET
    @Path("/capacity")
    public Response capacity(@Context HttpServletRequest request) {
        return forecast(request, WhatIfCalls::capacity);
    }

    private Response forecast(HttpServletRequest request, Function<WhatIfCalls, Response> call) {
        return overview()
                .map(overview -> call.apply(new WhatIfCalls(resourceManager, request, overview)))
                .orElseGet(Responses::notServed);
    }

    /** This interface, as an OpenAPI document. */
    @GET
    @Path("/openapi.json")
    public Response openApi(@Context HttpServletRequest request) {
        return view(request, ViewCalls::openApi);
    }

    private Response view(HttpServletRequest request, Function<ViewCalls, Response> call) {
        Optional<SchedulerOverview> overview = overview();
        if (overview.isEmpty()) {
            return Responses.notServed();
        }
        try {
            return call.apply(new ViewCalls(resourceManager, request, overview.get(), texts));
        } catch (IllegalArgumentException e) {
            return Responses.error(Status.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    /** Pauses all rounds. */
    @PUT
    @Path("/pause")
    public Response pause(@Context HttpServletRequest request) {
        return order(request, OrderCalls::pause);
    }

    /** Ends the pause. */
    @DELETE
    @Path("/pause")
    public Response resume(@Context HttpServletRequest request) {
        return order(request, OrderCalls::resume);
    }

    /** Drains a node of training. */
    @PUT
    @Path("/drained-nodes/{node}")
    public Response drainNode(@Context HttpServletRequest request, @PathParam("node") String node) {
        return order(request, calls -> calls.drainNode(node));
    }

    /** Lets training use a node again. */
    @DELETE
    @Path("/drained-nodes/{node}")
    public Response useNode(@Context HttpServletRequest request, @PathParam("node") String node) {
        return order(request, calls -> calls.useNode(node));
    }

    /** Drains a queue of training. */
    @PUT
    @Path("/drained-queues/{queue}")
    public Response drainQueue(@Context HttpServletRequest request, @PathParam("queue") String queue) {
        return order(request, calls -> calls.drainQueue(queue));
    }

    /** Lets training run in a queue again. */
    @DELETE
    @Path("/drained-queues/{queue}")
    public Response useQueue(@Context HttpServletRequest request, @PathParam("queue") String queue) {
        return order(request, calls -> calls.useQueue(queue));
    }

    /** Fixes the size of a job; without workers at what it holds now. */
    @PUT
    @Path("/jobs/{id}/size")
    public Response fixSize(
            @Context HttpServletRequest request,
            @PathParam("id") String id,
            @QueryParam("workers") @Nullable Integer workers,
            @QueryParam("parameterServers") @DefaultValue("0") int parameterServers) {
        if (parameterServers < 0 || (workers != null && workers < 1)) {
            return Responses.error(Status.BAD_REQUEST, "Remedy: give workers=N and parameterServers=M, not negative");
        }
        return order(
                request,
                calls -> calls.fixSize(
                        id, Optional.ofNullable(workers).map(count -> new Allocation(parameterServers, count))));
    }

    /** Lets rounds choose the size of a job again. */
    @DELETE
    @Path("/jobs/{id}/size")
    public Response freeSize(@Context HttpServletRequest request, @PathParam("id") String id) {
        return order(request, calls -> calls.freeSize(id));
    }

    private Response order(HttpServletRequest request, Function<OrderCalls, Response> call) {
        return overview()
                .map(overview -> call.apply(new OrderCalls(resourceManager, request, overview)))
                .orElseGet(Responses::notServed);
    }

    private Optional<SchedulerOverview> overview() {
        return resourceManager.getResourceScheduler() instanceof OptimusScheduler scheduler
                ? scheduler.overview()
                : Optional.empty();
    }
}
