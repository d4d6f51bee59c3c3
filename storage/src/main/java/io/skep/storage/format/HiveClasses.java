package io.skep.storage.format;

import java.util.Optional;

/**
 * The class names by which Hive knows a format.
 *
 * @param serde the format's own SerDe; a format without one is combined with any SerDe of rows
 */
public record HiveClasses(String inputFormat, String outputFormat, Optional<String> serde) {
    public static HiveClasses of(String inputFormat, String outputFormat, String serde) {
        return new HiveClasses(inputFormat, outputFormat, Optional.of(serde));
    }
}
