package io.optimus.am.client.logs;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Prints logs of several processes, each under a heading, and later what has been added to them. */
final class LogPrinter {
    /** More than this is not printed of a file at once: it is in memory several times, and a client has 256 MiB. */
    private static final long MOST_BYTES = 24L << 20;

    /** Bytes of the longest character in UTF-8. */
    private static final int LONGEST_CHARACTER = 4;

    /** Guess of the length of a line, for the first try of reading the last lines. */
    private static final long LINE_BYTES = 200;

    private final LogReader reader;
    private final PrintWriter out;
    private final long mostBytes;
    /** How far each file is printed. */
    private final Map<Source, Long> printed = new HashMap<>();

    private Source last = new Source("", "");
    /** Whether what was printed last does not end a line. */
    private boolean midLine;

    private record Source(String container, String file) {}

    LogPrinter(LogReader reader, PrintWriter out) {
        this(reader, out, MOST_BYTES);
    }

    /** Prints at most {@code mostBytes} of a file at once. */
    LogPrinter(LogReader reader, PrintWriter out, long mostBytes) {
        this.reader = reader;
        this.out = out;
        this.mostBytes = mostBytes;
    }

    /**
     * Prints the files of {@code task}, or their last lines.
     *
     * @param lines how many; below 0 for all
     */
    void print(LoggedTask task, long lines) throws IOException {
        for (Map.Entry<String, Long> file : reader.files(task).entrySet()) {
            Source source = new Source(task.container(), file.getKey());
            if (file.getValue() > 0 && lines != 0) {
                long most = Math.min(mostBytes, file.getValue());
                LastBytes end = lines < 0
                        ? reader.last(task, file.getKey(), most)
                        : lastLines(task, file.getKey(), most, lines);
                print(task, source, end, lines < 0 ? end.fileBytes() - end.content().length : 0);
            } else {
                printed.put(source, file.getValue());
            }
        }
        out.flush();
    }

    /** Prints what was added to the files of {@code task} since the last call; all of a task that is new. */
    void printNew(LoggedTask task) throws IOException {
        for (Map.Entry<String, Long> file : reader.files(task).entrySet()) {
            Source source = new Source(task.container(), file.getKey());
            long seen = printed.getOrDefault(source, 0L);
            if (file.getValue() > seen) {
                long asked = Math.min(mostBytes, file.getValue() - seen);
                LastBytes end = reader.last(task, file.getKey(), asked);
                // The file has grown meanwhile: what is before these bytes comes first.
                long more = end.fileBytes() - seen;
                LastBytes all = more > asked && more < mostBytes ? reader.last(task, file.getKey(), more) : end;
                print(task, source, all, all.fileBytes() - seen - all.content().length);
            }
        }
        out.flush();
    }

    /** The last lines, within the last {@code most} bytes. */
    private LastBytes lastLines(LoggedTask task, String file, long most, long lines) throws IOException {
        for (long bytes = Math.min(most, lines * LINE_BYTES); ; bytes = Math.min(most, bytes * 8)) {
            LastBytes end = reader.last(task, file, bytes);
            List<Integer> starts = starts(end.content());
            if (starts.size() > lines || bytes >= most) {
                int first = starts.size() > lines ? starts.get((int) (starts.size() - lines)) : 0;
                byte[] content = Arrays.copyOfRange(end.content(), first, end.content().length);
                return new LastBytes(end.fileBytes(), content);
            }
        }
    }

    /** Where lines begin; the first of them may have begun before. */
    private static List<Integer> starts(byte[] content) {
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < content.length; i++) {
            if (i == 0 || content[i - 1] == '\n') {
                starts.add(i);
            }
        }
        return starts;
    }

    /** Prints {@code end}; before it, {@code leftOut} bytes were not printed. */
    private void print(LoggedTask task, Source source, LastBytes end, long leftOut) {
        if (!source.equals(last)) {
            if (midLine) {
                out.println();
            }
            out.println("==> " + task.name() + " " + source.file()
                    + (task.node().isEmpty() ? "" : " on " + task.node()) + ", " + task.container() + " <==");
            last = source;
        }
        if (leftOut > 0) {
            out.println(
                    "==> " + leftOut + " bytes before this are left out; YARN prints all by: yarn logs -containerId "
                            + task.container() + " <==");
        }
        int whole = wholeCharacters(end.content());
        String text = new String(end.content(), 0, whole, StandardCharsets.UTF_8);
        out.print(text);
        midLine = text.isEmpty() ? midLine : !text.endsWith("\n");
        printed.put(source, end.fileBytes() - (end.content().length - whole));
    }

    /** Ends the last line. */
    void end() {
        if (midLine) {
            out.println();
            midLine = false;
        }
        out.flush();
    }

    /** The bytes before a last character of which some bytes are still to come. */
    private static int wholeCharacters(byte[] content) {
        for (int back = 1; back <= Math.min(LONGEST_CHARACTER, content.length); back++) {
            int first = content[content.length - back] & 0xff;
            boolean begins = first < 0x80 || first >= 0xc0;
            if (begins) {
                int bytes = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : LONGEST_CHARACTER;
                return bytes > back ? content.length - back : content.length;
            }
        }
        return content.length;
    }
}
