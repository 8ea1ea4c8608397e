package io.optimus.am.wire.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.am.wire.files.OutputClient.Choice;
import io.optimus.am.wire.files.OutputClient.Limits;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class OutputTransferTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void allowsPlainNamesInFolders() {
        assertThat(new String[] {"model.pt", "best/epoch=3-loss=0.1.ckpt", "a b/c", "plots/model.bin"})
                .allMatch(OutputTransfer::isAllowed);
        assertThat(new String[] {
                    "",
                    "/etc/passwd",
                    "../up",
                    "a//b",
                    "a/",
                    ".hidden",
                    "a/.git/x",
                    "model.bin",
                    "result.json",
                    "a:b",
                    "ü",
                    "_writing.x",
                    "a\nb"
                })
                .noneMatch(OutputTransfer::isAllowed);
    }

    @Test
    public void carriesFilesOfAnyLength() throws IOException {
        byte[] large = new byte[150_000];
        large[149_999] = 7;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        OutputTransfer.write(out, "large", large.length, new ByteArrayInputStream(large));
        OutputTransfer.write(out, "empty", 0, new ByteArrayInputStream(large));
        OutputTransfer.writeEnd(out);

        Map<String, byte[]> received = new TreeMap<>();
        OutputTransfer.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), (name, content) -> {
            ByteArrayOutputStream copy = new ByteArrayOutputStream();
            content.copyTo(copy);
            received.put(name, copy.toByteArray());
        });
        assertThat(received).containsOnlyKeys("large", "empty").containsEntry("large", large);
    }

    @Test
    public void failsIfAFileBecomesShorterWhileItIsSent() {
        DataOutputStream out = new DataOutputStream(new ByteArrayOutputStream());
        assertThatThrownBy(() -> OutputTransfer.write(out, "cut", 10, new ByteArrayInputStream(new byte[4])))
                .hasMessageContaining("6 bytes before its length");
    }

    @Test
    public void leavesOutWhatIsTooMuchAndLinks() throws IOException {
        Path root = folder.getRoot().toPath();
        Files.write(root.resolve("a"), new byte[60]);
        Files.write(root.resolve("b"), new byte[60]);
        Files.write(root.resolve("c"), new byte[40]);
        Files.createSymbolicLink(root.resolve("link"), root.resolve("a"));

        Choice choice = Choice.of(root, new Limits(2, 100));
        assertThat(choice.files()).containsOnlyKeys("a", "c");
        assertThat(choice.warnings())
                .hasSize(2)
                .anyMatch(warning -> warning.contains("link"))
                .anyMatch(warning -> warning.contains("b (60 bytes)") && warning.contains("2 files of 100 bytes"));
        assertThat(Choice.of(root, new Limits(1, 100)).files()).containsOnlyKeys("a");
    }
}
