package io.optimus.yarn.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.whatif.Answer;
import io.optimus.yarn.whatif.InvalidQuestionException;
import io.optimus.yarn.whatif.Question;
import io.optimus.yarn.whatif.UnansweredException;
import io.optimus.yarn.whatif.WhatIfs;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.Response.Status;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * Answers questions about changes of the cluster. Everybody who may use YARN's REST may ask; each job's figures are for those who
 * may view it, and others see sums over all jobs.
 */
final class WhatIfCalls {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    private static final int LARGEST_BODY = 1 << 16;

    private final ResourceManager resourceManager;
    private final HttpServletRequest request;
    private final SchedulerOverview overview;
    private final ViewRights rights;

    WhatIfCalls(ResourceManager resourceManager, HttpServletRequest request, SchedulerOverview overview) {
        this.resourceManager = resourceManager;
        this.request = request;
        this.overview = overview;
        this.rights = new ViewRights(resourceManager, request);
    }

    private interface Call {
        Answer of(WhatIfs whatIfs)
                throws InvalidQuestionException, UnansweredException, InterruptedException, IOException;
    }

    Response ask(InputStream body) {
        return answered(whatIfs -> whatIfs.ask(question(body)));
    }

    Response capacity() {
        return answered(WhatIfs::capacity);
    }

    private Question question(InputStream body) throws InvalidQuestionException, IOException {
        byte[] bytes = body.readNBytes(LARGEST_BODY + 1);
        if (bytes.length > LARGEST_BODY) {
            throw new InvalidQuestionException(List.of("the question has more than " + LARGEST_BODY + " bytes"));
        }
        try {
            return new WhatIfInput(
                            (CapacityScheduler) resourceManager.getResourceScheduler(),
                            Optional.ofNullable(request.getRemoteUser()).orElse(""))
                    .read(JSON.readTree(bytes));
        } catch (JsonProcessingException e) {
            throw new InvalidQuestionException(List.of("the question is not JSON: " + e.getOriginalMessage()));
        }
    }

    private Response answered(Call call) {
        boolean nobody = request.getRemoteUser() == null
                && resourceManager.getApplicationACLsManager().areACLsEnabled();
        if (nobody) {
            return Responses.error(Status.UNAUTHORIZED, "Only a named user may ask. Remedy: authenticate");
        }
        if (overview.whatIfs().isEmpty()) {
            return Responses.error(
                    Status.CONFLICT,
                    "No rounds run here that could be forecast: the mode is off, or training is not served."
                            + " Remedy: GET /ws/v1/optimus shows mode and problems");
        }
        try {
            Answer answer = call.of(overview.whatIfs().get());
            return Responses.ok(new WhatIfResponse(answer, overview.configuration(), rights::maySee).json());
        } catch (InvalidQuestionException e) {
            return Responses.error(Status.BAD_REQUEST, e.problems());
        } catch (UnansweredException e) {
            return Responses.error(Status.SERVICE_UNAVAILABLE, String.valueOf(e.getMessage()));
        } catch (IllegalStateException e) {
            return Responses.error(Status.INTERNAL_SERVER_ERROR, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Responses.error(Status.SERVICE_UNAVAILABLE, "The ResourceManager is stopping. Remedy: ask again");
        } catch (IOException e) {
            return Responses.error(Status.BAD_REQUEST, "The question could not be read: " + e.getMessage());
        }
    }
}
