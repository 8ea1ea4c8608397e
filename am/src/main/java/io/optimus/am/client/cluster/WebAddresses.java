package io.optimus.am.client.cluster;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticatedURL;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;

/** The web addresses of the ResourceManagers, and connections to them. */
public final class WebAddresses {
    private WebAddresses() {}

    /** The addresses of all ResourceManagers, with the scheme and without a path. */
    static List<String> of(Configuration configuration) {
        if (!HAUtil.isHAEnabled(configuration)) {
            return List.of(WebAppUtils.getRMWebAppURLWithScheme(configuration));
        }
        List<String> addresses = new ArrayList<>();
        for (String id : HAUtil.getRMHAIds(configuration)) {
            Configuration one = new YarnConfiguration(configuration);
            one.set(YarnConfiguration.RM_HA_ID, id);
            addresses.add(WebAppUtils.getRMWebAppURLWithScheme(one));
        }
        return addresses;
    }

    /** {@code HOST:PORT} of a NodeManager with the scheme of the cluster's pages; an address that has one is left. */
    static String withScheme(Configuration configuration, String address) {
        return address.contains("://")
                ? address
                : (YarnConfiguration.useHttps(configuration) ? "https://" : "http://") + address;
    }

    /** Opens a connection as the user, by Kerberos where the cluster asks for it. */
    public static HttpURLConnection open(String url, int timeoutMillis) throws IOException, AuthenticationException {
        return open(url, timeoutMillis, new AuthenticatedURL.Token());
    }

    /** The same with the token of an earlier connection, which it keeps. */
    static HttpURLConnection open(String url, int timeoutMillis, AuthenticatedURL.Token token)
            throws IOException, AuthenticationException {
        HttpURLConnection connection =
                UserGroupInformation.isSecurityEnabled() ? authenticated(url, timeoutMillis, token) : named(url);
        withTimeout(connection, timeoutMillis);
        connection.setRequestProperty("Accept", "application/json");
        return connection;
    }

    private static HttpURLConnection authenticated(String url, int timeoutMillis, AuthenticatedURL.Token token)
            throws IOException, AuthenticationException {
        return new AuthenticatedURL(null, connection -> withTimeout(connection, timeoutMillis))
                .openConnection(URI.create(url).toURL(), token);
    }

    /**
     * Names the user in the address: without Kerberos, YARN believes it. {@link AuthenticatedURL} would first ask for a token,
     * which takes two more requests each time.
     */
    private static HttpURLConnection named(String url) throws IOException {
        String name =
                URLEncoder.encode(UserGroupInformation.getCurrentUser().getShortUserName(), StandardCharsets.UTF_8);
        URI address = URI.create(url + (url.contains("?") ? "&" : "?") + "user.name=" + name);
        return (HttpURLConnection) address.toURL().openConnection();
    }

    private static HttpURLConnection withTimeout(HttpURLConnection connection, int millis) {
        connection.setConnectTimeout(millis);
        connection.setReadTimeout(millis);
        return connection;
    }
}
