package io.optimus.hadooptests;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a test finds around it: a folder that looks like the module's when Hadoop's own build tests it.
 *
 * <p>Tests write into {@code target/test-classes}, so the tests' classes and resources lie there unpacked, and each run
 * has a copy of its own.
 */
final class Surroundings {
    static final String HOSTS = "hosts";
    private static final String TEST_CLASSES = "target/test-classes";
    private static final List<String> WRITTEN_BY_TESTS = List.of("target/log", "target/tmp", "target/test-dir");

    /** Tests that switch to DEBUG would write hundreds of megabytes. */
    private static final String LOGGING =
            """
            log4j.threshold=ERROR
            log4j.rootLogger=ERROR, stdout
            log4j.appender.stdout=org.apache.log4j.ConsoleAppender
            log4j.appender.stdout.layout=org.apache.log4j.PatternLayout
            log4j.appender.stdout.layout.ConversionPattern=%d{ISO8601} %-5p [%t] %c{2} %m%n
            """;

    /** How tests call their nodes. No container starts on a node whose name has no address. */
    private static final List<String> NODES = List.of("h", "host", "host_", "n", "node");

    private static final int NUMBERED_NODES = 100;

    private final Path templates;

    private Surroundings(Path templates) {
        this.templates = templates;
    }

    /** Makes the folders that runs get copies of. */
    static Surroundings make(Path folder, TestJar jar) throws IOException {
        delete(folder);
        for (Side side : Side.values()) {
            fill(folder.resolve(side.label()), jar, side);
        }
        return new Surroundings(folder);
    }

    private static void fill(Path folder, TestJar jar, Side side) throws IOException {
        Path classes = folder.resolve(TEST_CLASSES);
        jar.unpack(classes, side);
        Files.writeString(classes.resolve("yarn-site.xml"), siteFile(side));
        // Hadoop leaves its own file out of the jar, and a test copies it.
        Files.writeString(classes.resolve("core-site.xml"), "<configuration/>\n");
        Files.writeString(classes.resolve("log4j.properties"), LOGGING);
        Files.writeString(folder.resolve(HOSTS), hosts());
        Path sources = Files.createDirectories(folder.resolve("src/test"));
        Files.createSymbolicLink(sources.resolve("resources"), sources.relativize(classes));
        for (String name : WRITTEN_BY_TESTS) {
            Files.createDirectories(folder.resolve(name));
        }
    }

    /** Replaces {@code folder} by new surroundings for one run. */
    void copyTo(Path folder, Side side) throws IOException {
        Path template = templates.resolve(side.label());
        delete(folder);
        Files.walkFileTree(template, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path source, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(folder.resolve(template.relativize(source)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path source, BasicFileAttributes attributes) throws IOException {
                Files.copy(source, folder.resolve(template.relativize(source)), LinkOption.NOFOLLOW_LINKS);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** The only names that have addresses. Asking name servers for the others would take minutes. */
    private static String hosts() throws IOException {
        StringBuilder hosts = new StringBuilder("127.0.0.1 localhost test ")
                .append(InetAddress.getLocalHost().getHostName());
        for (String node : NODES) {
            hosts.append(' ').append(node);
            for (int number = 0; number <= NUMBERED_NODES; number++) {
                hosts.append(' ').append(node).append(number);
            }
        }
        return hosts.append('\n').toString();
    }

    /**
     * Hadoop's own file of this name is empty, and not in the jar. Tests that choose no scheduler take this one. By default,
     * the folders would be the same for all runs.
     */
    private static String siteFile(Side side) {
        return """
                <?xml version="1.0"?>
                <configuration>
                  <property>
                    <name>yarn.resourcemanager.scheduler.class</name>
                    <value>%s</value>
                  </property>
                  <property>
                    <name>yarn.node-labels.fs-store.root-dir</name>
                    <value>file://${hadoop.tmp.dir}/node-labels</value>
                  </property>
                  <property>
                    <name>yarn.node-attribute.fs-store.root-dir</name>
                    <value>file://${hadoop.tmp.dir}/node-attributes</value>
                  </property>
                </configuration>
                """
                .formatted(side.schedulerClass());
    }

    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path emptied, @Nullable IOException failure) throws IOException {
                Files.delete(emptied);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
