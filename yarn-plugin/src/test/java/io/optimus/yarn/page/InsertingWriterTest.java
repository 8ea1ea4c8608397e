package io.optimus.yarn.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import org.junit.Test;

public final class InsertingWriterTest {
    private final StringWriter out = new StringWriter();

    @Test
    public void addsOnceHoweverTheTextIsDivided() throws IOException {
        // Parts of the place come before it, and the place comes twice.
        String text = "aab aabaa<aabaac> aabaac";
        for (int size = 1; size <= text.length(); size++) {
            out.getBuffer().setLength(0);
            InsertingWriter writer = new InsertingWriter(out, "aabaac", "!");
            for (int i = 0; i < text.length(); i += size) {
                writer.write(text, i, Math.min(size, text.length() - i));
            }

            assertThat(out.toString()).as("%d at a time", size).isEqualTo("aab aabaa<aabaac!> aabaac");
        }
    }

    @Test
    public void findsAPlaceThatOverlapsABrokenStartOfItself() throws IOException {
        new InsertingWriter(out, "aab", "!").write("aaab");

        assertThat(out.toString()).isEqualTo("aaab!");
    }

    @Test
    public void passesOnEveryCharacterAtOnce() throws IOException {
        InsertingWriter writer = new InsertingWriter(out, "abc", "!");

        writer.write("xab");
        assertThat(out.toString()).isEqualTo("xab");
        writer.write("cd");
        assertThat(out.toString()).isEqualTo("xabc!d");
    }

    @Test
    public void leavesATextWithoutThePlaceAsItIs() throws IOException {
        new InsertingWriter(out, "abc", "!").write("ab ab bc");

        assertThat(out.toString()).isEqualTo("ab ab bc");
    }
}
