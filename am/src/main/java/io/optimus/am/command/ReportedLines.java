package io.optimus.am.command;

import io.optimus.am.wire.MembershipNumber;
import io.optimus.am.wire.Message;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Copies the output of a command, and sums up the reports in it. Takes a bounded amount of memory whatever the command prints.
 * Any thread may use it.
 */
final class ReportedLines extends OutputStream {
    /** Bytes of a report; longer lines are none. */
    private static final int LONGEST = 4_096;

    /** Names of further figures between two messages; a program has a few. */
    private static final int MOST_VALUES = 64;

    private final OutputStream output;
    private final byte[] line = new byte[LONGEST];
    private int length;

    private boolean fresh;
    private long step;
    private long stepNanos;
    private double lossSum;
    private long losses;
    private OptionalDouble epoch = OptionalDouble.empty();
    private final Map<String, Double> values = new TreeMap<>();

    ReportedLines(OutputStream output) {
        this.output = output;
    }

    @Override
    public void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
        scan(bytes, offset, count);
        output.write(bytes, offset, count);
    }

    @Override
    public void flush() throws IOException {
        output.flush();
    }

    private synchronized void scan(byte[] bytes, int offset, int count) {
        for (int i = offset; i < offset + count; i++) {
            // Progress bars return to the beginning of their line without ending it.
            if (bytes[i] == '\n' || bytes[i] == '\r') {
                lineEnded();
            } else if (length < LONGEST) {
                line[length++] = bytes[i];
            } else {
                // The line is too long for a report. What follows of it is not kept.
                length = LONGEST + 1;
            }
        }
    }

    private void lineEnded() {
        if (length <= LONGEST) {
            ReportLine.parse(new String(line, 0, length, StandardCharsets.UTF_8))
                    .ifPresent(this::add);
        }
        length = 0;
    }

    private void add(ReportLine report) {
        fresh = true;
        step = report.step();
        stepNanos = System.nanoTime();
        report.loss().ifPresent(loss -> {
            lossSum += loss;
            losses++;
        });
        epoch = report.epoch().isPresent() ? report.epoch() : epoch;
        report.values().forEach((name, value) -> {
            if (values.size() < MOST_VALUES || values.containsKey(name)) {
                values.put(name, value);
            }
        });
    }

    /** The last step that was reported; 0 if none was. */
    synchronized long step() {
        return step;
    }

    /** What was reported since the last call; empty if nothing was. */
    synchronized Optional<Message.CommandReport> take(MembershipNumber number) {
        if (!fresh) {
            return Optional.empty();
        }
        Message.CommandReport report = new Message.CommandReport(
                number,
                step,
                losses == 0 ? OptionalDouble.empty() : OptionalDouble.of(lossSum / losses),
                epoch,
                values,
                stepNanos);
        fresh = false;
        lossSum = 0;
        losses = 0;
        epoch = OptionalDouble.empty();
        values.clear();
        return Optional.of(report);
    }
}
