package io.optimus.benchmarks;

import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The exponent by which a time grows with a size n: the slope of ln(time) over ln(n), fitted by least squares. */
final class GrowthExponent {
    private GrowthExponent() {}

    /**
     * Returns the exponent: 1 if the time doubles when n doubles, 2 if it quadruples.
     *
     * <p>Example: 2 ms at 100 jobs and 40 ms at 1,000: ln(20) / ln(10) = 1.3.
     *
     * @param millisBySize times above 0 by sizes above 0
     * @return null for fewer than two sizes
     */
    static @Nullable Double of(SortedMap<Integer, Double> millisBySize) {
        if (millisBySize.size() < 2) {
            return null;
        }
        double meanX =
                mean(millisBySize.keySet().stream().mapToDouble(Math::log).toArray());
        double meanY =
                mean(millisBySize.values().stream().mapToDouble(Math::log).toArray());
        double products = 0;
        double squares = 0;
        for (var point : millisBySize.entrySet()) {
            double x = Math.log(point.getKey()) - meanX;
            products += x * (Math.log(point.getValue()) - meanY);
            squares += x * x;
        }
        return products / squares;
    }

    private static double mean(double[] numbers) {
        double sum = 0;
        for (double number : numbers) {
            sum += number;
        }
        return sum / numbers.length;
    }
}
