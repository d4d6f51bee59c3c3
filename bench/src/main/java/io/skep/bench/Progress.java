package io.skep.bench;

import java.io.Console;
import java.io.PrintStream;
import java.util.Optional;

/**
 * Shows a person how far a long run is. On a terminal, one line at the bottom changes; elsewhere, a step writes a line
 * at its end and at most every ten seconds.
 */
final class Progress {
    private static final int WIDTH = 30;
    private static final long PLAIN_MILLIS = 10_000;
    /** To the first column, and everything behind it deleted. */
    private static final String CLEAR = "\r\u001B[K";

    private final PrintStream out;
    private final boolean terminal;
    private long lastMillis;
    private boolean shown;

    Progress(PrintStream out) {
        this(out, Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false));
    }

    Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void step(String what, int done, int of) {
        int filled = of == 0 ? WIDTH : Math.min(WIDTH, WIDTH * done / of);
        String bar = "#".repeat(filled) + ".".repeat(WIDTH - filled);
        String text = String.format("%-14s [%s] %d of %d", what, bar, done, of);
        if (terminal) {
            show(text);
            return;
        }
        long now = System.currentTimeMillis();
        if (done >= of || now - lastMillis >= PLAIN_MILLIS) {
            lastMillis = now;
            out.println(text);
        }
    }

    /** What runs now, for a step whose end its result shows; only a terminal gets it. */
    void running(String what) {
        if (terminal) {
            show(what + " ...");
        }
    }

    /** A result, which stays. */
    void line(String text) {
        clear();
        out.println(text);
    }

    private void show(String text) {
        out.print(CLEAR + text);
        out.flush();
        shown = true;
    }

    private void clear() {
        if (shown) {
            out.print(CLEAR);
            shown = false;
        }
    }
}
