package io.skep.engine.aggregate;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The pattern of matchpath: a sequence of symbols, each for one row or for many. A plan has it as a text, such as
 * {@code 0.2*}, in which symbols are numbers.
 */
public record MatchPattern(List<Part> parts) {
    /** How many rows in a row a symbol stands for. */
    public enum Repeat {
        ONE(""),
        ANY_NUMBER("*"),
        ONE_OR_MORE("+");

        private final String sign;

        Repeat(String sign) {
            this.sign = sign;
        }

        /** Returns the repeat that the last character of a symbol in a pattern asks for. */
        public static Repeat of(String symbol) {
            if (symbol.endsWith(ANY_NUMBER.sign)) {
                return ANY_NUMBER;
            }
            return symbol.endsWith(ONE_OR_MORE.sign) ? ONE_OR_MORE : ONE;
        }

        /** Returns the symbol without the character that asks for the repeat. */
        public String without(String symbol) {
            return symbol.substring(0, symbol.length() - sign.length());
        }
    }

    /** @param symbol its number */
    public record Part(int symbol, Repeat repeat) {}

    public MatchPattern {
        parts = List.copyOf(parts);
    }

    static MatchPattern parse(String text) {
        List<Part> parts = new ArrayList<>();
        for (String symbol : text.split("\\.")) {
            Repeat repeat = Repeat.of(symbol);
            parts.add(new Part(Integer.parseInt(repeat.without(symbol)), repeat));
        }
        return new MatchPattern(parts);
    }

    /** Returns the form that a plan has. */
    public String text() {
        return parts.stream().map(part -> part.symbol() + part.repeat().sign).collect(Collectors.joining("."));
    }
}
