package io.skep.storage.orc;

import io.skep.common.memory.HeldBuffers;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BytesVector;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.storage.table.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.orc.OrcProto;
import org.apache.orc.TypeDescription;
import org.apache.orc.impl.OrcIndex;
import org.apache.orc.impl.PositionProvider;
import org.apache.orc.impl.RecordReaderImpl.PositionProviderImpl;
import org.apache.orc.impl.SchemaEvolution;
import org.apache.orc.impl.TreeReaderFactory;
import org.apache.orc.impl.reader.tree.BatchReader;
import org.apache.orc.impl.reader.tree.TypeReader.ReadPhase;
import org.jspecify.annotations.Nullable;

/**
 * Reads some columns of a file, stride by stride. Consecutive strides continue where the last one stopped. Each file
 * read covers twice as many strides as the one before it. Thus a single stride stays cheap and a scan reads large
 * pieces. Owned by one thread.
 */
final class OrcStripeCursor {
    private static final int FIRST_WINDOW = 2;
    private static final int LARGEST_WINDOW = 16;

    /** The lengths of values are read, and counted, in runs of this number of rows. */
    private static final int RUN_ROWS = 512;

    /** The usual number of a column's streams: nulls, data and lengths. */
    private static final int STREAMS_OF_COLUMN = 3;

    private final OrcLayout layout;
    private final List<Column> columns;
    private final OrcColumns places;
    private final int batchRows;
    private final HeldBuffers buffers = new HeldBuffers();
    private final CountingDataReader data;
    private final SchemaEvolution evolution;
    private final CheckedStripes planner;
    private final boolean[] fileIncluded;
    private final List<@Nullable DictionaryCoder> coders = new ArrayList<>();
    private final VectorizedRowBatch batch;
    private @Nullable BatchReader reader;
    private @Nullable String readerZone;
    private int stripe = -1;
    private int nextStride;
    private int windowEnd;
    private int window = FIRST_WINDOW;

    /** @param batchRows the number of rows read at a time */
    OrcStripeCursor(OrcLayout layout, List<Column> columns, int batchRows) throws IOException {
        this.layout = layout;
        this.columns = columns;
        this.batchRows = batchRows;
        this.places = layout.columns(columns);
        TypeDescription wanted = places.schema();
        this.evolution = new SchemaEvolution(
                layout.schema(), wanted, layout.options().schema(wanted).include(null));
        this.fileIncluded = evolution.getFileIncluded();
        this.batch =
                evolution.getReaderSchema().createRowBatch(TypeDescription.RowBatchVersion.USE_DECIMAL64, batchRows);
        this.data = layout.open(buffers);
        this.planner = layout.stripes(data);
        columns.forEach(column -> coders.add(null));
    }

    int batchRows() {
        return batchRows;
    }

    /** Whether a stride directly follows the last stride that was read to its end. */
    boolean isAt(OrcLayout.Stride stride) {
        return stripe == stride.stripe() && nextStride == stride.indexInStripe();
    }

    /** Prepares to read a stride from its beginning. */
    void start(OrcLayout.Stride stride) throws IOException {
        int index = stride.indexInStripe();
        if (!isAt(stride) || index >= windowEnd || reader == null) {
            window = isAt(stride) ? Math.min(window * 2, LARGEST_WINDOW) : FIRST_WINDOW;
            load(stride);
        }
        nextStride = -1;
    }

    /** Must be called after all rows of a stride are read. */
    void finish(OrcLayout.Stride stride) {
        nextStride = stride.indexInStripe() + 1;
    }

    private void load(OrcLayout.Stride stride) throws IOException {
        int first = stride.indexInStripe();
        int count = layout.strideCount(stride.stripe());
        boolean[] included = new boolean[count];
        windowEnd = Math.min(count, first + window);
        for (int i = first; i < windowEnd; i++) {
            included[i] = true;
        }
        stripe = stride.stripe();
        planner.clearStreams();
        data.begin(first > 0 && window == FIRST_WINDOW);
        planner.parseStripe(layout.stripe(stripe), fileIncluded);
        boolean whole = first == 0 && windowEnd == count;
        OrcIndex index = whole ? null : layout.index(stripe, fileIncluded, data);
        planner.readData(index, index == null ? null : included, false, ReadPhase.ALL);
        BatchReader current = reader(planner.getWriterTimezone());
        current.startStripe(planner, ReadPhase.ALL);
        if (index != null && first > 0) {
            current.seek(positions(index, first), ReadPhase.ALL);
        }
        prepareCoders();
    }

