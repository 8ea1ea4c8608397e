package io.optimus.model.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.chart.Chart.Limit;
import io.optimus.model.chart.Chart.Point;
import io.optimus.model.chart.Chart.Series;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.Test;

public final class ChartTest {
    private static List<String> marks(double least, double most, HorizontalScale scale) {
        Axis axis = new Axis(least, most, scale, 0, 100);
        return axis.marks().stream().map(axis::words).toList();
    }

    @Test
    public void marksTimesAtRoundNumbersOfTheirUnits() {
        assertThat(marks(0, 100, HorizontalScale.TIME))
                .containsExactly("0", "15 s", "30 s", "45 s", "1 min", "75 s", "90 s");
        assertThat(marks(0, 12_000, HorizontalScale.TIME))
                .containsExactly("0", "30 min", "1 h", "90 min", "2 h", "150 min", "3 h");
        assertThat(marks(0, 100_000, HorizontalScale.TIME)).containsExactly("0", "6 h", "12 h", "18 h", "1 d");
        assertThat(marks(0, 109 * 86_400.0, HorizontalScale.TIME))
                .containsExactly("0", "20 d", "40 d", "60 d", "80 d", "100 d");
    }

    @Test
    public void marksLogarithmicTimesInUnits() {
        assertThat(marks(40, 7000, HorizontalScale.LOGARITHMIC_TIME))
                .containsExactly("1 min", "2 min", "5 min", "10 min", "20 min", "30 min", "1 h");
        assertThat(marks(1, 1e7, HorizontalScale.LOGARITHMIC_TIME))
                .containsExactly("1 s", "10 s", "1 min", "10 min", "1 h", "6 h", "1 d", "10 d", "100 d");
    }

    @Test
    public void drawsChartsToTheSameScaleWithTheirLimit() {
        Limit limit = new Limit(3600, 16, "all 16 GPUs");
        Chart few = new Chart(
                "few",
                "time",
                "",
                HorizontalScale.TIME,
                List.of(new Series("a", List.of(new Point(0, 1), new Point(60, 1)))));
        Chart many = new Chart(
                "many",
                "time",
                "",
                HorizontalScale.TIME,
                List.of(new Series("a", List.of(new Point(0, 9), new Point(3600, 9)))));

        String first = few.stacked(false, limit);
        String second = many.stacked(false, limit);

        assertThat(labels(first))
                .isEqualTo(labels(second))
                .contains("all 16 GPUs")
                .contains("1 h");
        assertThat(first).contains("class=\"limit\"");
    }

    private static String labels(String svg) {
        return svg.lines().filter(line -> line.startsWith("<text")).collect(Collectors.joining("\n"));
    }

    @Test
    public void knowsWhenThereIsNothingToSee() {
        assertThat(new Chart("a", "x", "y", HorizontalScale.LINEAR, List.of()).isEmpty())
                .isTrue();
        assertThat(new Chart(
                                "a",
                                "x",
                                "y",
                                HorizontalScale.LINEAR,
                                List.of(new Series("s", List.of(new Point(1, Double.NaN)))))
                        .isEmpty())
                .isTrue();
        assertThat(new Chart("a", "x", "y", HorizontalScale.LINEAR, List.of(new Series("s", List.of(new Point(1, 0)))))
                        .isEmpty())
                .isTrue();
        assertThat(new Chart("a", "x", "y", HorizontalScale.LINEAR, List.of(new Series("s", List.of(new Point(1, 2)))))
                        .isEmpty())
                .isFalse();
    }

    @Test
    public void drawsASinglePointAsADot() {
        String svg = new Chart(
                        "a", "x", "y", HorizontalScale.LINEAR, List.of(new Series("s", List.of(new Point(1, 2)))))
                .lines();

        assertThat(svg).containsPattern("<path d=\"M[0-9. ]+h0\"");
    }
}
