package io.optimus.am.master.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.Test;

public final class ProxyFilterTest {
    private static final Map<String, String> IN_A_CONTAINER =
            Map.of("APPLICATION_WEB_PROXY_BASE", "/proxy/application_1_0001");

    private final Configuration configuration = new YarnConfiguration();

    @Test
    public void namesTheProxyInsideTheResourceManager() {
        configuration.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "localhost:8088");

        assertThat(ProxyFilter.of(configuration, IN_A_CONTAINER).orElseThrow().parameters())
                .containsEntry("PROXY_HOSTS", "localhost")
                .containsEntry("PROXY_URI_BASES", "http://localhost:8088/proxy/application_1_0001");
    }

    @Test
    public void namesTheProxyThatRunsByItself() {
        configuration.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "rm.example.com:8088");
        configuration.set(YarnConfiguration.PROXY_ADDRESS, "localhost:9099");

        assertThat(ProxyFilter.of(configuration, IN_A_CONTAINER).orElseThrow().parameters())
                .containsEntry("PROXY_HOSTS", "localhost")
                .containsEntry("PROXY_URI_BASES", "http://localhost:9099/proxy/application_1_0001");
    }

    @Test
    public void namesTheProxiesOfAllResourceManagers() {
        configuration.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
        configuration.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
        configuration.set(YarnConfiguration.RM_WEBAPP_ADDRESS + ".rm1", "localhost:8088");
        configuration.set(YarnConfiguration.RM_WEBAPP_ADDRESS + ".rm2", "localhost:8089");

        assertThat(ProxyFilter.of(configuration, IN_A_CONTAINER).orElseThrow().parameters())
                .hasEntrySatisfying("PROXY_URI_BASES", addresses -> assertThat(addresses.split(",", -1))
                        .containsExactlyInAnyOrder(
                                "http://localhost:8088/proxy/application_1_0001",
                                "http://localhost:8089/proxy/application_1_0001"))
                .containsEntry("RM_HA_URLS", "localhost:8088,localhost:8089");
    }

    @Test
    public void knowsTheAddressFromWhichRequestsOfThisMachineCome() {
        configuration.set(YarnConfiguration.PROXY_ADDRESS, "127.0.1.1:9099");

        assertThat(ProxyFilter.of(configuration, IN_A_CONTAINER).orElseThrow().parameters())
                .hasEntrySatisfying("PROXY_HOSTS", hosts -> assertThat(hosts).endsWith(",localhost"));
    }

    @Test
    public void isNotThereWithoutAProxy() {
        assertThat(ProxyFilter.of(configuration, Map.of())).isEqualTo(Optional.empty());
    }
}
