package io.optimus.am.master;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
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

    private static List<URI> webHdfs(Configuration configuration, URI file) throws IOException, URISyntaxException {
        if (UserGroupInformation.isSecurityEnabled()
                || configuration.get("dfs.http.policy", "HTTP_ONLY").equals("HTTPS_ONLY")) {
            return List.of();
        }
        String query =
                "op=OPEN&user.name=" + UserGroupInformation.getCurrentUser().getShortUserName();
        List<URI> addresses = new ArrayList<>();
        for (InetSocketAddress nameNode : nameNodes(configuration, file)) {
            addresses.add(new URI(
                    "http",
                    null,
                    nameNode.getHostString(),
                    nameNode.getPort(),
                    "/webhdfs/v1" + file.getPath(),
                    query,
                    null));
        }
        return addresses;
    }

    /** The web servers of the NameNodes, of which a standby refuses to answer. */
    private static List<InetSocketAddress> nameNodes(Configuration configuration, URI file) {
        String service = file.getAuthority();
        String ofService = configuration.get(HTTP_ADDRESS + "." + service, configuration.get(HTTP_ADDRESS, ""));
        List<String> addresses = new ArrayList<>();
        for (String nameNode : configuration.getTrimmedStrings("dfs.ha.namenodes." + service)) {
            String address = configuration.get(HTTP_ADDRESS + "." + service + "." + nameNode);
            if (address != null) {
                addresses.add(address);
            }
        }
        if (addresses.isEmpty()) {
            addresses.add(ofService);
        }
        return addresses.stream()
                .map(address -> NetUtils.createSocketAddr(address, HTTP_PORT))
                .map(address -> isAnyHost(address)
                        ? InetSocketAddress.createUnresolved(file.getHost(), address.getPort())
                        : address)
                .toList();
    }

    private static boolean isAnyHost(InetSocketAddress address) {
        return address.getAddress() != null && address.getAddress().isAnyLocalAddress();
    }
}
