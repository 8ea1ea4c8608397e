package io.optimus.protocol;

/** Text that a caller sent, made fit for a message or a log line. */
public final class OneLine {
    private OneLine() {}

    /**
     * Returns {@code text} as one line.
     *
     * @param longest most characters that are kept of it, 1 or more; the number of those that are left out follows
     */
    public static String of(String text, int longest) {
        int kept = Math.min(text.length(), longest);
        StringBuilder line = new StringBuilder(kept);
        for (int i = 0; i < kept; i++) {
            line.append(isPlain(text.charAt(i)) ? text.charAt(i) : ' ');
        }
        if (kept < text.length()) {
            line.append("… (").append(text.length() - kept).append(" more characters)");
        }
        return line.toString();
    }

    /** Whether every character of {@code text} can stand in a line: no control, no separator of lines, no mark of direction. */
    public static boolean isPlain(String text) {
        return text.chars().allMatch(character -> isPlain((char) character));
    }

    private static boolean isPlain(char character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
