package io.skep.bench;

import java.io.Console;
import java.io.PrintStream;
import java.util.Optional;

/** Shows the progress of a long step: one line that changes on a terminal, or a few lines elsewhere. */
final class Progress {
    private final PrintStream out;
    private final boolean terminal;
    private long lastMillis;

    Progress(PrintStream out) {
        this.out = out;
        this.terminal =
                Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }

    void step(String what, int done, int of) {
        long now = System.currentTimeMillis();
        boolean last = done >= of;
        if (!terminal && !last && now - lastMillis < 10_000) {
            return;
        }
        lastMillis = now;
        int width = 30;
        int filled = of == 0 ? width : Math.min(width, width * done / of);
        String bar = "#".repeat(filled) + ".".repeat(width - filled);
        out.print((terminal ? "\r" : "") + String.format("%-14s [%s] %d of %d", what, bar, done, of));
        out.print(terminal && !last ? "" : System.lineSeparator());
        out.flush();
    }

    void line(String text) {
        out.println(text);
    }
}
