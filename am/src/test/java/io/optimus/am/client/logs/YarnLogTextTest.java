package io.optimus.am.client.logs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.Test;

public final class YarnLogTextTest {
    @Test
    public void takesTheFileOutOfItsHeadAndFoot() throws Exception {
        LastBytes end = read(text(12, "first\nläst\n"), 12);

        assertThat(new String(end.content(), StandardCharsets.UTF_8)).isEqualTo("first\nläst\n");
        assertThat(end.fileBytes()).isEqualTo(12);
    }

    @Test
    public void hasOnlyAsManyBytesAsWereAskedFor() throws Exception {
        LastBytes end = read(text(1000, "last\n"), 5);

        assertThat(new String(end.content(), StandardCharsets.UTF_8)).isEqualTo("last\n");
        assertThat(end.fileBytes()).isEqualTo(1000);
    }

    @Test
    public void isEmptyForAnEmptyFile() throws Exception {
        assertThat(read("\nEnd of LogType:stdout\n", 10).content()).isEmpty();
    }

    @Test
    public void refusesWhatIsNoLog() {
        assertThatThrownBy(() -> read("<html>", 10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("<html>");
        assertThatThrownBy(() -> read("LogType:stdout\nLogLength:many\nLogContents:\nx", 10))
                .hasMessageContaining("many");
    }

    private static LastBytes read(String text, long bytes) throws IOException {
        return YarnLogText.read(text.getBytes(StandardCharsets.UTF_8), bytes);
    }

    private static String text(int length, String content) {
        return "Container: container_1_0001_01_000002 on a:1\nLogType:stdout\nLogLength:" + length + "\nLogContents:\n"
                + content + "\nEnd of LogType:stdout\n***\n";
    }
}
