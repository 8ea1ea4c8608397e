package io.optimus.am.client.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.jspecify.annotations.Nullable;

/** Gives orders at the active ResourceManager's web address, {@code /ws/v1/optimus}. */
public final class RestOrderClient implements OrderClient {
    private static final String PATH = "/ws/v1/optimus";
    private static final int TIMEOUT_MILLIS = 10_000;
    /** Longer answers are not the scheduler's. */
    private static final int LARGEST_ANSWER_BYTES = 1 << 16;

    private final Configuration configuration;
    private final ObjectMapper mapper = new ObjectMapper();

    public RestOrderClient(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public void give(String path) throws IOException {
        call("PUT", path);
    }

    @Override
    public void takeBack(String path) throws IOException {
        call("DELETE", path);
    }

    /** A standby ResourceManager redirects every call: then the next one is asked. */
    private void call(String method, String path) throws IOException {
        String problem = "the configuration names no ResourceManager";
        for (String address : WebAddresses.of(configuration)) {
            String url = address + PATH + path;
            try {
                int status = status(method, url);
                if (status < HttpURLConnection.HTTP_MULT_CHOICE) {
                    return;
                }
                problem = "no ResourceManager is active; " + url + " is a standby";
            } catch (RefusedException refused) {
                throw refused;
            } catch (IOException | AuthenticationException | IllegalArgumentException unreachable) {
                problem = "the scheduler does not answer at " + url + ": " + unreachable.getMessage();
            }
        }
        throw new IOException(problem);
    }

    private int status(String method, String url) throws IOException, AuthenticationException {
        HttpURLConnection connection = WebAddresses.open(url, TIMEOUT_MILLIS);
        try {
            connection.setInstanceFollowRedirects(false);
            connection.setRequestMethod(method);
            int status = connection.getResponseCode();
            if (status >= HttpURLConnection.HTTP_BAD_REQUEST) {
                throw new RefusedException(message(status, connection.getErrorStream()));
            }
            return status;
        } finally {
            connection.disconnect();
        }
    }

    private String message(int status, @Nullable InputStream body) throws IOException {
        byte[] answer = body == null ? new byte[0] : body.readNBytes(LARGEST_ANSWER_BYTES);
        try {
            String message = mapper.readTree(answer).path("message").asText("");
            return message.isEmpty() ? "the ResourceManager answers with status " + status : message;
        } catch (IOException notJson) {
            return "the ResourceManager answers with status " + status;
        }
    }

    /** The scheduler answered, and refused. */
    private static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }
}
