package io.optimus.yarn.page;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.http.FilterInitializer;

/** Adds {@link LinkFilter} to the web application of a ResourceManager; {@code PageLinks} names it. */
public final class LinkFilterInitializer extends FilterInitializer {
    /** Created by Hadoop. */
    public LinkFilterInitializer() {}

    @Override
    public void initFilter(FilterContainer container, Configuration configuration) {
        container.addFilter("optimus-links", LinkFilter.class.getName(), Map.of());
    }
}
