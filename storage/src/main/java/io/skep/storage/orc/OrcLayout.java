package io.skep.storage.orc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.MessageLite;
import io.skep.common.memory.HeldBuffers;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.file.ReadErrors;
import io.skep.storage.file.RecordLimit;
import io.skep.storage.scan.BlockStore;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.orc.CompressionCodec;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcConf;
import org.apache.orc.OrcFile;
import org.apache.orc.OrcProto;
import org.apache.orc.OrcProto.StripeFooter;
import org.apache.orc.Reader;
import org.apache.orc.StripeInformation;
import org.apache.orc.TypeDescription;
import org.apache.orc.impl.DataReaderProperties;
import org.apache.orc.impl.InStream;
import org.apache.orc.impl.OrcCodecPool;
import org.apache.orc.impl.OrcIndex;
import org.apache.orc.impl.RecordReaderUtils;
import org.apache.orc.impl.reader.ReaderEncryption;
import org.jspecify.annotations.Nullable;

/** An ORC file's footer, with the stripe footers and indexes read so far. Holds no open file. Thread-safe. */
final class OrcLayout {
    /** A position in a stripe where reading can begin. */
    record Stride(int stripe, int indexInStripe, int rows) {}

    /**
     * The minimum file bytes per stride in files of more than {@code MIN_STRIDES} strides. A footer that claims more
     * strides is rejected.
     */
    private static final int BYTES_PER_STRIDE = 8;

    private static final int MIN_STRIDES = 1 << 17;

    /** The heap bytes of a Protocol Buffers message for each of its bytes in the file. */
    private static final int OBJECT_BYTES = 6;

    private static final int TYPE_BYTES = 300;
    private static final int PLACE_BYTES = 100;

    private final FileVersion file;
    private final BlockStore blocks;
    private final RecordLimit limit;
    private final FileSystem fileSystem;
    private final Reader.Options options;
    private final TypeDescription stored;
    private final TypeDescription schema;
    private final boolean events;
    private final boolean storesRowIds;
    private final List<StripeInformation> stripes;
    private final OrcFile.Version version;
    private final OrcFile.WriterVersion writerVersion;
    private final boolean proleptic;
    private final boolean bloomFiltersUsable;
    private final CompressionKind compression;
    private final int compressionSize;
    private final List<RowGroup> rowGroups = new ArrayList<>();
    private final List<Stride> strides = new ArrayList<>();
    private final Map<Integer, StripeFooter> footers = new ConcurrentHashMap<>();
    /** Guarded by itself, together with its content. No thread reads from the file while it holds this lock. */
    @GuardedBy("indexes")
    private final Map<Integer, OrcIndex> indexes = new HashMap<>();

    /** The heap bytes of stripe footers and indexes. */
    private final AtomicLong objectBytes = new AtomicLong();

    final AtomicLong bytesRead = new AtomicLong();

    /** @param split names the file and its columns by position, for a file without column names */
    OrcLayout(HadoopFileSystem files, Split split, BlockStore blocks) {
        this.file = split.file();
        this.events = split.storesRowIds();
        this.blocks = blocks;
        this.fileSystem = files.hadoop(file.path());
        this.limit = RecordLimit.ofReader(files.configuration());
        files.verify(file);
        Configuration configuration = files.configuration();
        OrcFile.ReaderOptions readerOptions = OrcFile.readerOptions(configuration)
                .filesystem(fileSystem)
                .maxLength(file.length())
                .useUTCTimestamp(true)
                .convertToProlepticGregorian(true);
        try (Reader reader = OrcFile.createReader(new Path(file.path()), readerOptions)) {
            options = reader.options();
            List<OrcProto.Type> types = reader.getFileTail().getFooter().getTypesList();
            storesRowIds = OrcColumns.events(reader.getSchema());
            stored = wholeNames(reader.getSchema(), types);
            schema = schema(stored, split);
            stripes = List.copyOf(reader.getStripes());
            version = reader.getFileVersion();
            writerVersion = reader.getWriterVersion();
            proleptic = reader.writerUsedProlepticGregorian();
            bloomFiltersUsable = reader.getFileTail().getFooter().getWriter() == 0;
            compression = reader.getCompressionKind();
            compressionSize = reader.getCompressionSize();
            cut(reader.getRowIndexStride());
        } catch (IOException | RuntimeException e) {
            throw ReadErrors.of(file.path(), "file tail", e);
        }
    }

    /** Returns the schema with the names that the file has. */
    TypeDescription stored() {
        return stored;
    }

    /** Whether the file has row identifiers, whatever the split says. */
    boolean storesRowIds() {
        return storesRowIds;
    }

