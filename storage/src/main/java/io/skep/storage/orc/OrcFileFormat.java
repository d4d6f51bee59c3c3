package io.skep.storage.orc;

import io.skep.storage.acid.AcidWrite;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.format.ColumnarFileFormat;
import io.skep.storage.format.HiveClasses;
import io.skep.storage.format.InputFormats;
import io.skep.storage.format.StoredAs;
import io.skep.storage.scan.BlockStore;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** ORC files. */
public final class OrcFileFormat implements ColumnarFileFormat {
    private static final StoredAs STORED_AS = new StoredAs(
            "orc",
            List.of("orcfile"),
            HiveClasses.of(
                    "org.apache.hadoop.hive.ql.io.orc.OrcInputFormat",
                    "org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat",
                    "org.apache.hadoop.hive.ql.io.orc.OrcSerde"));

    @Override
    public Optional<StoredAs> storedAs() {
        return Optional.of(STORED_AS);
    }

    @Override
    public boolean matches(TableFormat format) {
        return InputFormats.isPlain(format.inputFormat())
                && (format.serde().endsWith(".OrcSerde") || format.inputFormat().endsWith(".OrcInputFormat"));
    }

    @Override
    public Optional<String> magic() {
        return Optional.of("ORC");
    }

    @Override
    public boolean checkedOnLoad(String inputFormat) {
        return inputFormat.toLowerCase(Locale.ROOT).contains("orcinputformat");
    }

    @Override
    public List<String> writerProperties() {
        return List.of("orc.");
    }

    @Override
    public RowGroupReader open(HadoopFileSystem files, ZoneId zone, Split split, BlockStore blocks) {
        return new OrcRowGroupReader(files, split, blocks);
    }

    @Override
    public PageSink create(HadoopFileSystem files, ZoneId zone, TableLayout table, String path) {
        return new OrcPageSink(files, table, path, new TableRows(table.dataColumns()));
    }

    @Override
    public PageSink create(HadoopFileSystem files, TableLayout table, String path, AcidWrite write, int bucket) {
        return new OrcPageSink(files, table, path, new AcidEvents(table.dataColumns(), write, bucket));
    }

    @Override
    public PageSink createMerged(HadoopFileSystem files, TableLayout table, String path, boolean deletes) {
        return new OrcPageSink(files, table, path, new MergedEvents(table.dataColumns(), deletes));
    }

    @Override
    public long firstBytes(int columns) {
        return OrcPageSink.firstBytes(columns);
    }
}
