package io.optimus.am.master.yarn;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.FilterContainer;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.server.webproxy.amfilter.AmFilterInitializer;
import org.apache.hadoop.yarn.server.webproxy.amfilter.AmIpFilter;

/**
 * The servlet filter that YARN has for the pages of ApplicationMasters: it answers only YARN's web proxy, which knows who asks and
 * whether they may, and sends everybody else there. It knows the proxies of all ResourceManagers.
 *
 * @param className the filter
 * @param parameters its initial parameters
 */
public record ProxyFilter(String className, Map<String, String> parameters) {
    private static final String LOCALHOST = "localhost";

    public ProxyFilter {
        parameters = Map.copyOf(parameters);
    }

    /**
     * The filter for an ApplicationMaster.
     *
     * @param configuration names the proxy or, if none runs by itself, the ResourceManagers
     * @param environment variables of the ApplicationMaster; YARN tells it there where the proxy shows its page
     * @return the filter; empty if no YARN has started this process, so that there is no proxy
     */
    public static Optional<ProxyFilter> of(Configuration configuration, Map<String, String> environment) {
        String path = environment.getOrDefault(ApplicationConstants.APPLICATION_WEB_PROXY_BASE_ENV, "");
        if (path.isBlank()) {
            return Optional.empty();
        }
        Named named = new Named();
        new Initializer(path).initFilter(named, configuration);
        return named.filter.map(ProxyFilter::withLocalhost);
    }

    /**
     * The filter compares addresses. A proxy on this machine whose name means another loopback address, such as Debian's
     * 127.0.1.1, still sends its requests from 127.0.0.1. So the filter accepts that address, too.
     */
    private static ProxyFilter withLocalhost(ProxyFilter filter) {
        String hosts = filter.parameters().getOrDefault(AmIpFilter.PROXY_HOSTS, "");
        List<String> each = List.of(hosts.split(AmIpFilter.PROXY_HOSTS_DELIMITER, -1));
        if (each.contains(LOCALHOST) || each.stream().noneMatch(ProxyFilter::isThisMachine)) {
            return filter;
        }
        Map<String, String> more = new HashMap<>(filter.parameters());
        more.put(AmIpFilter.PROXY_HOSTS, hosts + AmIpFilter.PROXY_HOSTS_DELIMITER + LOCALHOST);
        return new ProxyFilter(filter.className(), more);
    }

    private static boolean isThisMachine(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    /** Hadoop's own, which also knows of several ResourceManagers. */
    private static final class Initializer extends AmFilterInitializer {
        private final String path;

        private Initializer(String path) {
            this.path = path;
        }

        @Override
        protected String getApplicationWebProxyBase() {
            return path;
        }
    }

    /** Takes what would go to one of Hadoop's own web servers. */
    private static final class Named implements FilterContainer {
        private Optional<ProxyFilter> filter = Optional.empty();

        @Override
        public void addFilter(String name, String className, Map<String, String> parameters) {
            filter = Optional.of(new ProxyFilter(className, parameters));
        }

        @Override
        public void addGlobalFilter(String name, String className, Map<String, String> parameters) {
            addFilter(name, className, parameters);
        }
    }
}
