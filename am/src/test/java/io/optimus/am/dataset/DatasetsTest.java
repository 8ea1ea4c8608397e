package io.optimus.am.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class DatasetsTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void digitsAreSplitIntoTrainingAndHeldOut() throws IOException {
        Dataset digits = Datasets.open("digits");
        assertThat(digits.training().size()).isEqualTo(1438);
        assertThat(digits.heldOut().size()).isEqualTo(359);
        assertThat(digits.features()).isEqualTo(64);
        assertThat(digits.classes()).isEqualTo(10);
        assertThat(labels(digits.training())).hasSize(10);
        assertThat(labels(digits.heldOut())).hasSize(10);
    }

    @Test
    public void digitsAreTheSameEveryTime() throws IOException {
        Dataset.Samples once = Datasets.open("digits").heldOut();
        Dataset.Samples again = Datasets.open("digits").heldOut();
        assertThat(again.pixels()).isEqualTo(once.pixels());
        assertThat(again.labels()).isEqualTo(once.labels());
    }

    @Test
    public void pixelsAreScaledToOne() throws IOException {
        Dataset.Samples samples = Datasets.open("digits").training();
        float[] values = new float[3 + 64];
        float largest = 0;
        for (int sample = 0; sample < samples.size(); sample++) {
            samples.read(sample, values, 3);
            for (float value : values) {
                assertThat(value).isBetween(0f, 1f);
                largest = Math.max(largest, value);
            }
        }
        assertThat(largest).isEqualTo(1f);
        assertThat(values[0]).isZero();
    }

    @Test
    public void readsMnistsFormatPlainAndCompressed() throws IOException {
        writeSet(60, 20);
        compress("train-images-idx3-ubyte");
        compress("t10k-labels-idx1-ubyte");
        assertThat(Datasets.problems(name())).isEmpty();
        Dataset set = Datasets.open(name());
        assertThat(set.training().size()).isEqualTo(60);
        assertThat(set.heldOut().size()).isEqualTo(20);
        assertThat(set.height()).isEqualTo(3);
        assertThat(set.width()).isEqualTo(2);
        assertThat(set.classes()).isEqualTo(7);
        assertThat(set.training().label(13)).isEqualTo(6);
        float[] image = new float[6];
        set.training().read(43, image, 0);
        assertThat(image)
                .containsExactly(
                        new float[] {2 / 255f, 3 / 255f, 4 / 255f, 5 / 255f, 6 / 255f, 7 / 255f}, within(1e-7f));
    }

    @Test
    public void namesEveryMissingFileAtOnce() {
        assertThat(Datasets.problems(name())).hasSize(4).allMatch(problem -> problem.contains("is missing: put"));
        assertThatThrownBy(() -> Datasets.open(name()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("train-images-idx3-ubyte[.gz] is missing");
    }

    @Test
    public void refusesAFileOfAnotherKind() throws IOException {
        writeSet(6, 2);
        Files.copy(path("train-images-idx3-ubyte"), Files.newOutputStream(path("train-labels-idx1-ubyte")));
        assertThat(Datasets.problems(name()))
                .singleElement()
                .asString()
                .contains("train-labels-idx1-ubyte starts with 0x00000803 instead of 0x00000801");
    }

    @Test
    public void refusesATruncatedFile() throws IOException {
        writeSet(6, 2);
        truncate("train-images-idx3-ubyte", 5);
        assertThat(Datasets.problems(name()))
                .singleElement()
                .asString()
                .contains("is 47 bytes long instead of 52")
                .contains("copy it again");
        assertThatThrownBy(() -> Datasets.open(name())).isInstanceOf(IOException.class);
    }

    @Test
    public void refusesATruncatedCompressedFileWhenLoading() throws IOException {
        writeSet(6, 2);
        truncate("train-images-idx3-ubyte", 5);
        compress("train-images-idx3-ubyte");
        assertThatThrownBy(() -> Datasets.open(name()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("shorter than its header says");
    }

    @Test
    public void refusesAFileThatEndsInItsHeader() throws IOException {
        writeSet(6, 2);
        Files.write(path("t10k-labels-idx1-ubyte"), new byte[] {0, 0, 8});
        assertThat(Datasets.problems(name()))
                .singleElement()
                .asString()
                .contains("t10k-labels-idx1-ubyte is shorter than a header");
    }

    @Test
    public void refusesLabelsOfAnotherSet() throws IOException {
        writeSet(6, 2);
        writeLabels("train", 5);
        assertThat(Datasets.problems(name()))
                .singleElement()
                .asString()
                .contains("holds 6 images but")
                .contains("5 labels");
        assertThatThrownBy(() -> Datasets.open(name())).isInstanceOf(IOException.class);
    }

    @Test
    public void refusesAFileNamedCompressedThatIsNot() throws IOException {
        writeSet(6, 2);
        Files.move(path("train-images-idx3-ubyte"), path("train-images-idx3-ubyte.gz"));
        assertThat(Datasets.problems(name())).singleElement().asString().contains("is named .gz but is not compressed");
    }

    @Test
    public void refusesUnknownNames() {
        assertThat(Datasets.problems("digits")).isEmpty();
        assertThat(Datasets.problems("imagenet")).singleElement().asString().contains("no data set 'imagenet'");
        assertThat(Datasets.problems("idx:relative")).singleElement().asString().contains("not absolute");
        assertThatThrownBy(() -> Datasets.open("imagenet")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    public void leavesAFolderThatIsNotHereToTheNodes() throws IOException {
        assertThat(Datasets.problems("idx:/no/such/folder")).isEmpty();
        assertThat(Datasets.folderElsewhere("idx:/no/such/folder")).hasValue(Path.of("/no/such/folder"));
        assertThat(Datasets.folderElsewhere(name())).isEmpty();
        assertThat(Datasets.folderElsewhere("digits")).isEmpty();
        assertThatThrownBy(() -> Datasets.open("idx:/no/such/folder"))
                .isInstanceOf(IOException.class)
                .hasMessage("There is no folder /no/such/folder: put MNIST's four files there on every node, or name a"
                        + " folder that every node has");
    }

    @Test
    public void refusesAFileInPlaceOfTheFolder() throws IOException {
        Path file = folder.newFile("data").toPath();
        assertThat(Datasets.problems("idx:" + file)).singleElement().asString().contains("There is no folder " + file);
    }

    private String name() {
        return "idx:" + folder.getRoot();
    }

    private Path path(String file) {
        return folder.getRoot().toPath().resolve(file);
    }

    private static Set<Integer> labels(Dataset.Samples samples) {
        Set<Integer> labels = new HashSet<>();
        for (int i = 0; i < samples.size(); i++) {
            labels.add(samples.label(i));
        }
        return labels;
    }

    private void writeSet(int training, int heldOut) throws IOException {
        writeImages("train", training);
        writeLabels("train", training);
        writeImages("t10k", heldOut);
        writeLabels("t10k", heldOut);
    }

    /** Writes images of 3 by 2 whose pixels count up. */
    private void writeImages(String part, int count) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0x803);
        out.writeInt(count);
        out.writeInt(3);
        out.writeInt(2);
        for (int i = 0; i < count * 6; i++) {
            out.writeByte(i);
        }
        Files.write(path(part + "-images-idx3-ubyte"), bytes.toByteArray());
    }

    private void writeLabels(String part, int count) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(0x801);
        out.writeInt(count);
        for (int i = 0; i < count; i++) {
            out.writeByte(i % 7);
        }
        Files.write(path(part + "-labels-idx1-ubyte"), bytes.toByteArray());
    }

    private void truncate(String file, int bytes) throws IOException {
        byte[] whole = Files.readAllBytes(path(file));
        Files.write(path(file), Arrays.copyOf(whole, whole.length - bytes));
    }

    private void compress(String file) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(path(file + ".gz")))) {
            Files.copy(path(file), out);
        }
        Files.delete(path(file));
    }
}
