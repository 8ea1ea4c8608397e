package io.optimus.yarn.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.lib.StaticUserWebFilter;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.security.http.RMAuthenticationFilterInitializer;
import org.junit.Before;
import org.junit.Test;

public final class PageLinksTest {
    private final Configuration yarn = new Configuration(false);

    @Before
    public void servePages() {
        yarn.set(YarnConfiguration.YARN_HTTP_WEBAPP_EXTERNAL_CLASSES, "org.example.Other, " + PageLinks.PAGES);
    }

    private String filters() {
        return yarn.get(PageLinks.FILTERS, "");
    }

    /** Without security, YARN lets callers name themselves only where no other filter is named. */
    @Test
    public void keepsTheFilterByWhichYarnKnowsItsUsers() {
        yarn.set(PageLinks.FILTERS, StaticUserWebFilter.class.getName());

        PageLinks.addTo(yarn);

        assertThat(filters())
                .isEqualTo(String.join(
                        ",",
                        RMAuthenticationFilterInitializer.class.getName(),
                        StaticUserWebFilter.class.getName(),
                        PageLinks.FILTER));
        assertThat(yarn.get("hadoop.http.authentication.type")).isEqualTo("simple");
    }

    @Test
    public void addsItselfOnce() {
        PageLinks.addTo(yarn);
        String once = filters();
        PageLinks.addTo(yarn);

        assertThat(once).contains(PageLinks.FILTER);
        assertThat(filters()).isEqualTo(once);
    }

    @Test
    public void changesNothingWherePagesAreNotServed() {
        yarn.unset(YarnConfiguration.YARN_HTTP_WEBAPP_EXTERNAL_CLASSES);

        PageLinks.addTo(yarn);

        assertThat(filters()).isEmpty();
    }

    @Test
    public void namesClassesThatExist() throws ClassNotFoundException {
        assertThat(Class.forName(PageLinks.PAGES)).isNotNull();
        assertThat(Class.forName(PageLinks.FILTER)).isNotNull();
    }
}
