package io.skep.engine.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a command line as Hive does for scripts, without a shell: at spaces, and at each quote. Within quotes of one
 * kind, spaces and quotes of the other kind count as text. There are no escapes, and empty words are dropped.
 */
public final class CommandWords {
    private CommandWords() {}

    public static List<String> of(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean opens = quote == 0 && (c == '\'' || c == '"');
            boolean closes = quote != 0 && c == quote;
            if (opens || closes || quote == 0 && c == ' ') {
                quote = opens ? c : 0;
                end(word, words);
            } else {
                word.append(c);
            }
        }
        end(word, words);
        return words;
    }

    private static void end(StringBuilder word, List<String> words) {
        if (!word.isEmpty()) {
            words.add(word.toString());
            word.setLength(0);
        }
    }
}
