package io.skep.metastore.system;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Makes columns of system tables. */
final class SystemValues {
    private static final Set<String> TRUE = Set.of("y", "t", "true", "1");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    private static final String UNKNOWN = "UNKNOWN";

    private SystemValues() {}

    /** A column with a field's value, which the database compares. */
    static SystemColumn plain(String name, SqlType type, String field) {
        return new SystemColumn(
                name, type, List.of(field), (fields, context) -> typed(type, fields.getFirst()), isComparable(type));
    }

    /** Fields of truth have other types in other databases. */
    private static boolean isComparable(SqlType type) {
        return type == PrimitiveType.STRING || type == PrimitiveType.INT || type == PrimitiveType.BIGINT;
    }

    static SystemColumn text(String name, String field) {
        return plain(name, PrimitiveType.STRING, field);
    }

    /** A text whose field may be too long for comparisons. */
    static SystemColumn longText(String name, String field) {
        return new SystemColumn(
                name, PrimitiveType.STRING, List.of(field), (fields, context) -> fields.getFirst(), false);
    }

    /** The value of a property, which is hidden if the property's name is that of a secret. */
    static SystemColumn property(String name, String key, String value) {
        return new SystemColumn(
                name,
                PrimitiveType.STRING,
                List.of(key, value),
                (fields, context) -> {
                    String named = fields.getFirst();
                    String found = fields.getLast();
                    return named == null || found == null
                            ? found
                            : context.secrets().redact(named, found);
                },
                false);
    }

    static SystemColumn constant(String name, String value) {
        return new SystemColumn(name, PrimitiveType.STRING, List.of(), (fields, context) -> value, false);
    }

    static SystemColumn never(String name) {
        return new SystemColumn(name, PrimitiveType.BOOLEAN, List.of(), (fields, context) -> false, false);
    }

    static SystemColumn none(String name) {
        return new SystemColumn(name, PrimitiveType.STRING, List.of(), (fields, context) -> null, false);
    }

    /** A column whose value is computed from a field that is not null, or is null. */
    static SystemColumn computed(String name, SqlType type, String field, UnaryOperator<@Nullable String> computation) {
        return new SystemColumn(
                name,
                type,
                List.of(field),
                (fields, context) -> {
                    String found = fields.getFirst();
                    return found == null ? null : typed(type, computation.apply(found));
                },
                false);
    }

    /** A word for each code. Codes that are not known have the word UNKNOWN. */
    static SystemColumn word(String name, String field, Map<String, String> words) {
        return computed(
                name, PrimitiveType.STRING, field, code -> code == null ? null : words.getOrDefault(code, UNKNOWN));
    }

    /** A word for each code. Codes that are not known have none. */
    static SystemColumn knownWord(String name, String field, Map<String, String> words) {
        return computed(name, PrimitiveType.STRING, field, words::get);
    }

    /** A time as a text, as {@code from_unixtime} gives it. */
    static SystemColumn time(String name, String field, long unitsInSecond) {
        return new SystemColumn(
                name,
                PrimitiveType.STRING,
                List.of(field),
                (fields, context) -> {
                    String found = fields.getFirst();
                    return found == null
                            ? null
                            : TIME.format(
                                    Instant.ofEpochSecond(Math.floorDiv(Long.parseLong(found.strip()), unitsInSecond))
                                            .atZone(context.zone()));
                },
                false);
    }

    static @Nullable Object typed(SqlType type, @Nullable String text) {
        if (text == null || type == PrimitiveType.STRING) {
            return text;
        }
        if (type == PrimitiveType.BOOLEAN) {
            return TRUE.contains(text.strip().toLowerCase(Locale.ROOT));
        }
        return type == PrimitiveType.DOUBLE ? (Object) Double.valueOf(text) : (Object) Long.valueOf(text.strip());
    }
}
