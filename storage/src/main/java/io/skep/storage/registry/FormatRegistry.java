package io.skep.storage.registry;

import io.skep.storage.acid.AcidWrite;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.scan.BlockStore;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.scan.RowGroupReaderFactory;
import io.skep.storage.serde.StorageHandlers;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
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
        return FileFormats.of(split.format()).open(files, zone, split, blocks);
    }

    @Override
    public PageSink create(TableLayout table, String path) {
        return FileFormats.of(table.format()).create(files, zone, table, path);
    }

    @Override
    public PageSink create(TableLayout table, String path, AcidWrite write, int bucket) {
        return FileFormats.of(table.format()).create(files, table, path, write, bucket);
    }

    @Override
    public PageSink createMerged(TableLayout table, String path, boolean deletes) {
        return FileFormats.of(table.format()).createMerged(files, table, path, deletes);
    }

    /** Returns what reads the tables whose rows are in no files. */
    public StorageHandlers storageHandlers() {
        return new StorageHandlers(files);
    }

    @Override
    public long firstBytes(TableLayout table) {
        return FileFormats.of(table.format()).firstBytes(table.dataColumns().size());
    }
}
