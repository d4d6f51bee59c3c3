package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.metastore.StorageDescriptor;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.session.SessionSettings;
import io.skep.storage.format.HiveClasses;
import io.skep.storage.format.StoredAs;
import io.skep.storage.registry.FileFormats;
import io.skep.storage.registry.FormatProperties;
import io.skep.storage.serde.FormatClasses;
import io.skep.storage.serde.SerdeColumns;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import io.skep.storage.text.TextFileFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.ErrorMsg;

/** Maps STORED AS and ROW FORMAT to Hive's classes, by the names that the metastore stores. */
public final class Formats {
    private static final String MISSING = "the class has to be on the class path of servers and daemons";

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

    /**
     * Refuses classes that cannot be loaded or are something else. Files of such a table could not be read.
     *
     * @throws SkepException SEMANTIC_ERROR in Hive's words
     */
    public static void checkFiles(HiveClasses classes, TextPosition where) {
        for (String name : List.of(classes.inputFormat(), classes.outputFormat())) {
            if (!FormatClasses.exists(name)) {
                throw refused(where, ErrorMsg.GENERIC_ERROR, "Cannot find class '" + name + "'");
            }
        }
        if (!FormatClasses.isInputFormat(classes.inputFormat())) {
            throw refused(where, ErrorMsg.INVALID_INPUT_FORMAT_TYPE, ErrorMsg.INVALID_INPUT_FORMAT_TYPE.getMsg());
        }
        if (!FormatClasses.isOutputFormat(classes.outputFormat())) {
            throw refused(where, ErrorMsg.INVALID_OUTPUT_FORMAT_TYPE, ErrorMsg.INVALID_OUTPUT_FORMAT_TYPE.getMsg());
        }
    }

    private static SkepException refused(TextPosition where, ErrorMsg error, String words) {
        return CompileErrors.plain(where, StandardErrorCode.SEMANTIC_ERROR, error, words)
                .withHint(MISSING);
    }

    /** Like {@link #checkFiles}, for a SerDe. */
    public static void checkSerde(String serde, TextPosition where) {
        if (!FormatClasses.isSerde(serde)) {
            throw CompileErrors.task(
                            where,
                            StandardErrorCode.SEMANTIC_ERROR,
                            ErrorMsg.GENERIC_ERROR,
                            "Cannot validate serde: " + serde)
                    .withHint(MISSING);
        }
    }

    /**
     * Refuses columns that the SerDe cannot hold, and properties that it cannot use.
     *
     * @throws SkepException SEMANTIC_ERROR with the SerDe's words
     */
    public static void checkColumns(
            StorageDescriptor storage, Map<String, String> tableProperties, TextPosition where) {
        TableFormat format =
                FormatProperties.reading(storage.format(), tableProperties, FormatProperties.Precedence.TABLE);
        List<Column> columns = storage.columns().stream()
                .map(column -> new Column(column.name(), column.type()))
                .toList();
        SerdeColumns.refusal(format, columns).ifPresent(words -> {
            throw CompileErrors.task(where, StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.GENERIC_ERROR, words);
        });
    }

    public static TableFormat format(HiveClasses classes, Optional<String> serde, Map<String, String> properties) {
        String name = serde.or(classes::serde).orElse(TextFileFormat.LAZY_SIMPLE_SERDE);
        return new TableFormat(classes.inputFormat(), classes.outputFormat(), name, properties);
    }
}
