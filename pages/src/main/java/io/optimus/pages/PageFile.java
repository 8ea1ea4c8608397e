package io.optimus.pages;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * A file that pages load, from the jar.
 *
 * @param type its media type
 * @param content its text
 */
public record PageFile(String type, String content) {
    private static final Map<String, String> TYPES = Map.of(
            "page.js", "text/javascript;charset=utf-8",
            "page.css", "text/css;charset=utf-8",
            "uPlot.iife.min.js", "text/javascript;charset=utf-8",
            "uPlot.min.css", "text/css;charset=utf-8");

    /** The file of this name; empty if there is none. */
    public static Optional<PageFile> named(String name) {
        return Optional.ofNullable(TYPES.get(name)).map(type -> new PageFile(type, read(name)));
    }

    private static String read(String name) {
        try (InputStream file = PageFile.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("The jar lacks " + name);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
