package io.optimus.yarn.page;

import io.optimus.pages.Html;
import io.optimus.yarn.OptimusScheduler;
import io.optimus.yarn.SchedulerOverview;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.IsResourceManagerActiveServlet;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/**
 * Adds links to YARN's own pages under {@code /cluster}: below "Scheduler" in the navigation, to the page of the scheduler and, on
 * the page of a training application, to the page of its job. Everything else that the web application answers passes unchanged.
 */
public final class LinkFilter implements Filter {
    private static final Pattern PAGE = Pattern.compile("/cluster(/(?!optimus(/|$)).*)?");
    private static final Pattern APPLICATION = Pattern.compile("/cluster/app/(application_\\d+_\\d+)/?");

    /** Created by the web server. */
    public LinkFilter() {}

    @Override
    public void init(FilterConfig configuration) {}

    @Override
    public void destroy() {}

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest asked
                && response instanceof HttpServletResponse answer
                && asked.getMethod().equals("GET")
                && PAGE.matcher(asked.getRequestURI()).matches()) {
            Optional<SchedulerOverview> overview = overview(asked.getServletContext());
            if (overview.isPresent()) {
                chain.doFilter(request, new LinkedResponse(answer, links(overview.get(), asked.getRequestURI())));
                return;
            }
        }
        chain.doFilter(request, response);
    }

    private static Optional<SchedulerOverview> overview(ServletContext context) {
        return context.getAttribute(IsResourceManagerActiveServlet.RM_ATTRIBUTE) instanceof ResourceManager running
                        && running.getResourceScheduler() instanceof OptimusScheduler scheduler
                ? scheduler.overview()
                : Optional.empty();
    }

    private static String links(SchedulerOverview overview, String path) {
        Html html = new Html();
        html.begin("ul").begin("li").link(Frame.ROOT, Frame.NAME).end();
        Matcher application = APPLICATION.matcher(path);
        if (application.matches() && trains(overview, application.group(1))) {
            html.begin("li")
                    .link(Frame.ROOT + "/job/" + application.group(1), "Training of this application")
                    .end();
        }
        return html.end().whole();
    }

    private static boolean trains(SchedulerOverview overview, String id) {
        ApplicationId application;
        try {
            application = ApplicationId.fromString(id);
        } catch (IllegalArgumentException e) {
            return false;
        }
        return overview.state().registry().contains(application)
                || overview.state()
                        .past()
                        .find(application, overview.state().registry()::contains)
                        .isPresent();
    }
}
