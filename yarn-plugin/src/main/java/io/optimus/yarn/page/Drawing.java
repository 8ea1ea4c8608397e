package io.optimus.yarn.page;

import io.optimus.model.losses.LossPoint;
import io.optimus.pages.Html;
import io.optimus.pages.PageText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Small pictures in SVG that need no script. The page's style sheet gives the colours. */
final class Drawing {
    private static final int SPARK_WIDTH = 120;
    private static final int SPARK_HEIGHT = 26;
    /** More points than pixels show nothing more. */
    private static final int MOST_POINTS = 60;

    private static final int BAR_WIDTH = 120;
    private static final int BAR_HEIGHT = 14;

    private Drawing() {}

    /** The loss by step as a line without axes. */
    static void sparkline(Html html, List<LossPoint> losses) {
        List<LossPoint> points = thinned(losses);
        if (points.size() < 2) {
            html.text(PageText.UNKNOWN);
            return;
        }
        double least = points.stream().mapToDouble(LossPoint::loss).min().orElse(0);
        double most = points.stream().mapToDouble(LossPoint::loss).max().orElse(0);
        double first = points.get(0).step();
        double last = points.get(points.size() - 1).step();
        StringBuilder line = new StringBuilder();
        for (LossPoint point : points) {
            double x = 1 + (SPARK_WIDTH - 2) * (point.step() - first) / Math.max(1, last - first);
            double part = most > least ? (point.loss() - least) / (most - least) : 0;
            line.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, SPARK_HEIGHT - 2 - (SPARK_HEIGHT - 4) * part));
        }
        picture(
                html,
                SPARK_WIDTH,
                SPARK_HEIGHT,
                "loss from " + PageText.number(points.get(0).loss()) + " to "
                        + PageText.number(points.get(points.size() - 1).loss()));
        html.begin("polyline", "class", "spark", "points", line.toString().strip())
                .end();
        html.end();
    }

    private static List<LossPoint> thinned(List<LossPoint> losses) {
        int every = (losses.size() + MOST_POINTS - 1) / MOST_POINTS;
        if (every < 2) {
            return losses;
        }
        List<LossPoint> kept = new ArrayList<>();
        for (int i = 0; i < losses.size(); i += every) {
            kept.add(losses.get(i));
        }
        if ((losses.size() - 1) % every != 0) {
            kept.add(losses.get(losses.size() - 1));
        }
        return kept;
    }

    /**
     * A bar of how much is held, of which more or less is planned, of at most {@code most}.
     *
     * @param words what it shows
     */
    static void bar(Html html, String words, double now, double planned, double most) {
        double scale = BAR_WIDTH / Math.max(1, Math.max(most, Math.max(now, planned)));
        picture(html, BAR_WIDTH, BAR_HEIGHT, words);
        rectangle(html, "room", 0, BAR_WIDTH);
        rectangle(html, "held", 0, Math.min(now, planned) * scale);
        rectangle(html, "growing", now * scale, planned * scale);
        rectangle(html, "leaving", planned * scale, now * scale);
        html.end();
    }

    /** A bar that is divided into what training and others hold; the rest is idle. */
    static void division(Html html, String words, long training, long others, long all) {
        double scale = (double) BAR_WIDTH / Math.max(1, Math.max(all, training + others));
        picture(html, BAR_WIDTH, BAR_HEIGHT, words);
        rectangle(html, "room", 0, BAR_WIDTH);
        rectangle(html, "held", 0, training * scale);
        rectangle(html, "others", training * scale, (training + others) * scale);
        html.end();
    }

    private static void picture(Html html, int width, int height, String words) {
        html.begin(
                "svg",
                "width",
                String.valueOf(width),
                "height",
                String.valueOf(height),
                "viewBox",
                "0 0 " + width + " " + height,
                "role",
                "img",
                "aria-label",
                words);
        html.element("title", words);
    }

    private static void rectangle(Html html, String kind, double from, double to) {
        if (to > from) {
            html.begin(
                            "rect",
                            "class",
                            kind,
                            "x",
                            String.format(Locale.ROOT, "%.1f", from),
                            "y",
                            "0",
                            "width",
                            String.format(Locale.ROOT, "%.1f", to - from),
                            "height",
                            String.valueOf(BAR_HEIGHT))
                    .end();
        }
    }
}
