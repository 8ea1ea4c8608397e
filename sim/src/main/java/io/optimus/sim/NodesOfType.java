package io.optimus.sim;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Nodes whose GPUs are of one type, written {@code 8xa100=2.5}.
 *
 * @param count how many, 1 or more
 * @param type of their GPUs
 * @param speed of those, relative to others, above 0
 */
record NodesOfType(int count, String type, double speed) {
    private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,5})x([^=,\\s]+)=([0-9]{1,4}(\\.[0-9]{1,6})?)");

    /** Empty where {@code text} does not say that. */
    static Optional<NodesOfType> parse(String text) {
        Matcher form = FORM.matcher(text);
        return Optional.of(form)
                .filter(Matcher::matches)
                .map(all ->
                        new NodesOfType(Integer.parseInt(all.group(1)), all.group(2), Double.parseDouble(all.group(3))))
                .filter(nodes -> nodes.speed() > 0);
    }
}
