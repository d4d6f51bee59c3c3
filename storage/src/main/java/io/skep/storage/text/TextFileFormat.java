package io.skep.storage.text;

import io.skep.common.type.PrimitiveType;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.RecordLimit;
import io.skep.storage.file.codec.OutputCompression;
import io.skep.storage.format.FileFormat;
import io.skep.storage.format.HiveClasses;
import io.skep.storage.format.LayoutProperties;
import io.skep.storage.format.Splitting;
import io.skep.storage.format.StoredAs;
import io.skep.storage.scan.BlockStore;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.Column;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** Lines of text in the form of Hive's LazySimpleSerDe. */
public final class TextFileFormat implements FileFormat {
    public static final String LAZY_SIMPLE_SERDE = "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe";

    public static final HiveClasses LINES = new HiveClasses(
            "org.apache.hadoop.mapred.TextInputFormat",
            "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
            Optional.empty());

    /** Offsets of lines; in compressed files, of the decompressed text. */
    static final Column OFFSETS = new Column("BLOCK__OFFSET__INSIDE__FILE", PrimitiveType.BIGINT);

    private static final StoredAs STORED_AS = new StoredAs("textfile", List.of("text"), LINES);

    @Override
    public Optional<StoredAs> storedAs() {
        return Optional.of(STORED_AS);
    }

    @Override
    public boolean matches(TableFormat format) {
        return format.serde().equals(LAZY_SIMPLE_SERDE) && format.inputFormat().equals(LINES.inputFormat());
    }

    @Override
    public Optional<Column> offsets() {
        return Optional.of(OFFSETS);
    }

    @Override
    public Splitting splitting() {
        return Splitting.UNLESS_COMPRESSED;
    }

    @Override
    public LayoutProperties layoutProperties(TableFormat format) {
        return LayoutProperties.HIVE;
    }

    @Override
    public List<String> readerSettings() {
        return List.of(TextFormat.BOOLEAN_LITERALS);
    }

    @Override
    public boolean decodesColumnsAlone(TableFormat format) {
        return !lastTakesRest(format);
    }

    /**
     * Whether the last column receives the rest of the line. Then decoding depends on the number of columns, which
     * determines the last one.
     */
    public static boolean lastTakesRest(TableFormat format) {
        return "true".equalsIgnoreCase(format.properties().get("serialization.last.column.takes.rest"));
    }

    @Override
    public RowGroupReader open(HadoopFileSystem files, ZoneId zone, Split split, BlockStore blocks) {
        return new TextRowGroupReader(files, split, zone, RecordLimit.of(files.configuration()));
    }

    @Override
    public PageSink create(HadoopFileSystem files, ZoneId zone, TableLayout table, String path) {
        return new TextPageSink(
                files, table, path, zone, OutputCompression.of(table.properties(), files.configuration()));
    }
}
