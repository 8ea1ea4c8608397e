package io.optimus.am.client.logs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.client.cluster.WebAddresses;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/** Reads logs of a job that runs: its NodeManagers serve them, {@code GET /ws/v1/node/containers/ID/logs}. */
final class NodeLogs implements LogReader {
    private static final int TIMEOUT_MILLIS = 20_000;

    private final ObjectMapper mapper = new ObjectMapper();

    @Override
    public SortedMap<String, Long> files(LoggedTask task) throws IOException {
        JsonNode answer = mapper.readTree(get(task, "", "application/json"));
        SortedMap<String, Long> files = new TreeMap<>();
        // The element with the files has another name in each version, and is a list or a single object.
        for (JsonNode info : answer.findValues("containerLogInfo")) {
            for (JsonNode file :
                    info.isArray() ? info : mapper.createArrayNode().add(info)) {
                String name = file.path("fileName").asText();
                if (name.matches(OUTPUT)) {
                    files.merge(name, file.path("fileSize").asLong(), Math::max);
                }
            }
        }
        return files;
    }

    @Override
    public LastBytes last(LoggedTask task, String file, long bytes) throws IOException {
        return YarnLogText.read(get(task, "/" + file + "?size=-" + bytes, "text/plain"), bytes);
    }

    private static byte[] get(LoggedTask task, String path, String mediaType) throws IOException {
        String url = task.address() + "/ws/v1/node/containers/" + task.container() + "/logs" + path;
        if (task.address().isEmpty()) {
            throw new IOException("The NodeManager of " + task.name() + " (" + task.node()
                    + ") does not run, so its logs cannot be read now");
        }
        try {
            HttpURLConnection connection = WebAddresses.open(url, TIMEOUT_MILLIS);
            // A NodeManager answers with status 503 where it has no such form.
            connection.setRequestProperty("Accept", mediaType);
            int status = connection.getResponseCode();
            if (status != HttpURLConnection.HTTP_OK) {
                connection.disconnect();
                throw status == HttpURLConnection.HTTP_NOT_FOUND
                        ? new FileNotFoundException("The NodeManager has no logs of " + task.name() + " (" + url + ")")
                        : new IOException("The NodeManager answers " + url + " with status " + status);
            }
            try (InputStream body = connection.getInputStream()) {
                return body.readAllBytes();
            }
        } catch (AuthenticationException refused) {
            throw new IOException("The NodeManager refuses " + url + ": " + refused.getMessage(), refused);
        }
    }
}
