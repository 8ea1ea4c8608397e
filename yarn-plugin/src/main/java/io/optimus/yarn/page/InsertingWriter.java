package io.optimus.yarn.page;

import java.io.IOException;
import java.io.Writer;

/**
 * Passes a text on as it is written, and adds a text after the first place where a given one ends. It is found however the writes
 * divide it: with {@code "ab"} and {@code "!"}, the writes {@code "xa"} and {@code "bab"} give {@code "xab!ab"}.
 */
final class InsertingWriter extends Writer {
    /** The end of the navigation's link to the scheduler, as YARN's {@code NavBlock} writes it. */
    static final String NAVIGATION = "<a href=\"/cluster/scheduler\">Scheduler</a>";

    private final Writer out;
    private final String place;
    private final String addition;
    /** By the number of characters that match: how many still match if the next one does not (Knuth, Morris and Pratt). */
    private final int[] shorter;

    private int matched;
    private boolean done;

    /**
     * Writes to {@code out}.
     *
     * @param place the text to look for
     * @param addition what to add after it
     */
    InsertingWriter(Writer out, String place, String addition) {
        this.out = out;
        this.place = place;
        this.addition = addition;
        this.shorter = shorter(place);
    }

    private static int[] shorter(String place) {
        int[] lengths = new int[place.length() + 1];
        int length = 0;
        for (int i = 1; i < place.length(); i++) {
            while (length > 0 && place.charAt(i) != place.charAt(length)) {
                length = lengths[length];
            }
            length += place.charAt(i) == place.charAt(length) ? 1 : 0;
            lengths[i + 1] = length;
        }
        return lengths;
    }

    /** Looks for the place again, from the beginning of another text. */
    void restart() {
        matched = 0;
        done = false;
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
        for (int i = from; i < from + length && !done; i++) {
            while (matched > 0 && text[i] != place.charAt(matched)) {
                matched = shorter[matched];
            }
            matched += text[i] == place.charAt(matched) ? 1 : 0;
            if (matched == place.length()) {
                done = true;
                out.write(text, from, i + 1 - from);
                out.write(addition);
                out.write(text, i + 1, from + length - i - 1);
                return;
            }
        }
        out.write(text, from, length);
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
