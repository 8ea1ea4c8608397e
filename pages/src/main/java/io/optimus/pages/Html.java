package io.optimus.pages;

import java.util.ArrayDeque;
import java.util.Deque;

/** Writes HTML, element by element. All text and all values of attributes are escaped: most come from users. */
public final class Html {
    private final StringBuilder html = new StringBuilder(16_384);
    private final Deque<String> open = new ArrayDeque<>();

    /**
     * Begins an element.
     *
     * @param attributes names and values in turn
     */
    public Html begin(String tag, String... attributes) {
        single(tag, attributes);
        open.push(tag);
        return this;
    }

    /** An element without an end, such as {@code meta}. */
    public Html single(String tag, String... attributes) {
        html.append('<').append(tag);
        for (int i = 0; i + 1 < attributes.length; i += 2) {
            html.append(' ').append(attributes[i]).append("=\"");
            escape(attributes[i + 1]);
            html.append('"');
        }
        html.append('>');
        return this;
    }

    /** Ends the element that was begun last. */
    public Html end() {
        html.append("</").append(open.pop()).append('>');
        return this;
    }

    public Html text(String text) {
        escape(text);
        return this;
    }

    /** A whole element that holds only text. */
    public Html element(String tag, String text, String... attributes) {
        return begin(tag, attributes).text(text).end();
    }

    /**
     * Begins a table that keeps itself fresh, with its head; {@link #endTable} ends it.
     *
     * @param label what it shows
     * @param columns their titles; those of numbers begin with {@code #}
     */
    public Html table(String id, String label, String... columns) {
        // On a narrow screen the table scrolls, also by keys.
        begin("div", "class", "wide", "tabindex", "0", "role", "region", "aria-label", label);
        begin("table", "id", id, "data-live", "").begin("thead").begin("tr");
        for (String column : columns) {
            boolean number = column.startsWith("#");
            element("th", number ? column.substring(1) : column, "scope", "col", "class", number ? "number" : "text");
        }
        return end().end().begin("tbody");
    }

    public Html endTable() {
        return end().end().end();
    }

    /** A figure in a list of class {@code figures}, with its name. */
    public Html figure(String name, String text) {
        return begin("div").element("dt", name).element("dd", text).end();
    }

    /** A text that keeps itself fresh, and may be empty. */
    public Html note(String id, String text) {
        return element("p", text, "id", id, "data-live", "", "class", "empty");
    }

    /** A link, whose address is escaped as an attribute only: its parts must be safe. */
    public Html link(String address, String text) {
        return element("a", text, "href", address);
    }

    /** All that was written; every element must have ended. */
    public String whole() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("Elements without an end: " + open);
        }
        return html.toString();
    }

    private void escape(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> html.append("&amp;");
                case '<' -> html.append("&lt;");
                case '>' -> html.append("&gt;");
                case '"' -> html.append("&quot;");
                case '\'' -> html.append("&#39;");
                default -> html.append(c);
            }
        }
    }
}
