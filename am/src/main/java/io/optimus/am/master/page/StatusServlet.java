package io.optimus.am.master.page;

import io.optimus.pages.PageFile;
import io.optimus.pages.PageFrame;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers {@code GET /}, the files of that page, {@code GET /api/status} with the job's status, and {@code GET /prom} with its
 * metrics where they are wanted; refuses all else.
 */
final class StatusServlet extends HttpServlet {
    private static final Logger LOG = LoggerFactory.getLogger(StatusServlet.class);
    private static final long serialVersionUID = 1;
    private static final String FILES = "/" + StatusHtml.FILES + "/";

    private final transient Supplier<StatusView> status;
    private final transient Optional<TrackingPage.MetricsText> metrics;

    StatusServlet(Supplier<StatusView> status, Optional<TrackingPage.MetricsText> metrics) {
        this.status = status;
        this.metrics = metrics;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getRequestURI();
        Optional<PageFile> file =
                path.startsWith(FILES) ? PageFile.named(path.substring(FILES.length())) : Optional.empty();
        boolean isMetrics = path.equals("/prom") && metrics.isPresent();
        if (!path.equals("/") && !path.equals("/api/status") && !isMetrics && file.isEmpty()) {
            send(response, 404, "text/plain;charset=utf-8", text("Not found; see / and /api/status\n"));
        } else if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            send(response, 405, "text/plain;charset=utf-8", text("Only GET is allowed\n"));
        } else if (file.isPresent()) {
            send(response, 200, file.get().type(), text(file.get().content()));
        } else if (isMetrics) {
            StringWriter written = new StringWriter();
            metrics.get().write(written);
            send(response, 200, "text/plain;charset=utf-8", text(written.toString()));
        } else if (path.equals("/")) {
            answer(response, "text/html;charset=utf-8", StatusHtml::write);
        } else {
            answer(response, "application/json;charset=utf-8", StatusJson::write);
        }
    }

    private void answer(HttpServletResponse response, String type, Function<StatusView, byte[]> body)
            throws IOException {
        byte[] content;
        try {
            content = body.apply(status.get());
        } catch (RuntimeException e) {
            LOG.warn("A page could not be shown", e);
            send(response, 503, "text/plain;charset=utf-8", text("The job does not answer; try again\n"));
            return;
        }
        send(response, 200, type, content);
    }

    private static void send(HttpServletResponse response, int code, String type, byte[] body) throws IOException {
        response.setStatus(code);
        response.setContentType(type);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Content-Security-Policy", PageFrame.POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
