package io.skep.common.type;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Parses Hive's type text, as the metastore stores it: {@code map<string,array<decimal(10,2)>>}. */
public final class TypeParser {
    private static final Map<String, SqlType> SIMPLE = Map.ofEntries(
            Map.entry("void", PrimitiveType.VOID),
            Map.entry("boolean", PrimitiveType.BOOLEAN),
            Map.entry("tinyint", PrimitiveType.TINYINT),
            Map.entry("smallint", PrimitiveType.SMALLINT),
            Map.entry("int", PrimitiveType.INT),
            Map.entry("integer", PrimitiveType.INT),
            Map.entry("bigint", PrimitiveType.BIGINT),
            Map.entry("float", PrimitiveType.FLOAT),
            Map.entry("real", PrimitiveType.FLOAT),
            Map.entry("double", PrimitiveType.DOUBLE),
            Map.entry("double precision", PrimitiveType.DOUBLE),
            Map.entry("string", PrimitiveType.STRING),
            Map.entry("binary", PrimitiveType.BINARY),
            Map.entry("date", PrimitiveType.DATE),
            Map.entry("timestamp", PrimitiveType.TIMESTAMP),
            Map.entry("timestamp with local time zone", PrimitiveType.TIMESTAMP_LOCAL_TZ),
            Map.entry("timestamptz", PrimitiveType.TIMESTAMP_LOCAL_TZ),
            Map.entry("interval_year_month", PrimitiveType.INTERVAL_YEAR_MONTH),
            Map.entry("interval_day_time", PrimitiveType.INTERVAL_DAY_TIME));

    private final String text;
    private int position;

    private TypeParser(String text) {
        this.text = text;
    }

    /** @throws SkepException (TYPE_MISMATCH) when the text is not a type */
    public static SqlType parse(String text) {
        TypeParser parser = new TypeParser(text.toLowerCase(Locale.ROOT));
        try {
            SqlType type = parser.type();
            if (parser.position != parser.text.length()) {
                throw parser.error("unexpected text behind the type");
            }
            return type;
        } catch (IllegalArgumentException e) {
            throw new SkepException(StandardErrorCode.TYPE_MISMATCH, String.valueOf(e.getMessage()), e);
        }
    }

    private SqlType type() {
        String name = name();
        return switch (name) {
            case "decimal", "numeric", "dec" -> decimal();
            case "char" -> new CharType(length());
            case "varchar" -> new VarcharType(length());
            case "array" -> array();
            case "map" -> map();
            case "struct" -> new StructType(fields());
            case "uniontype" -> new UnionType(types());
            default -> simple(name);
        };
    }

    private SqlType simple(String name) {
        SqlType type = SIMPLE.get(name);
        if (type == null) {
            throw error("'" + name + "' is not a type");
        }
        return type;
    }

    private SqlType decimal() {
        if (!accept('(')) {
            return new DecimalType(10, 0);
        }
        int precision = number();
        int scale = accept(',') ? number() : 0;
        expect(')');
        return new DecimalType(precision, scale);
    }

    private int length() {
        expect('(');
        int length = number();
        expect(')');
        return length;
    }

    private SqlType array() {
        expect('<');
        SqlType element = type();
        expect('>');
        return new ArrayType(element);
    }

    private SqlType map() {
        expect('<');
        SqlType key = type();
        expect(',');
        SqlType value = type();
        expect('>');
        return new MapType(key, value);
    }

    private List<SqlType> types() {
        expect('<');
        List<SqlType> types = new ArrayList<>();
        do {
            types.add(type());
        } while (accept(','));
        expect('>');
        return types;
    }

    private List<StructType.Field> fields() {
        expect('<');
        List<StructType.Field> fields = new ArrayList<>();
        if (accept('>')) {
            return fields;
        }
        do {
            int colon = text.indexOf(':', position);
            if (colon < 0) {
                throw error("a struct field is name:type");
            }
            String name = text.substring(position, colon).strip();
            position = colon + 1;
            fields.add(new StructType.Field(name, type()));
        } while (accept(','));
        expect('>');
        return fields;
    }

    private String name() {
        int start = position;
        while (position < text.length() && "(<,>)".indexOf(text.charAt(position)) < 0) {
            position++;
        }
        return text.substring(start, position).strip();
    }

    private int number() {
        int start = position;
        while (position < text.length() && "(<,>)".indexOf(text.charAt(position)) < 0) {
            position++;
        }
        try {
            return Integer.parseInt(text.substring(start, position).strip());
        } catch (NumberFormatException e) {
            throw new SkepException(StandardErrorCode.TYPE_MISMATCH, "not a number in type '" + text + "'", e);
        }
    }

    private boolean accept(char c) {
        while (position < text.length() && text.charAt(position) == ' ') {
            position++;
        }
        if (position < text.length() && text.charAt(position) == c) {
            position++;
            return true;
        }
        return false;
    }

    private void expect(char c) {
        if (!accept(c)) {
            throw error("'" + c + "' expected at offset " + position);
        }
    }

    private SkepException error(String what) {
        return new SkepException(StandardErrorCode.TYPE_MISMATCH, "cannot read type '" + text + "': " + what);
    }
}
