package io.optimus.am.client.top;

import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.command.ClusterCommand;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jline.keymap.BindingReader;
import org.jline.keymap.KeyMap;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;
import org.jspecify.annotations.Nullable;

/** Draws the jobs on a terminal until a key ends it. What was on the terminal before is there again afterwards. */
final class LiveView {
    private static final String KEYS = "q quit   o order   up, down, page up, page down scroll";
    /** Lines that are no jobs: two of the head, two of the state, and the titles. */
    private static final int OTHER_LINES = 5;

    private static final int ESCAPE_MILLIS = 100;

    private enum Key {
        /** Any other. */
        NONE,
        QUIT,
        ORDER,
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN
    }

    private final Terminal terminal;
    private final SchedulerClient scheduler;
    private final Duration interval;
    private JobOrder order;
    private int first;
    private String remark = "";

    LiveView(Terminal terminal, SchedulerClient scheduler, Duration interval, JobOrder order) {
        this.terminal = terminal;
        this.scheduler = scheduler;
        this.interval = interval;
        this.order = order;
    }

    /** Shows {@code state}, and from then on what the scheduler answers. Returns when the user ends it. */
    void run(ClusterState state) throws IOException {
        Attributes before = terminal.enterRawMode();
        Attributes raw = terminal.getAttributes();
        // Ctrl-C is a key like others: the terminal has to be put in order before the process ends.
        raw.setLocalFlag(LocalFlag.ISIG, false);
        terminal.setAttributes(raw);
        Display display = new Display(terminal, true);
        terminal.puts(Capability.enter_ca_mode);
        terminal.puts(Capability.keypad_xmit);
        terminal.puts(Capability.cursor_invisible);
        try {
            follow(state, display);
        } finally {
            terminal.puts(Capability.cursor_visible);
            terminal.puts(Capability.keypad_local);
            terminal.puts(Capability.exit_ca_mode);
            terminal.setAttributes(before);
            terminal.flush();
        }
    }

    private void follow(ClusterState first, Display display) throws IOException {
        BindingReader keys = new BindingReader(terminal.reader());
        KeyMap<Key> bindings = bindings();
        ClusterState state = first;
        long next = System.nanoTime() + interval.toNanos();
        while (true) {
            draw(state, display);
            long left = Math.max(1, (next - System.nanoTime()) / 1_000_000);
            int character = keys.peekCharacter(left);
            if (character == NonBlockingReader.READ_EXPIRED) {
                state = answer(state);
                next = System.nanoTime() + interval.toNanos();
            } else if (character == NonBlockingReader.EOF || isLast(keys.readBinding(bindings))) {
                return;
            }
        }
    }

    /** The next answer; {@code last} with a remark if there is none. */
    private ClusterState answer(ClusterState last) {
        try {
            ClusterState state = ClusterState.read(scheduler);
            remark = "";
            return state;
        } catch (IOException failed) {
            if (remark.isEmpty()) {
                remark = "No answer since "
                        + LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS) + ": "
                        + ClusterCommand.sentence(failed);
            }
            return last;
        }
    }

    /** Whether {@code key} ends the view; null at the end of the input. */
    private boolean isLast(@Nullable Key key) {
        if (key == null) {
            return true;
        }
        int page = Math.max(1, terminal.getHeight() - OTHER_LINES);
        switch (key) {
            case ORDER -> order = order.next();
            case UP -> first--;
            case DOWN -> first++;
            case PAGE_UP -> first -= page;
            case PAGE_DOWN -> first += page;
            case NONE -> {}
            case QUIT -> {
                return true;
            }
        }
        return false;
    }

    private KeyMap<Key> bindings() {
        KeyMap<Key> bindings = new KeyMap<>();
        bindings.setAmbiguousTimeout(ESCAPE_MILLIS);
        // Otherwise the reader blocks until a key comes that it knows, and nothing is drawn until then.
        bindings.setNomatch(Key.NONE);
        bindings.setUnicode(Key.NONE);
        bindings.bind(Key.QUIT, "q", "Q", KeyMap.ctrl('C'), KeyMap.ctrl('D'), KeyMap.esc());
        bindings.bind(Key.ORDER, "o");
        bindings.bind(Key.UP, KeyMap.key(terminal, Capability.key_up), "k");
        bindings.bind(Key.DOWN, KeyMap.key(terminal, Capability.key_down), "j");
        bindings.bind(Key.PAGE_UP, KeyMap.key(terminal, Capability.key_ppage));
        bindings.bind(Key.PAGE_DOWN, KeyMap.key(terminal, Capability.key_npage), " ");
        return bindings;
    }

    private void draw(ClusterState state, Display display) {
        Size size = terminal.getSize();
        int rows = Math.max(OTHER_LINES + 1, size.getRows());
        int columns = Math.max(1, size.getColumns());
        JobScreen screen = new JobScreen(state, order);
        List<String> jobs = screen.rows(columns);
        int room = rows - OTHER_LINES;
        first = Math.max(0, Math.min(first, jobs.size() - room));
        List<String> shown = jobs.subList(first, Math.min(jobs.size(), first + room));

        List<AttributedString> lines = new ArrayList<>();
        screen.head().forEach(line -> lines.add(plain(line, columns)));
        lines.add(plain(
                "Order: " + order + "; jobs " + (jobs.isEmpty() ? 0 : first + 1) + " to " + (first + shown.size())
                        + " of " + jobs.size() + "   " + KEYS,
                columns));
        lines.add(plain(remark, columns));
        lines.add(new AttributedString(
                JobScreen.cut(screen.titles(columns) + " ".repeat(columns), columns), AttributedStyle.INVERSE));
        shown.forEach(line -> lines.add(plain(line, columns)));
        display.resize(rows, columns);
        display.update(lines, 0);
        terminal.flush();
    }

    private static AttributedString plain(String line, int columns) {
        return new AttributedString(JobScreen.cut(line, columns));
    }
}
