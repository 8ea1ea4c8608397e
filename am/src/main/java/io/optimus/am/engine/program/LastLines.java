package io.optimus.am.engine.program;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Keeps the end of a program's output, for its diagnosis. Any thread may use it. */
final class LastLines {
    /** Enough for a traceback; the diagnosis travels to the scheduler and to YARN. */
    private static final int CHARACTERS = 2_000;

    /** Every character has at most 4 bytes in UTF-8. */
    private static final int BYTES = 4 * CHARACTERS;

    private static final Pattern TERMINAL_CODES = Pattern.compile("\u001B\\[[0-9;?]*[A-Za-z]");
    /** What a terminal shows of a line is what follows its last carriage return, as progress bars use it. */
    private static final Pattern OVERWRITTEN = Pattern.compile("(?dm)^.*\r(?=[^\r\n])");

    private static final Pattern OTHER_CONTROLS = Pattern.compile("[\\p{Cntrl}&&[^\n\t]]");

    private final byte[] ring = new byte[BYTES];
    private long written;

    /** Adds the first {@code count} bytes. */
    synchronized void add(byte[] bytes, int count) {
        for (int i = Math.max(0, count - BYTES); i < count; i++) {
            ring[(int) ((written + i) % BYTES)] = bytes[i];
        }
        written += count;
    }

    /** The last lines, without the blanks around them; empty if there are none. */
    @Override
    public synchronized String toString() {
        int kept = (int) Math.min(written, BYTES);
        byte[] end = new byte[kept];
        for (int i = 0; i < kept; i++) {
            end[i] = ring[(int) ((written - kept + i) % BYTES)];
        }
        String text = TERMINAL_CODES
                .matcher(new String(end, StandardCharsets.UTF_8).replace("\r\n", "\n"))
                .replaceAll("");
        text = OVERWRITTEN.matcher(text).replaceAll("");
        text = OTHER_CONTROLS.matcher(text).replaceAll("").strip();
        boolean cut = written > BYTES || text.length() > CHARACTERS;
        if (!cut) {
            return text;
        }
        text = text.substring(Math.max(0, text.length() - CHARACTERS));
        int secondLine = text.indexOf('\n') + 1;
        return "…" + (secondLine > 0 ? "\n" + text.substring(secondLine) : text);
    }
}
