package io.optimus.yarn.page;

import io.optimus.model.cluster.Resources;
import io.optimus.pages.Html;
import io.optimus.pages.PageFile;
import io.optimus.pages.PageFrame;
import io.optimus.yarn.OptimusScheduler;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.history.PastJob;
import io.optimus.yarn.read.Amounts;
import io.optimus.yarn.web.ViewRights;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import javax.inject.Inject;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.EntityTag;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Request;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.Response.ResponseBuilder;
import javax.ws.rs.core.Response.Status;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.jspecify.annotations.Nullable;

/**
 * The page of the scheduler, {@code /cluster/optimus}, and a page of each training job. {@code
 * yarn.http.rmwebapp.external.classes} adds it to the web application of the ResourceManager. Pages show only jobs that the
 * caller may see, as REST does.
 *
 * <p>Each page is whole without its script. The script asks for the same page again every few seconds and takes over what
 * differs; a page that has not changed is answered with 304.
 */
@Path(Frame.ROOT)
public class SchedulerPages {
    private static final String HTML = MediaType.TEXT_HTML + ";charset=utf-8";

    /** The command history and REST have all that are kept. */
    private static final int ENDED = 10;

    private final ResourceManager resourceManager;

    /** Created by the web application for each request. */
    @Inject
    public SchedulerPages(ResourceManager resourceManager) {
        this.resourceManager = resourceManager;
    }

    /**
     * The cluster, the jobs and the rounds.
     *
     * @param search text in the id, the name, the user or the queue of the jobs to list
     * @param state state of the jobs to list
     * @param page number of the page of the list
     */
    @GET
    public Response scheduler(
            @Context Request conditions,
            @Context HttpServletRequest request,
            @QueryParam("search") @Nullable String search,
            @QueryParam("state") @Nullable String state,
            @QueryParam("page") @Nullable String page) {
        Optional<OptimusScheduler> scheduler = scheduler();
        Optional<SchedulerOverview> overview = scheduler.flatMap(OptimusScheduler::overview);
        if (overview.isEmpty()) {
            return notServed(request);
        }
        ViewRights rights = new ViewRights(resourceManager, request);
        JobList list = JobList.of(
                overview.get().state().registry().views(),
                rights::maySee,
                new JobList.Wanted(search == null ? "" : search, state == null ? "" : state, page == null ? "" : page));
        List<PastJob> ended =
                overview.get().state().past().newestFirst(overview.get().state().registry()::contains).stream()
                        .filter(job -> rights.maySeePast(job.id(), job.owned().user()))
                        .limit(ENDED)
                        .toList();
        return answer(
                conditions, Status.OK, SchedulerPage.of(overview.get(), scheduler.get(), list, ended, user(request)));
    }

    /** One job, also one that has ended. */
    @GET
    @Path("/job/{id}")
    public Response job(@Context Request conditions, @Context HttpServletRequest request, @PathParam("id") String id) {
        Optional<SchedulerOverview> overview = scheduler().flatMap(OptimusScheduler::overview);
        if (overview.isEmpty()) {
            return notServed(request);
        }
        ViewRights rights = new ViewRights(resourceManager, request);
        Optional<ShownJob> job = parsed(id).flatMap(known -> ShownJob.of(overview.get(), known));
        if (job.isPresent()) {
            return rights.maySee(job.get().view().id())
                    ? answer(conditions, Status.OK, JobPage.of(overview.get(), job.get(), cluster(), user(request)))
                    : forbidden(request, id);
        }
        Optional<PastJob> past = parsed(id).flatMap(known -> past(overview.get(), known));
        if (past.isEmpty()) {
            return message(
                    request,
                    Status.NOT_FOUND,
                    "No training job is registered as " + id + ", and none of the ended jobs is it.");
        }
        return rights.maySeePast(past.get().id(), past.get().owned().user())
                ? answer(conditions, Status.OK, PastJobPage.of(past.get(), user(request)))
                : forbidden(request, id);
    }

    private static Optional<PastJob> past(SchedulerOverview overview, ApplicationId id) {
        return overview.state().past().find(id, overview.state().registry()::contains);
    }

    private static Response forbidden(HttpServletRequest request, String id) {
        return message(request, Status.FORBIDDEN, "You may neither view " + id + " nor administer its queue.");
    }

    /** Scripts and style sheets. */
    @GET
    @Path("/static/{name}")
    public Response file(@Context Request conditions, @PathParam("name") String name) {
        return PageFile.named(name)
                .map(file -> {
                    EntityTag tag = tag(file.content());
                    ResponseBuilder unchanged = conditions.evaluatePreconditions(tag);
                    return (unchanged == null ? Response.ok(file.content(), file.type()) : unchanged)
                            .tag(tag)
                            .header("Cache-Control", "no-cache")
                            .build();
                })
                .orElseGet(() -> Response.status(Status.NOT_FOUND).build());
    }

    private Response notServed(HttpServletRequest request) {
        return message(
                request,
                Status.NOT_FOUND,
                "This ResourceManager does not run io.optimus.yarn.OptimusScheduler"
                        + " (yarn.resourcemanager.scheduler.class).");
    }

    private static Response message(HttpServletRequest request, Status status, String text) {
        Html html = Frame.begin("Training", user(request));
        html.element("p", text).begin("p").link(Frame.ROOT, "All training jobs").end();
        return secured(Response.status(status).entity(Frame.end(html)).type(HTML))
                .build();
    }

    private static Response answer(Request conditions, Status status, String html) {
        EntityTag tag = tag(html);
        ResponseBuilder unchanged = conditions.evaluatePreconditions(tag);
        ResponseBuilder response =
                unchanged == null ? Response.status(status).entity(html).type(HTML) : unchanged;
        return secured(response).tag(tag).build();
    }

    private static ResponseBuilder secured(ResponseBuilder response) {
        return response.header("Content-Security-Policy", PageFrame.POLICY)
                .header("Referrer-Policy", "same-origin")
                .header("Cache-Control", "private, no-cache");
    }

    private static EntityTag tag(String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return new EntityTag(Long.toHexString(sum.getValue()) + "-" + bytes.length);
    }

    private Optional<OptimusScheduler> scheduler() {
        return resourceManager.getResourceScheduler() instanceof OptimusScheduler scheduler
                ? Optional.of(scheduler)
                : Optional.empty();
    }

    private Resources cluster() {
        return Amounts.of(resourceManager.getResourceScheduler().getClusterResource());
    }

    private static Optional<String> user(HttpServletRequest request) {
        return Optional.ofNullable(request.getRemoteUser());
    }

    private static Optional<ApplicationId> parsed(String id) {
        try {
            return Optional.of(ApplicationId.fromString(id));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
