package io.skep.common.config;

import java.util.Locale;

/**
 * The definition of a setting.
 *
 * @param name as in site files; Hive's name where Hive has the setting
 * @param defaultValue the default, as it would be written
 * @param text its purpose, in one line
 */
public record Property<T>(String name, PropertyType<T> type, String defaultValue, String text) {
    public Property {
        boolean badName =
                name.isBlank() || (name.startsWith(KnownSettings.OWN) && !name.equals(name.toLowerCase(Locale.ROOT)));
        if (badName || text.isBlank()) {
            throw new IllegalArgumentException(
                    "setting '" + name + "' needs a name, our own a lower-case one, and a text");
        }
        type.parse(defaultValue);
    }
}
