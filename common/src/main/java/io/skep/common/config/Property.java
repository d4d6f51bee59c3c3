package io.skep.common.config;

import java.util.Locale;

/**
 * A setting.
 *
 * @param name as in site files; Hive's name where Hive has the setting
 * @param initial in force when nothing is set, as it would be written
 * @param text what it is for, in one line
 */
public record Property<T>(String name, PropertyType<T> type, String initial, String text) {
    public Property {
        if (!name.equals(name.toLowerCase(Locale.ROOT)) || text.isBlank()) {
            throw new IllegalArgumentException("setting '" + name + "' needs a lower-case name and a text");
        }
        type.parse(initial);
    }
}
