package io.optimus.am.dataset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A folder in MNIST's IDX format, with two image files and two files of their labels. */
final class IdxFolder {
    private static final String TRAINING = "train";
    private static final String HELD_OUT = "t10k";
    /** A pixel is an unsigned byte, whose largest value stands for 1.0. */
    private static final int BRIGHTEST = 255;

    private final Path folder;

    IdxFolder(Path folder) {
        this.folder = folder;
    }

    Dataset load() throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(noFolder());
        }
        IdxFile trainingImages = images(TRAINING);
        IdxFile heldOutImages = images(HELD_OUT);
        Dataset.Samples training = samples(trainingImages, labels(TRAINING));
        Dataset.Samples heldOut = samples(heldOutImages, labels(HELD_OUT));
        IdxFile.Header header = trainingImages.header();
        checkSameSize(trainingImages, heldOutImages);
        int classes = 1 + Math.max(largest(training.labels()), largest(heldOut.labels()));
        return new Dataset(training, heldOut, header.height(), header.width(), classes);
    }

    List<String> problems() {
        if (!Files.isDirectory(folder)) {
            return List.of(noFolder());
        }
        List<String> problems = new ArrayList<>();
        for (String part : List.of(TRAINING, HELD_OUT)) {
            addProblem(problems, () -> images(part).check());
            addProblem(problems, () -> labels(part).check());
        }
        if (problems.isEmpty()) {
            addProblem(problems, () -> checkCounts(images(TRAINING), labels(TRAINING)));
            addProblem(problems, () -> checkCounts(images(HELD_OUT), labels(HELD_OUT)));
            addProblem(problems, () -> checkSameSize(images(TRAINING), images(HELD_OUT)));
        }
        return List.copyOf(problems);
    }

    private String noFolder() {
        return "There is no folder " + folder
                + ": put MNIST's four files there on every node, or name a folder that every node has";
    }

    private interface Check {
        void run() throws IOException;
    }

    private static void addProblem(List<String> problems, Check check) {
        try {
            check.run();
        } catch (IOException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    private IdxFile images(String part) throws IOException {
        return IdxFile.find(folder, part + "-images-idx3-ubyte", 3);
    }

    private IdxFile labels(String part) throws IOException {
        return IdxFile.find(folder, part + "-labels-idx1-ubyte", 1);
    }

    private static Dataset.Samples samples(IdxFile images, IdxFile labels) throws IOException {
        checkCounts(images, labels);
        return new Dataset.Samples(images.read(), labels.read(), BRIGHTEST);
    }

    private static void checkCounts(IdxFile images, IdxFile labels) throws IOException {
        int samples = images.header().count();
        int named = labels.header().count();
        if (samples != named) {
            throw new IOException(images.path() + " holds " + samples + " images but " + labels.path() + " " + named
                    + " labels: take both files from one set");
        }
    }

    private static void checkSameSize(IdxFile training, IdxFile heldOut) throws IOException {
        IdxFile.Header one = training.header();
        IdxFile.Header other = heldOut.header();
        if (one.height() != other.height() || one.width() != other.width()) {
            throw new IOException("Images are " + one.height() + " by " + one.width() + " in " + training.path()
                    + " but " + other.height() + " by " + other.width() + " in " + heldOut.path()
                    + ": take both from one set");
        }
    }

    private static int largest(byte[] labels) {
        int largest = 0;
        for (byte label : labels) {
            largest = Math.max(largest, label & 0xff);
        }
        return largest;
    }
}
