package io.optimus.am.configuration;

import io.optimus.protocol.setting.InvalidSettingsException;
import io.optimus.protocol.setting.Setting;
import io.optimus.protocol.setting.SettingsReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** The keys that the client reads, besides Hadoop's own. */
public final class ClientKeys {
    /** Every key of the client and of the ApplicationMaster begins with this. */
    public static final String PREFIX = "yarn.optimus.";

    /** Where jobs' files are kept, in a folder for each user; by default {@code .optimus} in the home of each user. */
    public static final Setting<Optional<String>> STAGING_DIRECTORY = Setting.text(PREFIX + "staging-dir", "a folder");
    /** The jar to send with jobs; by default the jar that the command runs from. */
    public static final Setting<Optional<String>> JAR = Setting.text(PREFIX + "jar", "a file");
    /**
     * PyTorch's native libraries; by default {@link #NATIVES_VARIABLE} in the environment, else the jar in {@code lib/}
     * beside {@link #JAR}.
     */
    public static final Setting<Optional<String>> NATIVES = Setting.text(PREFIX + "natives", "a jar or a folder");
    /** The environment variable that stands for {@link #NATIVES} where that is not set. */
    public static final String NATIVES_VARIABLE = "OPTIMUS_NATIVES";
    /** The environment variable in which a script that calls the client says how it was called itself, for a shell. */
    public static final String COMMAND_VARIABLE = "OPTIMUS_COMMAND";
    /** A Java 17 that every node has; by default the NodeManager's {@code JAVA_HOME}. */
    public static final Setting<Optional<String>> JAVA_HOME = Setting.text(PREFIX + "java-home", "a folder");

    /** The keys of the client, in the order of the documentation. */
    static final List<Setting<?>> SETTINGS = List.of(STAGING_DIRECTORY, NATIVES, JAVA_HOME, JAR);

    private ClientKeys() {}

    /**
     * Checks every key that begins with {@link #PREFIX}, before anything is done.
     *
     * @throws InvalidSettingsException with every problem at once
     */
    public static void check(Configuration configuration) {
        SettingsReader reader = new SettingsReader(configuration);
        refuseUnknownKeys(reader);
        SETTINGS.forEach(reader::read);
        reader.throwIfInvalid();
    }

    /** Client and ApplicationMaster may share one yarn-site.xml: each knows the keys of both. */
    static void refuseUnknownKeys(SettingsReader reader) {
        List<Setting<?>> all = new ArrayList<>(SETTINGS);
        all.addAll(MasterSettings.SETTINGS);
        reader.refuseUnknownKeys(PREFIX, all.stream().<String>map(Setting::key).toList());
    }
}
