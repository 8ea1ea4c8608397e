package io.optimus.model.chart;

import java.util.Locale;

/** Writes SVG, element by element. */
final class Svg {
    private final StringBuilder text = new StringBuilder();

    Svg(int width, int height, String title) {
        text.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n",
                width,
                height,
                escaped(title)));
    }

    /** Replaces the characters that have a meaning in HTML. */
    static String escaped(String plain) {
        return plain.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    Svg line(double x1, double y1, double x2, double y2, String cssClass) {
        text.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>%n",
                x1,
                y1,
                x2,
                y2,
                cssClass));
        return this;
    }

    Svg label(double x, double y, String anchor, String words) {
        text.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
                x,
                y,
                anchor,
                escaped(words)));
        return this;
    }

    Svg path(String points, String style, String title) {
        text.append("<path d=\"")
                .append(points)
                .append("\" style=\"")
                .append(style)
                .append("\"><title>")
                .append(escaped(title))
                .append("</title></path>\n");
        return this;
    }

    String end() {
        return text + "</svg>\n";
    }
}
