package io.optimus.am.master.page;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers {@code GET /} and {@code GET /api/status} with the job's status, and refuses all else. */
final class StatusServlet extends HttpServlet {
    private static final Logger LOG = LoggerFactory.getLogger(StatusServlet.class);
    private static final long serialVersionUID = 1;

    private final transient Supplier<StatusView> status;

    StatusServlet(Supplier<StatusView> status) {
        this.status = status;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getRequestURI();
        boolean known = path.equals("/") || path.equals("/api/status");
        if (!known) {
            send(response, 404, "text/plain", text("Not found; see / and /api/status\n"));
        } else if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            send(response, 405, "text/plain", text("Only GET is allowed\n"));
        } else if (path.equals("/")) {
            answer(response, "text/html", StatusHtml::write);
        } else {
            answer(response, "application/json", StatusJson::write);
        }
    }

    private void answer(HttpServletResponse response, String type, Function<StatusView, byte[]> body)
            throws IOException {
        byte[] content;
        try {
            content = body.apply(status.get());
        } catch (RuntimeException e) {
            LOG.warn("A page could not be shown", e);
            send(response, 503, "text/plain", text("The job does not answer; try again\n"));
            return;
        }
        send(response, 200, type, content);
    }

    private static void send(HttpServletResponse response, int code, String type, byte[] body) throws IOException {
        response.setStatus(code);
        response.setContentType(type);
        response.setCharacterEncoding("utf-8");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
