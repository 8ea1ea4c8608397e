package io.optimus.sim.input;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads a table with a header line field by field, and collects all problems. Skips empty lines and a byte-order mark
 * before the header.
 */
public final class CsvTable {
    /** Fields may be quoted ({@code "a ""b"", c"}); spaces around them do not count. */
    private static final CSVFormat FORMAT = CSVFormat.RFC4180
            .builder()
            .setIgnoreEmptyLines(true)
            .setIgnoreSurroundingSpaces(true)
            .setTrim(true)
            .build();

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final String file;
    /** Column indices by name, shared by all rows: there may be millions of them. */
    private final Map<String, Integer> indices = new HashMap<>();

    private final SortedMap<Integer, List<String>> problems = new TreeMap<>();
    private final List<Row> rows = new ArrayList<>();

    private CsvTable(String file) {
        this.file = file;
    }

    public final class Row {
        private final int line;
        private final List<String> fields;

        private Row(int line, List<String> fields) {
            this.line = line;
            this.fields = fields;
        }

        /** Returns a field without spaces around it; empty if the table has no such column. */
        public String text(String column) {
            Integer index = indices.get(column);
            return index == null ? "" : fields.get(index);
        }

        public boolean has(String column) {
            return indices.containsKey(column);
        }

        /** Returns the line number in the file, from 1. */
        public int line() {
            return line;
        }

        /** Returns a number from {@code least} to {@code most}; otherwise notes a problem and returns {@code least}. */
        public double number(String column, double least, double most) {
            OptionalDouble number = parsed(text(column));
            if (number.isEmpty() || !(number.getAsDouble() >= least && number.getAsDouble() <= most)) {
                problem(column, "a number from " + plain(least) + " to " + plain(most));
                return least;
            }
            return number.getAsDouble();
        }

        /** Returns a whole number from {@code least} to {@code most}; see {@link #number}. */
        public int count(String column, int least, int most) {
            double number = number(column, least, most);
            if (number != Math.rint(number)) {
                problem(column, "a whole number");
            }
            return (int) number;
        }

        /** Notes that {@code column} should have been {@code expected}. */
        public void problem(String column, String expected) {
            CsvTable.this.problem(line, column + " is \"" + text(column) + "\" instead of " + expected);
        }
    }

    private void problem(int line, String what) {
        problems.computeIfAbsent(line, number -> new ArrayList<>()).add(file + ", line " + line + ": " + what);
    }

    private static OptionalDouble parsed(String text) {
        try {
            return OptionalDouble.of(Double.parseDouble(text));
        } catch (NumberFormatException noNumber) {
            return OptionalDouble.empty();
        }
    }

    private static String plain(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? Long.toString((long) number)
                : Double.toString(number);
    }

    /**
     * Reads all rows; a row whose number of fields differs from the header's is a problem.
     *
     * @throws IOException if the file cannot be read or is not UTF-8 text
     */
    public static CsvTable read(Path path) throws IOException {
        CsvTable table = new CsvTable(path.toString());
        try (BufferedReader text = Files.newBufferedReader(path)) {
            String header = text.readLine();
            List<String> columns = header == null ? List.of() : columns(header);
            for (int i = 0; i < columns.size(); i++) {
                table.indices.put(columns.get(i), i);
            }
            CSVParser parser = CSVParser.parse(text, FORMAT);
            try {
                for (CSVRecord record : parser) {
                    table.add((int) parser.getCurrentLineNumber() + 1, columns.size(), record.toList());
                }
            } catch (UncheckedIOException failed) {
                if (failed.getCause() instanceof CharacterCodingException binary) {
                    throw binary;
                }
                table.problem(
                        (int) parser.getCurrentLineNumber() + 1,
                        "a field in quotes does not end before the next comma. Remedy: double the quotes inside it");
            }
        }
        return table;
    }

    /** Returns the names of the columns in a header line, in lower case; none if it is not a line of a table. */
    public static List<String> columns(String header) {
        String line = header.startsWith(BYTE_ORDER_MARK) ? header.substring(BYTE_ORDER_MARK.length()) : header;
        try (CSVParser parser = CSVParser.parse(line.toLowerCase(Locale.ROOT), FORMAT)) {
            return parser.stream().findFirst().map(CSVRecord::toList).orElse(List.of());
        } catch (IOException | UncheckedIOException malformed) {
            return List.of();
        }
    }

    private void add(int line, int columns, List<String> fields) {
        if (fields.size() == columns) {
            rows.add(new Row(line, fields));
        } else if (fields.size() > 1 || !fields.get(0).isEmpty()) {
            problem(line, fields.size() + " fields instead of " + columns);
        }
    }

    /** Returns all rows that have as many fields as the header. */
    public List<Row> rows() {
        return Collections.unmodifiableList(rows);
    }

    /** Throws if there is any problem or the table has no row. */
    public void refuseProblems() throws InvalidInputException {
        if (rows.isEmpty() && problems.isEmpty()) {
            throw new InvalidInputException(List.of(file + " has no row below its header"));
        }
        if (!problems.isEmpty()) {
            throw new InvalidInputException(
                    problems.values().stream().flatMap(List::stream).toList());
        }
    }
}
