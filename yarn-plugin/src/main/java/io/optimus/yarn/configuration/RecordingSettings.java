package io.optimus.yarn.configuration;

import io.optimus.protocol.setting.Setting;
import io.optimus.protocol.setting.SettingsReader;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Whether rounds are recorded, and where.
 *
 * @param folder folder on the machine of the ResourceManager; empty: rounds are not recorded
 * @param megabytes the most that the files of a recording take in sum
 */
public record RecordingSettings(Optional<Path> folder, int megabytes) {
    static final Setting<Optional<Path>> FOLDER = Setting.of(
            OptimusConfiguration.PREFIX + "recording-folder",
            "",
            "an absolute path on the ResourceManager's machine, such as `/var/log/hadoop-yarn/optimus-rounds`",
            RecordingSettings::absolute);

    static final Setting<Integer> MEGABYTES =
            Setting.count(OptimusConfiguration.PREFIX + "recording-megabytes", 1024, 16, 1_000_000);

    private static final long BYTES_PER_MEGABYTE = 1 << 20;

    private static Optional<Path> absolute(String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(text))
                    .filter(path -> path.isAbsolute() && path.getNameCount() > 0)
                    .map(Path::normalize)
                    .or(() -> {
                        throw new IllegalArgumentException(text);
                    });
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    static RecordingSettings read(SettingsReader reader) {
        return new RecordingSettings(reader.read(FOLDER), reader.read(MEGABYTES));
    }

    /** The most that the files of a recording take in sum. */
    public long bytes() {
        return megabytes * BYTES_PER_MEGABYTE;
    }
}
