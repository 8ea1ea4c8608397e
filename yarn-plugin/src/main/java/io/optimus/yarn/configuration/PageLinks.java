package io.optimus.yarn.configuration;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.webapp.RMWebAppUtil;

/**
 * Lets YARN's own pages link to ours, where ours are served: names a filter for the web application of the ResourceManager, which
 * starts after the scheduler has been initialised.
 *
 * <p>The filter is not in yarn-site.xml, because every daemon that reads this file would have to have our jar.
 */
public final class PageLinks {
    /** Hadoop's key for filters of web applications. */
    static final String FILTERS = "hadoop.http.filter.initializers";

    static final String PAGES = "io.optimus.yarn.page.SchedulerPages";
    static final String FILTER = "io.optimus.yarn.page.LinkFilterInitializer";

    private PageLinks() {}

    /** Adds the filter to {@code yarn}, the configuration of the ResourceManager itself. */
    public static void addTo(Configuration yarn) {
        boolean served = yarn.getTrimmedStringCollection(YarnConfiguration.YARN_HTTP_WEBAPP_EXTERNAL_CLASSES)
                .contains(PAGES);
        if (!served || yarn.getTrimmedStringCollection(FILTERS).contains(FILTER)) {
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
