package io.skep.ql.reuse;

import io.skep.ql.reuse.StatementShape.Kind;
import io.skep.ql.reuse.StatementShape.Literal;
import io.skep.ql.reuse.StatementShape.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Extracts the literals from one statement's text. */
final class ShapeScanner {
    private static final int MAX_DIGITS = 18;

    private final String in;
    private final StringBuilder out;
    private final List<Literal> literals = new ArrayList<>();
    private int at;

    ShapeScanner(String in) {
        this.in = in;
        this.out = new StringBuilder(in.length());
    }

    /** A literal, and the offset after it. */
    private record Found(Kind kind, Token token, int end) {}

    Optional<StatementShape> scan() {
        while (at < in.length()) {
            char c = in.charAt(at);
            if (c <= StatementShape.LIST_MARK || isComment(c)) {
                return Optional.empty();
            }
            if (c == '\'' || c == '"' || c == '`') {
                if (!quoted(c)) {
                    return Optional.empty();
                }
            } else if (isWord(c)) {
                word();
            } else {
                out.append(c);
                at++;
            }
        }
        return Optional.of(new StatementShape(out.toString(), literals));
    }

    private boolean isComment(char c) {
        char next = at + 1 < in.length() ? in.charAt(at + 1) : ' ';
        return c == '-' && next == '-' || c == '/' && next == '*';
    }

    /** Extracts a quoted text, or copies a quoted name. Returns false if the closing quote is missing. */
    private boolean quoted(char quote) {
        int end = endOfQuoted(at);
        if (end < 0) {
            return false;
        }
        if (quote == '`') {
            out.append(in, at, end);
        } else {
            add(text(at, end));
        }
        at = end;
        return true;
    }

    /** Returns the offset after the closing quote, or -1. */
    private int endOfQuoted(int start) {
        char quote = in.charAt(start);
        int i = start + 1;
        while (i < in.length() && in.charAt(i) != quote) {
            i += in.charAt(i) == '\\' && quote != '`' ? 2 : 1;
        }
        return i < in.length() ? i + 1 : -1;
    }

    private Found text(int start, int end) {
        Kind kind = in.charAt(start) == '"' ? Kind.DOUBLE_QUOTED : Kind.TEXT;
        return new Found(kind, new Token(start, in.substring(start, end)), end);
    }

    private void add(Found found) {
        literals.add(new Literal(found.kind(), List.of(found.token()), false));
        out.append(found.kind().mark());
    }

    /** Reads a name, keyword or number: all letters, digits and points without a gap. */
    private void word() {
        int start = at;
        Optional<Found> number = number(start);
        if (number.isPresent()) {
            add(number.get());
            at = number.get().end();
            return;
        }
        at = endOfWord(start);
        out.append(in, start, at);
        if (at - start == 2 && in.regionMatches(true, start, "in", 0, 2)) {
            list();
        }
    }

    private int endOfWord(int start) {
        int end = start;
        while (end < in.length() && (isWord(in.charAt(end)) || in.charAt(end) == '.')) {
            end++;
        }
        return end;
    }

    /** Reads a number: digits, optionally with a point between two of them. */
    private Optional<Found> number(int start) {
        int end = endOfWord(start);
        int point = -1;
        for (int i = start; i < end; i++) {
            char c = in.charAt(i);
            boolean inner = c == '.' && point < 0 && i > start && i < end - 1;
            if (inner) {
                point = i;
            } else if (c < '0' || c > '9') {
                return Optional.empty();
            }
        }
        boolean afterPoint = start > 0 && in.charAt(start - 1) == '.';
        if (afterPoint || end == start || end - start > MAX_DIGITS) {
            return Optional.empty();
        }
        String text = in.substring(start, end);
        Kind whole = point < 0 && Long.parseLong(text) > Integer.MAX_VALUE ? Kind.BIGINT : Kind.INT;
        return Optional.of(new Found(point < 0 ? whole : Kind.DECIMAL, new Token(start, text), end));
    }

    /** Extracts the whole list after IN, if it is a list of literals of one kind. */
    private void list() {
        int open = afterSpaces(at);
        if (open >= in.length() || in.charAt(open) != '(') {
            return;
        }
        List<Token> tokens = new ArrayList<>();
        Kind kind = Kind.INT;
        int i = open;
        do {
            Optional<Found> found = literal(afterSpaces(i + 1));
            if (found.isEmpty()
                    || !tokens.isEmpty() && !goTogether(kind, found.get().kind())) {
                return;
            }
            kind = tokens.isEmpty() || kind == Kind.INT ? found.get().kind() : kind;
            tokens.add(found.get().token());
            i = afterSpaces(found.get().end());
        } while (i < in.length() && in.charAt(i) == ',');
        if (i < in.length() && in.charAt(i) == ')') {
            literals.add(new Literal(kind, tokens, true));
            out.append(in, at, open + 1).append(StatementShape.LIST_MARK).append(kind.mark());
            at = i;
        }
    }

    private static boolean goTogether(Kind kind, Kind other) {
        return kind == other || isWhole(kind) && isWhole(other);
    }

    private static boolean isWhole(Kind kind) {
        return kind == Kind.INT || kind == Kind.BIGINT;
    }

    private Optional<Found> literal(int start) {
        if (start >= in.length()) {
            return Optional.empty();
        }
        char c = in.charAt(start);
        if (c != '\'' && c != '"') {
            return number(start);
        }
        int end = endOfQuoted(start);
        return end < 0 ? Optional.empty() : Optional.of(text(start, end));
    }

    private int afterSpaces(int from) {
        int i = from;
        while (i < in.length() && (in.charAt(i) == ' ' || in.charAt(i) == '\n')) {
            i++;
        }
        return i;
    }

    private static boolean isWord(char c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80;
    }
}
