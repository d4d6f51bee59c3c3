package io.skep.bench;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Translates a query of Presto's dialect into HiveQL, token by token. */
final class HiveQl {
    /** A string literal, a name in quotes, a word or number, white space, or any other character. */
    private static final Pattern TOKEN = Pattern.compile("'[^']*'|\"[^\"]*\"|[\\w.]+|\\s+|.");

    private static final Set<String> CLAUSES =
            Set.of("SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "UNION", "INTERSECT", "EXCEPT");

    private final List<String> tokens = new ArrayList<>();

    private HiveQl(String presto) {
        Matcher matcher = TOKEN.matcher(presto);
        while (matcher.find()) {
            tokens.add(matcher.group());
        }
    }

    static String of(String presto) {
        HiveQl query = new HiveQl(presto);
        query.openPartitions();
        query.nameSubqueries();
        query.translateDecimals();
        query.translateNames();
        return String.join("", query.tokens);
    }

    /** Hive takes a parenthesis after PARTITION BY for one around all keys. So that of a first key is left out. */
    private void openPartitions() {
        for (int i = 0; i < tokens.size(); i++) {
            if (is(i, "PARTITION") && is(after(i), "BY")) {
                int first = after(after(i));
                if (is(first, "(")) {
                    tokens.set(closing(first), "");
                    tokens.set(first, "");
                }
            }
        }
    }

    /** Hive wants a name for each subquery in a FROM clause. */
    private void nameSubqueries() {
        Deque<String> clauses = new ArrayDeque<>(List.of(""));
        int names = 0;
        for (int i = 0; i < tokens.size(); i++) {
            String word = tokens.get(i).toUpperCase(Locale.ROOT);
            if (CLAUSES.contains(word)) {
                clauses.pop();
                clauses.push(word);
            } else if (word.equals(")")) {
                clauses.pop();
            } else if (word.equals("(")) {
                if (clauses.getFirst().equals("FROM") && is(after(i), "SELECT")) {
                    int end = closing(i);
                    if (!isName(after(end))) {
                        names++;
                        tokens.add(end + 1, " unnamed" + names);
                    }
                }
                clauses.push("");
            }
        }
    }

    private void translateDecimals() {
        for (int i = 0; i < tokens.size(); i++) {
            int value = after(i);
            if (is(i, "DECIMAL") && value < tokens.size() && tokens.get(value).startsWith("'")) {
                tokens.set(value, tokens.get(value).replace("'", "") + "BD");
                tokens.set(i, "");
            }
        }
    }

    /** Functions lose their quotes, other names get those of Hive. */
    private void translateNames() {
        for (int i = 0; i < tokens.size(); i++) {
            String token = tokens.get(i);
            if (token.startsWith("\"")) {
                tokens.set(i, token.replace("\"", is(after(i), "(") ? "" : "`"));
            }
        }
    }

    private boolean is(int token, String word) {
        return token < tokens.size() && tokens.get(token).equalsIgnoreCase(word);
    }

    /** After a subquery, a name is in lower case or in quotes, and a keyword in upper case. */
    private boolean isName(int token) {
        return token < tokens.size() && tokens.get(token).matches("AS|\".*|[a-z]\\w*");
    }

    /** Returns the next token that is no white space. */
    private int after(int token) {
        int next = token + 1;
        while (next < tokens.size() && tokens.get(next).isBlank()) {
            next++;
        }
        return next;
    }

    private int closing(int opening) {
        int depth = 1;
        int token = opening;
        while (depth > 0) {
            token++;
            depth += is(token, "(") ? 1 : is(token, ")") ? -1 : 0;
        }
        return token;
    }
}
