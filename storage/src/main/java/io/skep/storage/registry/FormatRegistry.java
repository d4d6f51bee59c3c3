package io.skep.storage.registry;

import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.RecordLimit;
import io.skep.storage.orc.OrcPageSink;
import io.skep.storage.orc.OrcRowGroupReader;
import io.skep.storage.parquet.ParquetPageSink;
import io.skep.storage.parquet.ParquetRowGroupReader;
import io.skep.storage.scan.BlockStore;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.scan.RowGroupReaderFactory;
import io.skep.storage.serde.SerdePageSink;
import io.skep.storage.serde.SerdeRowGroupReader;
import io.skep.storage.table.FileKind;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import io.skep.storage.text.TextPageSink;
import io.skep.storage.text.TextRowGroupReader;
import io.skep.storage.write.PageSink;
import io.skep.storage.write.PageSinkFactory;
import java.time.ZoneId;

/** Opens and creates files by their table's format. */
public final class FormatRegistry implements RowGroupReaderFactory, PageSinkFactory {
    private final HadoopFileSystem files;
    private final ZoneId zone;

    /** @param zone the server's time zone, for instants in text */
    public FormatRegistry(HadoopFileSystem files, ZoneId zone) {
        this.files = files;
        this.zone = zone;
    }

    @Override
    public RowGroupReader open(Split split) {
        return open(split, BlockStore.NONE);
    }

    @Override
    public RowGroupReader open(Split split, BlockStore blocks) {
        return switch (FileKind.of(split.format())) {
            case ORC -> new OrcRowGroupReader(files, split, blocks);
            case TEXT -> new TextRowGroupReader(files, split, zone, RecordLimit.of(files.configuration()));
            case SERDE -> new SerdeRowGroupReader(files, split, zone);
            case PARQUET -> new ParquetRowGroupReader(files, split, zone);
        };
    }

    @Override
    public PageSink create(TableLayout table, String path) {
        return switch (FileKind.of(table.format())) {
            case ORC -> new OrcPageSink(files, table, path);
            case TEXT -> new TextPageSink(files, table, path, zone);
            case SERDE -> new SerdePageSink(files, table, path, zone);
            case PARQUET -> new ParquetPageSink(files, table, path);
        };
    }

    @Override
    public long firstBytes(TableLayout table) {
        int columns = table.dataColumns().size();
        return switch (FileKind.of(table.format())) {
            case ORC -> OrcPageSink.firstBytes(columns);
            case PARQUET -> ParquetPageSink.firstBytes(columns);
            case TEXT, SERDE -> 0;
        };
    }
}
