package io.optimus.am.master;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses at which tasks, which have none of Hadoop's classes, can read a file: a local path, which may be on a file system
 * that all hosts mount, or the WebHDFS of HDFS's NameNodes. A cluster with Kerberos has none: a task would need a token of HDFS, and
 * sends nothing over TLS.
 */
final class TaskReadableFile {
    private static final Logger LOG = LoggerFactory.getLogger(TaskReadableFile.class);

    private static final String HTTP_ADDRESS = "dfs.namenode.http-address";
    private static final int HTTP_PORT = 9870;

    private TaskReadableFile() {}

    /** The addresses of {@code file}; empty if no task can read it. */
    static List<URI> addresses(FileSystem fileSystem, Path file) {
        try {
            URI resolved = fileSystem.resolvePath(file).toUri();
            return switch (resolved.getScheme()) {
                case "file" -> List.of(new URI("file", null, resolved.getPath(), null));
                case "hdfs" -> webHdfs(fileSystem.getConf(), resolved);
                default -> List.of();
            };
        } catch (IOException | URISyntaxException | IllegalArgumentException e) {
            LOG.warn("Tasks cannot read {} themselves: {}", file, e.toString());
            return List.of();
        }
    }

    /** The addresses of {@code file}, of HDFS. */
    static List<URI> webHdfs(Configuration configuration, URI file) throws IOException {
        if (UserGroupInformation.isSecurityEnabled()
                || configuration.get("dfs.http.policy", "HTTP_ONLY").equals("HTTPS_ONLY")) {
            return List.of();
        }
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        String rest = "/webhdfs/v1" + file.getRawPath() + "?op=OPEN&user.name="
                + URLEncoder.encode(user, StandardCharsets.UTF_8);
        return nameNodes(configuration, file).stream()
                .map(nameNode -> URI.create("http://" + nameNode.getHostString() + ":" + nameNode.getPort() + rest))
                .toList();
    }

    /** The web servers of the NameNodes, of which a standby refuses to answer. */
    private static List<InetSocketAddress> nameNodes(Configuration configuration, URI file) {
        String service = file.getAuthority();
        String[] names = configuration.getTrimmedStrings("dfs.ha.namenodes." + service);
        if (names.length == 0) {
            String address = configuration.get(
                    HTTP_ADDRESS + "." + service, configuration.get(HTTP_ADDRESS, "0.0.0.0:" + HTTP_PORT));
            return List.of(webServer(address, file.getHost()));
        }
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (String name : names) {
            String key = "." + service + "." + name;
            String host = NetUtils.createSocketAddr(configuration.get("dfs.namenode.rpc-address" + key, "0.0.0.0"))
                    .getHostString();
            addresses.add(webServer(configuration.get(HTTP_ADDRESS + key, host), host));
        }
        return addresses;
    }

    private static InetSocketAddress webServer(String address, String host) {
        InetSocketAddress configured = NetUtils.createSocketAddr(address, HTTP_PORT);
        boolean isAnyHost =
                configured.getAddress() != null && configured.getAddress().isAnyLocalAddress();
        return isAnyHost ? InetSocketAddress.createUnresolved(host, configured.getPort()) : configured;
    }
}
