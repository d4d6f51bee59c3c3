package io.skep.storage.registry;

import io.skep.storage.format.FileFormat;
import io.skep.storage.format.StoredAs;
import io.skep.storage.orc.OrcFileFormat;
import io.skep.storage.parquet.ParquetFileFormat;
import io.skep.storage.serde.SerdeFileFormat;
import io.skep.storage.table.TableFormat;
import io.skep.storage.text.TextFileFormat;
import java.util.List;
import java.util.Optional;

/** The list of all file formats. A new format is one line here. */
public final class FileFormats {
    public static final FileFormat ORC = new OrcFileFormat();

    /** A table's format is the first that matches it. */
    public static final List<FileFormat> ALL = List.of(
            ORC,
            new ParquetFileFormat(),
            new TextFileFormat(),
            SerdeFileFormat.SEQUENCE_FILE,
            SerdeFileFormat.RCFILE,
            SerdeFileFormat.AVRO,
            SerdeFileFormat.LINES,
            SerdeFileFormat.OTHER);

    private FileFormats() {}

    /** Returns the format of a table's or partition's files. */
    public static FileFormat of(TableFormat format) {
        for (FileFormat candidate : ALL) {
            if (candidate.matches(format)) {
                return candidate;
            }
        }
        throw new IllegalStateException("the last format of the list matches every table");
    }

    /** Returns what STORED AS means by a name in lower case, if it is a format's name or alias. */
    public static Optional<StoredAs> named(String name) {
        return ALL.stream()
                .flatMap(format -> format.storedAs().stream())
                .filter(stored -> stored.name().equals(name) || stored.aliases().contains(name))
                .findFirst();
    }

    /** Returns the names that STORED AS accepts, without aliases, sorted. */
    public static List<String> names() {
        return ALL.stream()
                .flatMap(format -> format.storedAs().stream())
                .map(StoredAs::name)
                .sorted()
                .toList();
    }
}
