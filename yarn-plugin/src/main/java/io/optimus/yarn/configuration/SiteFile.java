package io.optimus.yarn.configuration;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.ConfigurationProvider;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Reads the keys of the scheduler from yarn-site.xml again. YARN itself reads that file only when the ResourceManager
 * starts, and refreshes queues with what it read then.
 */
public final class SiteFile {
    private static final String NAME = YarnConfiguration.YARN_SITE_CONFIGURATION_FILE;

    private SiteFile() {}

    /**
     * Returns {@code started} with the scheduler's keys as they are in the file now. Keys that the file no longer has are
     * not set. A value that came from elsewhere, such as {@code -D} of the ResourceManager's command line, stays.
     *
     * @param started the configuration that the ResourceManager started with; it is not changed. It is returned itself
     *     where {@code provider} has no such file
     * @throws IOException if the file cannot be read
     */
    public static Configuration reread(Configuration started, ConfigurationProvider provider) throws IOException {
        try (InputStream file = provider.getConfigurationInputStream(started, NAME)) {
            if (file == null) {
                return started;
            }
            Configuration site = new Configuration(false);
            site.addResource(file, NAME);
            return with(keys(site), site, started);
        } catch (YarnException | RuntimeException e) {
            throw new IOException(
                    NAME + " cannot be read: " + e.getMessage() + ". Remedy: correct the file; nothing has changed.",
                    e);
        }
    }

    private static Configuration with(Set<String> keys, Configuration site, Configuration started) {
        Configuration result = new Configuration(started);
        for (String key : keys(started)) {
            if (isFromFile(started, key)) {
                result.unset(key);
            }
        }
        for (String key : keys) {
            if (result.getRaw(key) == null) {
                result.set(key, site.getRaw(key), NAME);
            }
        }
        return result;
    }

    private static boolean isFromFile(Configuration configuration, String key) {
        String[] sources = configuration.getPropertySources(key);
        return sources != null && sources.length > 0 && sources[sources.length - 1].endsWith(NAME);
    }

    private static Set<String> keys(Configuration configuration) {
        Set<String> keys = new HashSet<>();
        for (Map.Entry<String, String> entry : configuration) {
            if (entry.getKey().startsWith(OptimusConfiguration.PREFIX)) {
                keys.add(entry.getKey());
            }
        }
        return keys;
    }
}
