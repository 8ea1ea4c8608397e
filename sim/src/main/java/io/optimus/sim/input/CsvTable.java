package io.optimus.sim.input;

import java.io.BufferedReader;
import java.io.IOException;
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

/**
 * Reads a table with a header line, field by field, and collects what is wrong.
 *
 * <p>Lines end as on any system, empty ones are nothing, and a byte-order mark before the header is none of it. A field in
 * quotes may hold commas, and quotes that are doubled ({@code "a ""b"", c"}), but not the end of a line.
 */
public final class CsvTable {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final String file;
    /** Of columns by name; rows may be millions, and have no map of their own. */
    private final Map<String, Integer> indices = new HashMap<>();

    private final SortedMap<Integer, List<String>> problems = new TreeMap<>();
    private final List<Row> rows = new ArrayList<>();

    private CsvTable(String file) {
        this.file = file;
    }

    /** One line below the header. */
    public final class Row {
        private final int line;
        private final List<String> fields;

        private Row(int line, List<String> fields) {
            this.line = line;
            this.fields = fields;
        }

        /** As it is written, without spaces around it; empty where there is no such column. */
        public String text(String column) {
            Integer index = indices.get(column);
            return index == null ? "" : fields.get(index);
        }

        /** Whether there is such a column. */
        public boolean has(String column) {
            return indices.containsKey(column);
        }

        /** Line number in the file, from 1. */
        public int line() {
            return line;
        }

        /** A number from {@code least} to {@code most}; another one is a problem, and {@code least} for now. */
        public double number(String column, double least, double most) {
            OptionalDouble number = parsed(text(column));
            if (number.isEmpty() || !(number.getAsDouble() >= least && number.getAsDouble() <= most)) {
                problem(column, "a number from " + plain(least) + " to " + plain(most));
                return least;
            }
            return number.getAsDouble();
        }

        /** A whole number from {@code least} to {@code most}. */
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

    /** Reads all rows; a row with another number of fields than the header is a problem. */
    public static CsvTable read(Path path) throws IOException {
        CsvTable csv = new CsvTable(path.toString());
        try (BufferedReader lines = Files.newBufferedReader(path)) {
            String header = lines.readLine();
            List<String> columns = header == null ? List.of() : columns(header);
            for (int i = 0; i < columns.size(); i++) {
                csv.indices.put(columns.get(i), i);
            }
            int number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    csv.add(number, columns.size(), fields(line));
                }
            }
        }
        return csv;
    }

    /** Names of the columns in a header line. */
    public static List<String> columns(String header) {
        String line = header.startsWith(BYTE_ORDER_MARK) ? header.substring(BYTE_ORDER_MARK.length()) : header;
        return fields(line.toLowerCase(Locale.ROOT));
    }

    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char next = line.charAt(i);
            if (next == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                field.append(next);
                i++;
            } else if (next == '"' && (quoted || field.toString().isBlank())) {
                quoted = !quoted;
            } else if (next == ',' && !quoted) {
                fields.add(field.toString().strip());
                field.setLength(0);
            } else {
                field.append(next);
            }
        }
        fields.add(field.toString().strip());
        return fields;
    }

    private void add(int number, int columns, List<String> fields) {
        if (fields.size() == columns) {
            rows.add(new Row(number, fields));
        } else {
            problem(number, fields.size() + " fields instead of " + columns);
        }
    }

    /** All rows that have as many fields as the header. */
    public List<Row> rows() {
        return Collections.unmodifiableList(rows);
    }

    /** Refuses the file, if anything was wrong or it has no row. */
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
