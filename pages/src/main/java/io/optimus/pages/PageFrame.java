package io.optimus.pages;

/** The document around a page: its head, with style and script, and the line that tells of a lost connection. */
public final class PageFrame {
    /**
     * The content security policy of every page: nothing of another host, and no script or style in the page itself, whatever
     * a name or a reason contains.
     */
    public static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'";

    private PageFrame() {}

    /**
     * Begins a document and its body; {@link #end} ends both. The caller gives the element with the page's content the id
     * {@code content}, which the link for keyboards leads to.
     *
     * @param title the title
     * @param files address of the folder with the files of {@link PageFile}, without a slash at its end
     * @param body attributes of the element {@code body}: names and values in turn
     */
    public static Html begin(String title, String files, String... body) {
        Html html = new Html();
        html.begin("html", "lang", "en").begin("head");
        html.single("meta", "charset", "utf-8");
        html.single("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        html.single("meta", "name", "color-scheme", "content", "light dark");
        html.element("title", title);
        html.single("link", "rel", "icon", "href", "data:,");
        for (String sheet : new String[] {"uPlot.min.css", "page.css"}) {
            html.single("link", "rel", "stylesheet", "href", files + "/" + sheet);
        }
        for (String script : new String[] {"uPlot.iife.min.js", "page.js"}) {
            html.begin("script", "src", files + "/" + script, "defer", "").end();
        }
        html.end().begin("body", body);
        return html.element("a", "Skip to the content", "class", "skip", "href", "#content");
    }

    /**
     * The whole document; all elements of its body have ended.
     *
     * @param server what serves the page: the script says that it does not answer, when it does not
     */
    public static String end(Html html, String server) {
        html.element("p", "", "id", "connection", "role", "status", "class", "connection", "data-server", server);
        return "<!DOCTYPE html>" + html.end().end().whole();
    }
}
