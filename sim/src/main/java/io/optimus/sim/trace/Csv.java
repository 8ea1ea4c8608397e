package io.optimus.sim.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** Reads a table with a header line, field by field, and collects what is wrong. Quotes have no meaning in these files. */
public final class Csv {
    private final String file;
    private final List<String> problems = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    private Csv(String file) {
        this.file = file;
    }

    /** One line below the header. */
    public final class Row {
        private final int line;
        private final Map<String, String> fields;

        private Row(int line, Map<String, String> fields) {
            this.line = line;
            this.fields = fields;
        }

        /** As it is written, without spaces around it; empty where there is no such column. */
        public String text(String column) {
            return fields.getOrDefault(column, "");
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
            problems.add(
                    file + ", line " + line + ": " + column + " is \"" + text(column) + "\" instead of " + expected);
        }
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
    public static Csv read(Path path) throws IOException {
        Csv csv = new Csv(path.toString());
        try (BufferedReader lines = Files.newBufferedReader(path)) {
            String header = lines.readLine();
            List<String> columns = header == null ? List.of() : columns(header);
            int number = 1;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    csv.add(number, columns, fields(line));
                }
            }
        }
        return csv;
    }

    /** Names of the columns in a header line. */
    public static List<String> columns(String header) {
        return fields(header.toLowerCase(Locale.ROOT));
    }

    private static List<String> fields(String line) {
        return Arrays.stream(line.split(",", -1)).map(String::strip).toList();
    }

    private void add(int number, List<String> columns, List<String> fields) {
        if (fields.size() != columns.size()) {
            problems.add(file + ", line " + number + ": " + fields.size() + " fields instead of " + columns.size());
            return;
        }
        Map<String, String> byName = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            byName.put(columns.get(i), fields.get(i));
        }
        rows.add(new Row(number, byName));
    }

    /** All rows that have as many fields as the header. */
    public List<Row> rows() {
        return List.copyOf(rows);
    }

    /** Refuses the file, if anything was wrong or it has no row. */
    public void refuseProblems() throws ProblemsException {
        if (rows.isEmpty() && problems.isEmpty()) {
            problems.add(file + " has no row below its header");
        }
        if (!problems.isEmpty()) {
            throw new ProblemsException(problems);
        }
    }
}
