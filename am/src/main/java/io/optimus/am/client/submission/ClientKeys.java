package io.optimus.am.client.submission;

/** Properties of the Hadoop configuration that the command reads, besides Hadoop's own; in docs/configuration.md. */
public final class ClientKeys {
    /** Folder that holds what Optimus keeps for all users, one folder each; by default ~/.optimus of each user. */
    static final String STAGING_DIRECTORY = "yarn.optimus.staging-dir";
    /** The jar to send with jobs; by default the one that the command runs from. */
    public static final String JAR = "yarn.optimus.jar";
    /**
     * PyTorch's native libraries: the jar pytorch-native-cpu-*.jar, or a folder that every node has; by default {@link
     * #NATIVES_VARIABLE} in the environment, else the jar in {@code lib/} beside {@link #JAR}.
     */
    static final String NATIVES = "yarn.optimus.natives";
    /** Stands for {@link #NATIVES} where that is not set. */
    public static final String NATIVES_VARIABLE = "OPTIMUS_NATIVES";

    /** A Java 17 that every node has, where the NodeManagers' JAVA_HOME is none. */
    static final String JAVA_HOME = "yarn.optimus.java-home";

    private ClientKeys() {}
}
