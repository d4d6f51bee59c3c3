package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.session.SessionSettings;
import io.skep.storage.format.HiveClasses;
import io.skep.storage.format.StoredAs;
import io.skep.storage.registry.FileFormats;
import io.skep.storage.table.TableFormat;
import io.skep.storage.text.TextFileFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Maps STORED AS and ROW FORMAT to Hive's classes, by the names that the metastore stores. */
public final class Formats {
    private Formats() {}

    /** @throws SkepException SEMANTIC_ERROR for a name that is not a format */
    public static HiveClasses named(String name) {
        return storedAs(name).classes();
    }

    /** As above, with the SerDe that the session's settings define for the format, if they may. */
    public static HiveClasses named(String name, SessionSettings settings) {
        StoredAs stored = storedAs(name);
        HiveClasses classes = stored.classes();
        return stored.serdeSetting()
                .map(setting -> new HiveClasses(
                        classes.inputFormat(),
                        classes.outputFormat(),
                        settings.get(setting).or(classes::serde)))
                .orElse(classes);
    }

    private static StoredAs storedAs(String name) {
        return FileFormats.named(name.toLowerCase(Locale.ROOT))
                .orElseThrow(() -> new SkepException(
                                StandardErrorCode.SEMANTIC_ERROR,
                                "Unrecognized file format in STORED AS clause: '" + name + "'")
                        .withHint("formats are " + String.join(", ", FileFormats.names())));
    }

    static TableFormat format(HiveClasses classes, Optional<String> serde, Map<String, String> properties) {
        String name = serde.or(classes::serde).orElse(TextFileFormat.LAZY_SIMPLE_SERDE);
        return new TableFormat(classes.inputFormat(), classes.outputFormat(), name, properties);
    }
}
