package io.optimus.am.client.submission;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Shows how far a job is: on a terminal one line with a bar, which is drawn anew; elsewhere a line whenever something changed.
 *
 * <p>Example: {@code [#####---------------]  27 %  RUNNING  epoch 3.2, step 140, loss 0.4321, ps 1, workers 2}.
 */
final class ProgressLine {
    private static final int BAR = 20;

    private final PrintWriter out;
    private final int columns;
    private String last = "";
    private boolean drawn;

    /**
     * A line on {@code out}.
     *
     * @param columns of the terminal; 0 if there is none
     */
    ProgressLine(PrintWriter out, int columns) {
        this.out = out;
        this.columns = columns;
    }

    /**
     * Shows {@code text}.
     *
     * @param done the part of the job that is done, from 0 to 1; empty if it is not known
     */
    void show(String text, OptionalDouble done) {
        if (columns > 0) {
            draw(bar(done) + "  " + text);
        } else if (!text.equals(last)) {
            out.println(text);
            last = text;
        }
        out.flush();
    }

    private void draw(String line) {
        // A full last column would begin a new line on some terminals.
        String fitted = line.length() < columns ? line : line.substring(0, columns - 1);
        out.print("\r" + fitted + " ".repeat(Math.max(0, last.length() - fitted.length())));
        last = fitted;
        drawn = true;
    }

    /** Prints a line of its own, below. */
    void println(String text) {
        if (drawn) {
            out.println();
            drawn = false;
            last = "";
        }
        out.println(text);
        out.flush();
    }

    private static String bar(OptionalDouble done) {
        if (done.isEmpty()) {
            return "[" + " ".repeat(BAR) + "]   ? %";
        }
        int filled = (int) Math.floor(BAR * done.getAsDouble());
        return "[" + "#".repeat(filled) + "-".repeat(BAR - filled)
                + String.format(Locale.ROOT, "] %3.0f %%", Math.floor(100 * done.getAsDouble()));
    }
}
