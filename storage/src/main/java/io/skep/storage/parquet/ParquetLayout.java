package io.skep.storage.parquet;

import io.skep.common.memory.HeldBuffers;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.ReadErrors;
import io.skep.storage.file.RecordLimit;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.TableFormat;
import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.HadoopReadOptions;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * A Parquet file's footer and the division of its row groups for reading. A row group is divided by rows when an offset
 * index locates the pages' rows. Otherwise it is read as a whole. Holds no open file. Thread-safe.
 */
final class ParquetLayout {
    /** The maximum number of rows that Hive's writer stores in a page. */
    private static final long RANGE_ROWS = 20_000;

    /**
     * The minimum file bytes per range. A footer may claim any number of rows, so this limits the number of ranges.
     * Each row group has at least one range.
     */
    private static final long BYTES_PER_RANGE = 64;

    /** The heap bytes of a column of a row group, with its statistics and the locations of its pages. */
    private static final long COLUMN_BYTES = 600;

    private static final long PLACE_BYTES = 100;

    /** The usual size of a page. Writers compare it with what they have after this number of rows. */
    private static final long PAGE_BYTES = 1 << 20;

    private static final long PAGE_CHECK_ROWS = 100;

    private final FileVersion file;
    private final ParquetInput input;
    private final Configuration configuration;
    private final RecordLimit limit;
    private final ParquetMetadata footer;
    private final FileZones zones;
    private final List<RowGroup> rowGroups = new ArrayList<>();
    private final List<RowRange> ranges = new ArrayList<>();
    private final long retainedBytes;
    final AtomicLong bytesRead = new AtomicLong();

    ParquetLayout(HadoopFileSystem files, FileVersion file, TableFormat format, ZoneId server) {
        this.file = file;
        this.input = new ParquetInput(files, file, bytesRead);
        this.configuration = files.configuration();
        this.limit = RecordLimit.ofReader(configuration);
        files.verify(file);
        try (ParquetFileReader reader = ParquetFileReader.open(input, options(new HeldBuffers()))) {
            footer = reader.getFooter();
            zones = FileZones.of(footer.getFileMetaData(), format.properties(), server);
            List<BlockMetaData> blocks = footer.getBlocks();
            long most = Math.max(1, file.length() / BYTES_PER_RANGE / Math.max(1, blocks.size()));
            for (int i = 0; i < blocks.size(); i++) {
                cut(i, blocks.get(i), most);
            }
            retainedBytes = PLACE_BYTES * ranges.size()
                    + COLUMN_BYTES
                            * blocks.stream()
                                    .mapToLong(block -> block.getColumns().size())
                                    .sum();
        } catch (IOException | RuntimeException e) {
            throw ReadErrors.of(file.path(), "footer", e);
        }
    }

    /** @param most the maximum number of ranges */
    private void cut(int index, BlockMetaData block, long most) {
        long rows = block.getRowCount();
        if (rows < 0) {
            throw new IllegalArgumentException("row group " + index + " claims " + rows + " rows");
        }
        boolean indexed = block.getColumns().stream().allMatch(column -> column.getOffsetIndexReference() != null);
        long step = indexed ? Math.max(RANGE_ROWS, Math.ceilDiv(rows, most)) : Math.max(1, rows);
        int count = (int) Math.ceilDiv(rows, step);
        for (int k = 0; k < count; k++) {
            long from = k * step;
            long to = Math.min(rows, from + step);
            long offset = block.getStartingPos() + block.getCompressedSize() * k / count;
            rowGroups.add(new RowGroup(rowGroups.size(), offset, to - from));
            ranges.add(new RowRange(index, from, to, rows));
        }
    }

    /** Returns the approximate heap size. */
    long retainedBytes() {
        return retainedBytes;
    }

    FileVersion file() {
        return file;
    }

    List<RowGroup> rowGroups() {
        return rowGroups;
    }

    RowRange range(RowGroup rowGroup) {
        return ranges.get(rowGroup.index());
    }

    BlockMetaData block(int index) {
        return footer.getBlocks().get(index);
    }

    FileZones zones() {
        return zones;
    }

    /**
     * Returns approximately how many bytes of buffers the reader of some columns of a range needs. These are the column
     * chunks' bytes in the file, or the range's part of them, and one decompressed page of each.
     */
    long bufferBytes(RowRange range, Set<Type> columns) {
        BlockMetaData block = block(range.block());
        Set<String> names = columns.stream().map(Type::getName).collect(Collectors.toSet());
        double part = (double) (range.to() - range.from()) / Math.max(1, range.blockRows());
        long bytes = 0;
        for (ColumnChunkMetaData chunk : block.getColumns()) {
            if (names.contains(chunk.getPath().toArray()[0])) {
                long stored = Math.clamp(chunk.getTotalSize(), 0, file.length());
                long unpacked = Math.clamp(chunk.getTotalUncompressedSize(), 0, limit.bytes());
                long checked = PAGE_CHECK_ROWS * unpacked / Math.max(1, range.blockRows());
                bytes += (long) (stored * part) + Math.min(unpacked, Math.max(PAGE_BYTES, checked));
            }
        }
        return bytes;
    }

    MessageType schema() {
        return footer.getFileMetaData().getSchema();
    }

    String createdBy() {
        return footer.getFileMetaData().getCreatedBy() == null
                ? ""
                : footer.getFileMetaData().getCreatedBy();
    }

    /** Returns the file's column by name, ignoring case. */
    Optional<Type> column(String name) {
        if (schema().containsField(name)) {
            return Optional.of(schema().getType(name));
        }
        return schema().getFields().stream()
                .filter(field -> field.getName().equalsIgnoreCase(name))
                .findFirst();
    }

    /** @param buffers count the buffers that the reader allocates for column chunks */
    ParquetFileReader open(HeldBuffers buffers) throws IOException {
        return new ParquetFileReader(input, footer, options(buffers), input.newStream());
    }

    /** Returns options for one reader. Options hold the decompressors, each of which supports one thread at a time. */
    private ParquetReadOptions options(HeldBuffers buffers) {
        return HadoopReadOptions.builder(configuration)
                .withUseHadoopVectoredIo(false)
                .withAllocator(CountedPages.allocator(buffers))
                .withCodecFactory(new PageCodecs(new CodecFactory(configuration, 0), limit))
                .build();
    }
}
