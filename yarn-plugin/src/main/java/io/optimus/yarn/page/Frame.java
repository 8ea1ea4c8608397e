package io.optimus.yarn.page;

import io.optimus.pages.Html;
import io.optimus.pages.PageFrame;
import io.optimus.yarn.configuration.PageLinks;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/** YARN's frame around a page: the header, the links of YARN's own navigation on the left, the content beside it. */
final class Frame {
    static final String ROOT = PageLinks.ROOT;
    /** What links to it are called. */
    static final String NAME = "Training (Optimus)";

    private Frame() {}

    /**
     * Begins a page; {@link #end} ends it.
     *
     * @param title title and heading
     * @param user who looks at it; empty if nobody in particular
     */
    static Html begin(String title, Optional<String> user) {
        Html html = PageFrame.begin(title, ROOT + "/static");
        html.begin("header");
        html.single("img", "src", "/static/hadoop-st.png", "alt", "Apache Hadoop", "width", "157", "height", "40");
        html.element("h1", title);
        html.element("p", user.map(name -> "Logged in as: " + name).orElse(""), "class", "user");
        html.end();
        navigation(html);
        return html.begin("main", "id", "content", "tabindex", "-1");
    }

    static String end(Html html) {
        return PageFrame.end(html.end(), "ResourceManager");
    }

    private static void navigation(Html html) {
        html.begin("nav", "aria-label", "ResourceManager");
        html.element("h2", "Cluster").begin("ul");
        item(html, "/cluster/cluster", "About");
        item(html, "/cluster/nodes", "Nodes");
        item(html, "/cluster/nodelabels", "Node Labels");
        html.begin("li").link("/cluster/apps", "Applications").begin("ul");
        for (YarnApplicationState state : YarnApplicationState.values()) {
            item(html, "/cluster/apps/" + state, state.toString());
        }
        html.end().end();
        html.begin("li").link("/cluster/scheduler", "Scheduler").begin("ul");
        item(html, ROOT, NAME);
        html.end().end().end();
        html.element("h2", "Tools").begin("ul");
        item(html, "/conf", "Configuration");
        item(html, "/logs/", "Local logs");
        item(html, "/stacks", "Server stacks");
        item(html, "/jmx?qry=Hadoop:*", "Server metrics");
        html.end().end();
    }

    private static void item(Html html, String address, String text) {
        html.begin("li").link(address, text).end();
    }
}