    private static TypeDescription schema(TypeDescription stored, Split split) {
        if (split.acid().isPresent() && split.storesRowIds() != OrcColumns.events(stored)) {
            throw new IllegalArgumentException(
                    split.storesRowIds()
                            ? "rows without identifiers in a file whose name is of one with identifiers"
                            : "rows with identifiers in a file whose name is of one without");
        }
        return split.storesRowIds()
                ? OrcColumns.renamed(stored, byPosition(OrcColumns.row(stored), OrcColumns.dataColumns(split)))
                : named(stored, split.fileColumns());
    }

    /** Restores names with a back-tick, at which the library cuts them. */
    private static TypeDescription wholeNames(TypeDescription schema, List<OrcProto.Type> types) {
        return types.stream().anyMatch(type -> type.getFieldNamesList().stream().anyMatch(name -> name.contains("`")))
                ? restored(schema, types)
                : schema;
    }

    private static TypeDescription restored(TypeDescription type, List<OrcProto.Type> types) {
        List<TypeDescription> children = type.getChildren();
        return switch (type.getCategory()) {
            case STRUCT -> {
                List<String> names = types.get(type.getId()).getFieldNamesList();
                TypeDescription struct = TypeDescription.createStruct();
                for (int i = 0; i < children.size(); i++) {
                    struct.addField(names.get(i), restored(children.get(i), types));
                }
                yield struct;
            }
            case LIST -> TypeDescription.createList(restored(children.getFirst(), types));
            case MAP ->
                TypeDescription.createMap(restored(children.getFirst(), types), restored(children.getLast(), types));
            case UNION -> {
                TypeDescription union = TypeDescription.createUnion();
                children.forEach(child -> union.addUnionChild(restored(child, types)));
                yield union;
            }
            default -> type.clone();
        };
    }

    /** Files of old writers name their columns _col0, _col1... */
    private static TypeDescription named(TypeDescription schema, List<Column> columns) {
        if (schema.getCategory() != TypeDescription.Category.STRUCT
                || !schema.getFieldNames().stream().allMatch(name -> name.matches("_col\\d+"))) {
            return schema;
        }
        return byPosition(schema, columns.stream().map(Column::name).toList());
    }

    /** Names the first fields. Others get names that no column has. */
    private static TypeDescription byPosition(TypeDescription schema, List<String> names) {
        TypeDescription renamed = TypeDescription.createStruct();
        List<TypeDescription> children = schema.getChildren();
        for (int i = 0; i < children.size(); i++) {
            renamed.addField(
                    i < names.size() ? names.get(i) : "unnamed." + i,
                    children.get(i).clone());
        }
        return renamed;
    }

    @GuardedBy("indexes")
    private void cut(int stride) {
        long most = Math.max(MIN_STRIDES, file.length() / BYTES_PER_STRIDE);
        for (int i = 0; i < stripes.size(); i++) {
            StripeInformation stripe = stripes.get(i);
            checkPlace(stripe);
            long rows = stripe.getNumberOfRows();
            long step = stride > 0 && stripe.getIndexLength() > 0 ? stride : Math.max(rows, 1);
            long claimed = Math.ceilDiv(rows, step);
            if (rows < 0 || strides.size() + claimed > most) {
                throw new IllegalArgumentException(
                        "a tail that claims " + rows + " rows of stripe " + i + " in parts of " + step);
            }
            int count = (int) claimed;
            for (int k = 0; k < count; k++) {
                long offset = stripe.getOffset() + stripe.getLength() * k / count;
                long here = Math.min(step, rows - k * step);
                rowGroups.add(new RowGroup(rowGroups.size(), offset, here));
                strides.add(new Stride(i, k, Math.toIntExact(here)));
            }
        }
    }

    /** ORC allocates the claimed size before it reads, so the size is checked first. */
    private void checkPlace(StripeInformation stripe) {
        long left = file.length();
        for (long part : new long[] {
            stripe.getOffset(), stripe.getIndexLength(), stripe.getDataLength(), stripe.getFooterLength()
        }) {
            if (part < 0 || part > left) {
                throw new IllegalArgumentException(
                        "a stripe of " + stripe.getLength() + " bytes at " + stripe.getOffset());
            }
            left -= part;
        }
    }

    private static long bytes(@Nullable MessageLite message) {
        return message == null ? 0 : message.getSerializedSize();
    }

    /** Returns the approximate heap size. */
    long retainedBytes() {
        return objectBytes.get()
                + (long) TYPE_BYTES * (schema.getMaximumId() + 1)
                + (long) PLACE_BYTES * (stripes.size() + strides.size());
    }

    FileVersion file() {
        return file;
    }

    BlockStore blocks() {
        return blocks;
    }

    Reader.Options options() {
        return options.clone().isSchemaEvolutionCaseAware(false);
    }

    TypeDescription schema() {
        return schema;
    }

    /** Returns where columns are in the file. */
    OrcColumns columns(List<Column> columns) {
        return new OrcColumns(columns, events);
    }

    OrcFile.Version version() {
        return version;
    }

