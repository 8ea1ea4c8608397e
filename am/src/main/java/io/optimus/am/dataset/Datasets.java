package io.optimus.am.dataset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Opens data sets by their names in job files.
 *
 * <ul>
 *   <li>{@code digits}: 1,797 hand-written digits of 8 by 8 pixels that come with Optimus; a fixed shuffle holds out 359
 *       of them
 *   <li>{@code idx:/folder}: a folder in MNIST's IDX format, on every node at that path: {@code
 *       train-images-idx3-ubyte}, {@code train-labels-idx1-ubyte}, {@code t10k-images-idx3-ubyte} and {@code
 *       t10k-labels-idx1-ubyte}, plain or with {@code .gz}; the {@code t10k} files are held out
 * </ul>
 */
public final class Datasets {
    /** The name of the data set that comes with Optimus. */
    public static final String DIGITS = "digits";
    /** The number of pixels of each of its images. */
    public static final int DIGITS_FEATURES = Digits.SIDE * Digits.SIDE;
    /** The number of its classes. */
    public static final int DIGITS_CLASSES = Digits.CLASSES;

    private static final String IDX_PREFIX = "idx:";

    private Datasets() {}

    /**
     * Loads a data set into memory.
     *
     * @param name {@code digits} or {@code idx:/folder}
     * @throws IOException if a file is missing or malformed; the message names the file and the remedy
     * @throws IllegalArgumentException if no data set has that name
     */
    public static Dataset open(String name) throws IOException {
        if (name.equals(DIGITS)) {
            return Digits.load();
        }
        if (name.startsWith(IDX_PREFIX)) {
            return new IdxFolder(idxPath(name)).load();
        }
        throw new IllegalArgumentException(unknown(name));
    }

    /**
     * Checks whether {@link #open} would find a data set on this machine, without loading it. It looks at names, at the headers
     * of files and, if they are not compressed, at their lengths. A folder that is not on this machine is no problem, because it
     * may be on the nodes: see {@link #folderElsewhere}.
     *
     * @return every problem with its remedy; empty if there is none
     */
    public static List<String> problems(String name) {
        if (name.equals(DIGITS)) {
            return List.of();
        }
        if (!name.startsWith(IDX_PREFIX)) {
            return List.of(unknown(name));
        }
        try {
            Path path = idxPath(name);
            return Files.exists(path) ? new IdxFolder(path).problems() : List.of();
        } catch (IllegalArgumentException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    /** The folder of a valid data set, if it is not on this machine. */
    public static Optional<Path> folderElsewhere(String name) {
        return name.startsWith(IDX_PREFIX)
                ? Optional.of(idxPath(name)).filter(path -> !Files.exists(path))
                : Optional.empty();
    }

    private static Path idxPath(String name) {
        try {
            Path folder = Path.of(name.substring(IDX_PREFIX.length()));
            if (folder.isAbsolute()) {
                return folder;
            }
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + name + "' contains no path: write idx:/folder", e);
        }
        throw new IllegalArgumentException("The path in '" + name + "' is not absolute: write idx:/folder");
    }

    private static String unknown(String name) {
        return "There is no data set '" + name + "': use digits, or idx:/folder for files in MNIST's format";
    }
}
