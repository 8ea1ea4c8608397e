package io.optimus.yarn.web;

import io.optimus.model.Allocation;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.operator.OperatorOrders;
import io.optimus.yarn.operator.Order;
import io.optimus.yarn.operator.SizeOrder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.Set;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.Response.Status;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.RMAuditLogger;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the orders of one request: checks the caller's rights, changes the orders in force, and writes both orders and
 * refusals to the ResourceManager's audit log. What is named in an order is looked up first, so that nothing unknown
 * reaches the log.
 */
final class OrderCalls {
    private final ResourceManager resourceManager;
    private final HttpServletRequest request;
    private final SchedulerOverview overview;
    private final OperatorOrders orders;
    private final AdministratorRights rights;

    OrderCalls(ResourceManager resourceManager, HttpServletRequest request, SchedulerOverview overview) {
        this.resourceManager = resourceManager;
        this.request = request;
        this.overview = overview;
        this.orders = overview.state().orders();
        this.rights = new AdministratorRights(resourceManager, request);
    }

    /** What to do with an order. */
    private interface Action {
        /** Throws if the order cannot be kept; nothing has changed then. */
        void carryOut(Order order) throws IOException;
    }

    Response pause() {
        return carryOut("Pause Training Rounds", "all queues", rights.isAdministrator(), orders::pause);
    }

    Response resume() {
        return carryOut("Resume Training Rounds", "all queues", rights.isAdministrator(), order -> orders.resume());
    }

    Response drainNode(String name) {
        Optional<String> node = resourceManager.getRMContext().getRMNodes().values().stream()
                .map(RMNode::getNodeID)
                .map(Object::toString)
                .filter(name::equals)
                .findFirst();
        return node.map(id -> carryOut(
                        "Drain Node of Training", id, rights.isAdministrator(), order -> orders.drainNode(id, order)))
                .orElseGet(() ->
                        unknown("YARN knows no node " + name + ". Remedy: yarn node -list shows their ids, HOST:PORT"));
    }

    Response useNode(String node) {
        return orders.inForce().drainedNodes().containsKey(node)
                ? carryOut("Use Node for Training", node, rights.isAdministrator(), order -> orders.useNode(node))
                : unknown("The node " + node + " is not drained. Remedy: GET /ws/v1/optimus shows those that are");
    }

    Response drainQueue(String name) {
        return queue(name)
                .map(path -> carryOut(
                        "Drain Queue of Training",
                        path,
                        rights.administers(path),
                        order -> orders.drainQueue(path, order)))
                .orElseGet(
                        () -> unknown("There is no queue " + name + ". Remedy: give its path, such as root.default"));
    }

    /** Ends the order of {@link #drainQueue} for the same name, or for the path of a queue that there is no more. */
    Response useQueue(String name) {
        Set<String> drained = orders.inForce().drainedQueues().keySet();
        String path = drained.contains(name) ? name : queue(name).orElse(name);
        return drained.contains(path)
                ? carryOut("Use Queue for Training", path, rights.administers(path), order -> orders.useQueue(path))
                : unknown("The queue " + name + " is not drained. Remedy: GET /ws/v1/optimus shows those that are");
    }

    /** Fixes the size of a job; without a size at what it holds now. */
    Response fixSize(String id, Optional<Allocation> wanted) {
        Optional<JobView> found = job(id);
        if (found.isEmpty()) {
            return unknown("No training job is registered as " + id);
        }
        JobView job = found.get();
        Allocation size = wanted.orElse(job.history().held().now());
        boolean allowed = rights.administers(job.facts().queue());
        if (allowed && !job.registration().demand().clamp(size).equals(size)) {
            return Responses.error(
                    Status.CONFLICT,
                    job.id() + " cannot have " + size + ". Remedy: give a size from "
                            + job.registration().demand().minimum() + " to "
                            + job.registration().demand().maximum());
        }
        return carryOut(
                "Fix Size of Training Job",
                job.id() + " " + size.workers() + " workers " + size.parameterServers() + " parameter servers",
                allowed,
                order -> orders.fixSize(job.id(), new SizeOrder(size, order)));
    }

    Response freeSize(String id) {
        return job(id).filter(job -> orders.inForce().sizes().containsKey(job.id()))
                .map(job -> carryOut(
                        "Free Size of Training Job",
                        job.id().toString(),
                        rights.administers(job.facts().queue()),
                        order -> orders.freeSize(job.id())))
                .orElseGet(() -> unknown("The size of " + id + " is not fixed"));
    }

    private Optional<JobView> job(String id) {
        try {
            return overview.state().registry().view(ApplicationId.fromString(id));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private Optional<String> queue(String name) {
        CSQueue queue = resourceManager.getResourceScheduler() instanceof CapacityScheduler scheduler
                ? scheduler.getQueue(name)
                : null;
        return Optional.ofNullable(queue).map(CSQueue::getQueuePath);
    }

    private Response carryOut(String operation, String target, boolean allowed, Action action) {
        Optional<String> user = rights.user();
        if (user.isEmpty()) {
            return Responses.error(Status.UNAUTHORIZED, "Only a named user may do this. Remedy: authenticate");
        }
        if (!allowed) {
            RMAuditLogger.logFailure(
                    user.get(), operation, "administrator", target, RMAuditLogger.AuditConstants.UNAUTHORIZED_USER);
            return Responses.error(
                    Status.FORBIDDEN,
                    user.get() + " may not do this to " + target
                            + ". Remedy: yarn.admin.acl allows all of it, and the right to administer a queue what"
                            + " concerns that queue");
        }
        if (overview.configuration().mode() == SchedulerMode.OFF) {
            return Responses.error(
                    Status.CONFLICT,
                    "In mode off no rounds run that could follow an order. Remedy: set yarn.scheduler.optimus.mode"
                            + " to advise or enforce before");
        }
        try {
            action.carryOut(new Order(user.get(), System.currentTimeMillis()));
        } catch (IOException e) {
            RMAuditLogger.logFailure(user.get(), operation, "administrator", target, "The order cannot be kept");
            return Responses.error(
                    Status.SERVICE_UNAVAILABLE,
                    "The order was not given, because it cannot be kept: " + e.getMessage());
        }
        RMAuditLogger.logSuccess(user.get(), operation, target, null, remoteAddress());
        return Responses.ok(PlanResponse.info(overview));
    }

    private @Nullable InetAddress remoteAddress() {
        try {
            return InetAddress.getByName(request.getRemoteAddr());
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private static Response unknown(String message) {
        return Responses.error(Status.NOT_FOUND, message);
    }
}
