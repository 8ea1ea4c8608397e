package io.optimus.yarn.configuration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMWebAppUtil;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;

/**
 * The addresses of our pages, and links to them in YARN's own pages, where ours are served: names a filter for the web application of the ResourceManager, which
 * starts after the scheduler has been initialised.
 *
 * <p>The filter is not in yarn-site.xml, because every daemon that reads this file would have to have our jar.
 */
public final class PageLinks {
    /** Hadoop's key for filters of web applications. */
    static final String FILTERS = "hadoop.http.filter.initializers";

    /** The path of the pages. */
    public static final String ROOT = "/cluster/optimus";

    static final String PAGES = "io.optimus.yarn.page.SchedulerPages";
    static final String FILTER = "io.optimus.yarn.page.LinkFilterInitializer";

    private PageLinks() {}

    /** The address of the page of a training job, at the ResourceManager of {@code yarn}; empty if it serves no pages of ours. */
    public static Optional<String> ofJob(Configuration yarn, ApplicationId job) {
        return served(yarn)
                ? Optional.of(WebAppUtils.getResolvedRMWebAppURLWithScheme(yarn) + ROOT + "/job/" + job)
                : Optional.empty();
    }

    private static boolean served(Configuration yarn) {
        return yarn.getTrimmedStringCollection(YarnConfiguration.YARN_HTTP_WEBAPP_EXTERNAL_CLASSES)
                .contains(PAGES);
    }

    /** Adds the filter to {@code yarn}, the configuration of the ResourceManager itself. */
    public static void addTo(Configuration yarn) {
        if (!served(yarn) || yarn.getTrimmedStringCollection(FILTERS).contains(FILTER)) {
            return;
        }
        if (!UserGroupInformation.isSecurityEnabled()) {
            // YARN chooses who is who from the filters that are named before ours, and not again once ours is there.
            RMWebAppUtil.setupSecurityAndFilters(yarn, null);
        }
        List<String> filters = new ArrayList<>(yarn.getTrimmedStringCollection(FILTERS));
        filters.add(FILTER);
        yarn.set(FILTERS, String.join(",", filters));
    }
}
