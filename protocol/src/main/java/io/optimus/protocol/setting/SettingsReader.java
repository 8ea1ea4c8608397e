package io.optimus.protocol.setting;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;

/** Reads settings, and collects every problem so that the administrator sees all of them at once. */
public final class SettingsReader {
    private final Configuration configuration;
    private final List<String> problems = new ArrayList<>();

    public SettingsReader(Configuration configuration) {
        this.configuration = configuration;
    }

    /** Returns the value; the default if the key is not set or, which is a problem, its value is invalid. */
    public <T> T read(Setting<T> setting) {
        try {
            return setting.parse(configuration.getTrimmed(setting.key(), setting.defaultText()));
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
            return setting.defaultValue();
        }
    }

    /** The keys that are set and begin with {@code prefix}. */
    public SortedSet<String> keysFrom(String prefix) {
        SortedSet<String> keys = new TreeSet<>();
        for (Map.Entry<String, String> entry : configuration) {
            if (entry.getKey().startsWith(prefix)) {
                keys.add(entry.getKey());
            }
        }
        return keys;
    }

    /** Adds a problem, with a suggestion, for each key that begins with {@code prefix} and is not in {@code known}. */
    public void refuseUnknownKeys(String prefix, Collection<String> known) {
        List<String> names =
                known.stream().map(key -> key.substring(prefix.length())).toList();
        for (String key : keysFrom(prefix)) {
            if (!known.contains(key)) {
                String suggestion = NearestWord.of(key.substring(prefix.length()), names)
                        .map(name -> ": did you mean " + prefix + name + "?")
                        .orElse(".");
                problems.add(key + " is not a key of this version" + suggestion
                        + " Remedy: correct or remove it; docs/configuration.md has all keys.");
            }
        }
    }

    /** Adds a problem that lies in what is set together, or in what a setting names. */
    public void refuse(String problem) {
        problems.add(problem);
    }

    /**
     * Call this when everything has been read.
     *
     * @throws InvalidSettingsException if there is any problem; the message names all of them
     */
    public void throwIfInvalid() {
        if (!problems.isEmpty()) {
            throw new InvalidSettingsException(problems);
        }
    }
}
