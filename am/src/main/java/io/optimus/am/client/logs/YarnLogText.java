package io.optimus.am.client.logs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What YARN sends as the log of a container: a head with the lines {@code LogLength:N} and {@code LogContents:}, the bytes
 * of the file, and a foot. All versions of Hadoop 3 write it by {@code LogToolUtils}.
 */
final class YarnLogText {
    private static final String LENGTH = "\nLogLength:";
    private static final String CONTENTS = "\nLogContents:\n";

    private YarnLogText() {}

    /**
     * Takes the file out of {@code text}.
     *
     * @param bytes how many were asked for
     * @throws IOException if {@code text} is not what YARN writes
     */
    static LastBytes read(byte[] text, long bytes) throws IOException {
        // Each byte is one character, so that places in both are the same.
        String characters = new String(text, StandardCharsets.ISO_8859_1);
        int contents = characters.indexOf(CONTENTS);
        int length = characters.indexOf(LENGTH);
        if (contents < 0 || length < 0 || length > contents) {
            // For an empty file YARN sends only the last line.
            if (characters.isBlank() || characters.contains("End of LogType")) {
                return new LastBytes(0, new byte[0]);
            }
            throw new IOException("YARN's answer is not a log: "
                    + characters.lines().findFirst().orElse(""));
        }
        int from = length + LENGTH.length();
        long fileBytes = number(characters.substring(from, characters.indexOf('\n', from)));
        int begin = contents + CONTENTS.length();
        int end = (int) Math.min(text.length, begin + Math.min(bytes, fileBytes));
        return new LastBytes(fileBytes, Arrays.copyOfRange(text, begin, end));
    }

    private static long number(String text) throws IOException {
        try {
            return Long.parseLong(text.strip());
        } catch (NumberFormatException wrong) {
            throw new IOException("YARN's answer is not a log: its length is '" + text + "'", wrong);
        }
    }
}
