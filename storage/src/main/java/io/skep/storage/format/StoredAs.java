package io.skep.storage.format;

import java.util.List;
import java.util.Optional;

/**
 * How STORED AS names a format, and what the metastore then stores.
 *
 * @param name in lower case
 * @param aliases other names, in lower case
 * @param serdeSetting the session setting that may replace the SerDe
 */
public record StoredAs(String name, List<String> aliases, HiveClasses classes, Optional<String> serdeSetting) {
    public StoredAs {
        aliases = List.copyOf(aliases);
    }

    public StoredAs(String name, List<String> aliases, HiveClasses classes) {
        this(name, aliases, classes, Optional.empty());
    }
}
