package io.skep.service.cli;

import java.io.Console;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;

/** Passwords from a terminal, which does not show them, or from standard input. */
final class PasswordInput {
    private PasswordInput() {}

    @SuppressWarnings("SystemConsoleNull") // since JDK 25 it is null again without a terminal
    static boolean isTerminal() {
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    /** Asks for a password on a terminal, or reads a line of standard input. */
    @SuppressWarnings("SystemConsoleNull") // see above
    static String read(String prompt) {
        Console console = System.console();
        if (console != null && console.isTerminal()) {
            return new String(console.readPassword(prompt));
        }
        Scanner input = new Scanner(System.in, StandardCharsets.UTF_8);
        return input.hasNextLine() ? input.nextLine() : "";
    }
}
