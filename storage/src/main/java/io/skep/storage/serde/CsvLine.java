package io.skep.storage.serde;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Divides a line of CSV into values, by the rules of Hive 4.0.1's OpenCSVSerde. A quote in the middle of a value stays
 * in it, the escape character stands before quotes and itself, and spaces before a quote are dropped. Where a quote is
 * not closed at the end of the line, its value is left out. Owned by one thread.
 */
final class CsvLine {
    private final char separator;
    private final char quote;
    private final char escape;
    private final List<String> values = new ArrayList<>();
    private final StringBuilder value = new StringBuilder();
    private boolean inQuotes;
    private boolean inField;

    CsvLine(char separator, char quote, char escape) {
        this.separator = separator;
        this.quote = quote;
        this.escape = escape;
    }

    /** Returns the values of a text until the next call. A text of several lines has those of its first record. */
    List<String> values(String text) {
        values.clear();
        value.setLength(0);
        inQuotes = false;
        inField = false;
        Iterator<String> lines = text.lines().iterator();
        while (lines.hasNext()) {
            divide(lines.next());
            if (!inQuotes) {
                values.add(value.toString());
                break;
            }
            value.append('\n');
        }
        return values;
    }

    private void divide(String line) {
        int i = 0;
        while (i < line.length()) {
            char c = line.charAt(i);
            if (c == escape) {
                i += isEscaped(line, i + 1) ? kept(line, i + 1) : 0;
            } else if (c == quote) {
                i += quoted(line, i);
            } else if (c == separator && !inQuotes) {
                values.add(value.toString());
                value.setLength(0);
                inField = false;
            } else {
                value.append(c);
                inField = true;
            }
            i++;
        }
    }

    private int kept(String line, int i) {
        value.append(line.charAt(i));
        return 1;
    }

    private boolean isEscaped(String line, int i) {
        return isInside(line, i) && (line.charAt(i) == quote || line.charAt(i) == escape);
    }

    private boolean isInside(String line, int i) {
        return (inQuotes || inField) && i < line.length();
    }

    /** Takes a quote, and the second one of a pair. Returns the number of characters beside the first. */
    private int quoted(String line, int i) {
        int more = 0;
        if (isInside(line, i + 1) && line.charAt(i + 1) == quote) {
            more = kept(line, i + 1);
        } else {
            // As in Hive, a quote among the first three characters of a line is never a part of the value.
            boolean isMiddle = i > 2
                    && line.charAt(i - 1) != separator
                    && i + 1 < line.length()
                    && line.charAt(i + 1) != separator;
            if (isMiddle && !value.isEmpty() && value.chars().allMatch(Character::isWhitespace)) {
                value.setLength(0);
            } else if (isMiddle) {
                value.append(quote);
            }
            inQuotes = !inQuotes;
        }
        inField = !inField;
        return more;
    }
}