    OrcFile.WriterVersion writerVersion() {
        return writerVersion;
    }

    boolean proleptic() {
        return proleptic;
    }

    boolean bloomFiltersUsable() {
        return bloomFiltersUsable;
    }

    List<RowGroup> rowGroups() {
        return rowGroups;
    }

    Stride stride(RowGroup rowGroup) {
        return strides.get(rowGroup.index());
    }

    StripeInformation stripe(int index) {
        return stripes.get(index);
    }

    /** Returns the number of strides of a stripe. */
    int strideCount(int stripe) {
        int count = 0;
        for (Stride stride : strides) {
            count += stride.stripe() == stripe ? 1 : 0;
        }
        return count;
    }

    String place(int stripe) {
        return "stripe " + stripe + " at " + stripes.get(stripe).getOffset();
    }

    CheckedStripes stripes(CountingDataReader data) {
        return new CheckedStripes(schema, data, writerVersion, limit);
    }

    /** Returns the bytes of a stream's buffer for decompressed blocks. Zero when the file is not compressed. */
    int blockBytes() {
        return compression == CompressionKind.NONE ? 0 : compressionSize;
    }

    ReaderEncryption encryption() {
        return new ReaderEncryption();
    }

    /**
     * Opens a reader of the file's bytes that uses the stripe footers kept here.
     *
     * @param buffers count the reader's buffers
     */
    CountingDataReader open(HeldBuffers buffers) {
        InStream.StreamOptions streams = new InStream.StreamOptions();
        CompressionCodec codec = OrcCodecPool.getCodec(compression);
        if (codec != null) {
            streams.withCodec(codec).withBufferSize(compressionSize);
        }
        DataReaderProperties properties = DataReaderProperties.builder()
                .withFileSystemSupplier(() -> fileSystem)
                .withPath(new Path(file.path()))
                .withCompression(streams)
                .withMaxDiskRangeChunkLimit((Integer) OrcConf.ORC_MAX_DISK_RANGE_CHUNK_LIMIT.getDefaultValue())
                .withMinSeekSize((Integer) OrcConf.ORC_MIN_DISK_SEEK_SIZE.getDefaultValue())
                .withMinSeekSizeTolerance((Double) OrcConf.ORC_MIN_DISK_SEEK_SIZE_TOLERANCE.getDefaultValue())
                .build();
        return new CountingDataReader(RecordReaderUtils.createDefaultDataReader(properties), this, buffers);
    }

    /**
     * Threads that need the same missing footer at the same time each read it. No thread waits for another thread's
     * read.
     */
    StripeFooter footer(StripeInformation stripe, CountingDataReader data) throws IOException {
        int id = (int) stripe.getStripeId();
        StripeFooter footer = footers.get(id);
        if (footer == null) {
            footer = data.readFooter(stripe);
            bytesRead.addAndGet(stripe.getFooterLength());
            if (footers.put(id, footer) == null) {
                objectBytes.addAndGet((long) OBJECT_BYTES * footer.getSerializedSize());
            }
        }
        return footer;
    }

    /**
     * Returns the indexes of a stripe. They contain at least the row indexes and Bloom filters of the given file
     * columns. Threads that need the same missing indexes at the same time each read them.
     *
     * @param columns file column ids
     */
    OrcIndex index(int stripe, boolean[] columns, CountingDataReader data) throws IOException {
        int types = schema.getMaximumId() + 1;
        boolean[] missing = new boolean[types];
        boolean any = false;
        OrcIndex known;
        synchronized (indexes) {
            known = indexes.computeIfAbsent(
                    stripe,
                    s -> new OrcIndex(
                            new OrcProto.RowIndex[types],
                            new OrcProto.Stream.Kind[types],
                            new OrcProto.BloomFilterIndex[types]));
            for (int i = 0; i < types; i++) {
                missing[i] = columns[i] && known.getRowGroupIndex()[i] == null;
                any |= missing[i];
            }
        }
        if (any) {
            OrcIndex read =
                    stripes(data).parseStripe(stripes.get(stripe), missing).readRowIndex(missing, null);
            synchronized (indexes) {
                add(read, missing, known);
            }
        }
        return known;
    }

    private void add(OrcIndex read, boolean[] columns, OrcIndex known) {
        for (int i = 0; i < columns.length; i++) {
            if (columns[i] && known.getRowGroupIndex()[i] == null) {
                known.getBloomFilterIndex()[i] = read.getBloomFilterIndex()[i];
                known.getBloomFilterKinds()[i] = read.getBloomFilterKinds()[i];
                known.getRowGroupIndex()[i] = read.getRowGroupIndex()[i];
                objectBytes.addAndGet(
                        OBJECT_BYTES * (bytes(read.getRowGroupIndex()[i]) + bytes(read.getBloomFilterIndex()[i])));
            }
        }
    }
}