    private BatchReader reader(@Nullable String zone) throws IOException {
        BatchReader made = reader;
        if (made == null || zone != null && !zone.equals(readerZone)) {
            TreeReaderFactory.ReaderContext context = new TreeReaderFactory.ReaderContext()
                    .setSchemaEvolution(evolution)
                    .fileFormat(layout.version())
                    .useUTCTimestamp(true)
                    .setProlepticGregorian(layout.proleptic(), true)
                    .setEncryption(layout.encryption());
            if (zone != null) {
                context.writerTimeZone(zone);
            }
            made = TreeReaderFactory.createRootReader(evolution.getReaderSchema(), context);
            made.setVectorColumnCount(batch.cols.length);
            reader = made;
            readerZone = zone;
        }
        return made;
    }

    private static PositionProvider[] positions(OrcIndex index, int stride) {
        OrcProto.RowIndex[] rows = index.getRowGroupIndex();
        PositionProvider[] positions = new PositionProvider[rows.length];
        for (int i = 0; i < rows.length; i++) {
            if (rows[i] != null) {
                OrcProto.RowIndexEntry entry = rows[i].getEntry(stride);
                if (entry.getPositionsCount() > 0) {
                    positions[i] = new PositionProviderImpl(entry);
                }
            }
        }
        return positions;
    }

    private void prepareCoders() {
        for (int i = 0; i < columns.size(); i++) {
            TypeDescription readerType = places.type(evolution.getReaderSchema(), i);
            TypeDescription fileType = evolution.getFileType(readerType);
            boolean coded = fileType != null
                    && fileType.getCategory() == readerType.getCategory()
                    && fileType.getCategory().isPrimitive()
                    && dictionary(planner.getEncoding(fileType.getId()));
            coders.set(i, coded ? new DictionaryCoder() : null);
        }
    }

    private static boolean dictionary(OrcProto.@Nullable ColumnEncoding encoding) {
        return encoding != null
                && (encoding.getKind() == OrcProto.ColumnEncoding.Kind.DICTIONARY
                        || encoding.getKind() == OrcProto.ColumnEncoding.Kind.DICTIONARY_V2);
    }

    /** Reads the next rows. The caller tracks the end of the stride and must not read past it. */
    Batch read(int rows) throws IOException {
        BatchReader current = reader;
        if (current == null) {
            throw new IllegalStateException("no stride was started");
        }
        planner.beginBatch();
        current.nextBatch(batch, rows, ReadPhase.ALL);
        List<Vector> vectors = new ArrayList<>(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            SqlType type = columns.get(i).type();
            ColumnVector values = missing(i) ? null : places.vector(batch.cols, i);
            Vector vector = values == null ? VectorAppender.nulls(type, rows) : OrcVectors.copy(values, type, rows);
            DictionaryCoder coder = coders.get(i);
            vectors.add(coder != null && vector instanceof BytesVector strings ? coder.encode(strings) : vector);
        }
        return new Batch(vectors, rows);
    }

    private boolean missing(int column) {
        return evolution.getFileType(places.type(evolution.getReaderSchema(), column)) == null;
    }

    /**
     * Returns approximately the bytes of buffers that reading needs from the beginning of a stride on: what is read
     * from the file at once, blocks that are decompressed, and the values of the first batch.
     */
    long bufferBytes(OrcLayout.Stride stride) throws IOException {
        planner.parseStripe(layout.stripe(stride.stripe()), fileIncluded);
        long stored = Math.clamp(
                planner.storedBytes(fileIncluded),
                0,
                layout.stripe(stride.stripe()).getDataLength());
        long ofStride = Math.ceilDiv(stored, layout.strideCount(stride.stripe()));
        long ofBatch = (long) (ofStride * Math.min(1, (double) RUN_ROWS / stride.rows()));
        return Math.min(stored, FIRST_WINDOW * ofStride)
                + (long) STREAMS_OF_COLUMN * columns.size() * layout.blockBytes()
                + ofBatch;
    }

    /** Returns the bytes of the buffers that this cursor holds. */
    long retainedBytes() {
        return buffers.bytes();
    }

    /** Must be called when the cursor is not in use until {@link #resume}. */
    void park() {
        buffers.park();
    }

    /** Counts the buffers of a parked cursor as those of the current thread. */
    void resume() {
        buffers.resume();
    }

    void close() throws IOException {
        planner.clearStreams();
        data.close();
    }
}
