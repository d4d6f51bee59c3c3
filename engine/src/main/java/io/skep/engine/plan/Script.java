package io.skep.engine.plan;

import io.skep.storage.table.TableLayout;
import java.util.List;

/**
 * A program that makes rows of rows (SELECT TRANSFORM). It runs once for each task with rows, gets a line of text for
 * each of them, and prints lines.
 *
 * @param command the program and its arguments
 * @param wrapper a command that starts the program, which is then its argument; may be empty
 * @param input the columns that it gets, and the format of their lines
 * @param output the columns that it prints, and the format of their lines
 * @param escaped whether lines have line breaks, tabs and backslashes of values as {@code \n}, {@code \t}, {@code \\}
 * @param files what is in the program's working folder
 */
public record Script(
        List<String> command,
        List<String> wrapper,
        TableLayout input,
        TableLayout output,
        boolean escaped,
        List<ScriptFile> files) {
    public Script {
        command = List.copyOf(command);
        wrapper = List.copyOf(wrapper);
        files = List.copyOf(files);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("a script has a program");
        }
    }

    /** Returns the command as a text, for messages. */
    public String text() {
        return String.join(" ", command);
    }
}
