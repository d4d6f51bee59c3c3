package io.skep.metastore;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The name of a partition, which is also its default folder below the table's folder: {@code key=value/key=value}.
 * Characters are escaped as in Hive, as {@code %XX}.
 */
public final class PartitionName {
    /** Represents null and the empty text. */
    public static final String DEFAULT_PARTITION = "__HIVE_DEFAULT_PARTITION__";

    private static final String ESCAPED = "\"#%'*/:=?\\\u007f{[]^";
    private static final String HEX = "0123456789ABCDEF";

    private PartitionName() {}

    public static String of(Table table, List<String> values) {
        List<String> keys = new ArrayList<>(values.size());
        for (FieldSchema key : table.partitionKeys()) {
            keys.add(key.name());
        }
        return of(keys, values);
    }

    public static String of(List<String> keys, List<String> values) {
        if (keys.size() != values.size()) {
            throw new IllegalArgumentException("partition values " + values + " for keys " + keys);
        }
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < keys.size(); i++) {
            if (i > 0) {
                name.append('/');
            }
            name.append(escape(keys.get(i).toLowerCase(Locale.ROOT)))
                    .append('=')
                    .append(escape(values.get(i)));
        }
        return name.toString();
    }

    /** Returns the values in a name, in its order. */
    public static List<String> values(String name) {
        List<String> values = new ArrayList<>();
        int start = 0;
        while (start <= name.length()) {
            int slash = name.indexOf('/', start);
            int end = slash < 0 ? name.length() : slash;
            values.add(unescape(name.substring(name.indexOf('=', start) + 1, end)));
            start = end + 1;
        }
        return values;
    }

    public static String escape(String text) {
        if (text.isEmpty()) {
            return DEFAULT_PARTITION;
        }
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || ESCAPED.indexOf(c) >= 0) {
                escaped.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }

    public static String unescape(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int code = c == '%' && i + 2 < text.length() ? code(text.charAt(i + 1), text.charAt(i + 2)) : -1;
            if (code >= 0) {
                plain.append((char) code);
                i += 2;
            } else {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    private static int code(char high, char low) {
        int h = Character.digit(high, 16);
        int l = Character.digit(low, 16);
        return h < 0 || l < 0 ? -1 : h << 4 | l;
    }
}
