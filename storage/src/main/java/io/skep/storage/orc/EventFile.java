package io.skep.storage.orc;

import io.skep.common.vector.LongVector;
import io.skep.common.vector.StructVector;
import io.skep.storage.acid.AcidVersionFile;
import io.skep.storage.table.AcidColumn;
import io.skep.storage.table.Column;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.LongColumnVector;
import org.apache.orc.OrcConf;
import org.apache.orc.OrcFile;
import org.apache.orc.TypeDescription;
import org.apache.orc.impl.AcidStats;
import org.apache.orc.impl.OrcAcidUtils;

/**
 * What all files with events have: the schema, and the metadata in the footer, which has the last identifier of each
 * stripe and the number of events. Belongs to the writer of one file.
 */
final class EventFile implements OrcFile.WriterCallback {
    static final int ROW = OrcColumns.EVENT_FIELDS.size() - 1;
    private static final String KEY_INDEX = "hive.acid.key.index";
    private static final String VERSION = "hive.acid.version";
    private static final int INSERT = 0;
    private static final int DELETE = 2;

    private final boolean deletes;
    private final StringBuilder keyIndex = new StringBuilder();
    private long lastWriteId = -1;
    private long lastBucket = -1;
    private long lastRowId = -1;
    private long events;
    /** The number of events in stripes that the key index has. */
    private long indexed;

    EventFile(boolean deletes) {
        this.deletes = deletes;
    }

    static TypeDescription schema(List<Column> columns) {
        List<String> names = OrcColumns.EVENT_FIELDS;
        return TypeDescription.createStruct()
                .addField(names.get(0), TypeDescription.createInt())
                .addField(names.get(1), TypeDescription.createLong())
                .addField(names.get(2), TypeDescription.createInt())
                .addField(names.get(3), TypeDescription.createLong())
                .addField(names.get(4), TypeDescription.createLong())
                .addField(names.get(ROW), OrcTypes.struct(columns));
    }

    /** Changes properties that name columns of the table, which are fields of the struct. */
    static void adapt(Properties properties) {
        for (OrcConf setting : List.of(OrcConf.BLOOM_FILTER_COLUMNS, OrcConf.DIRECT_ENCODING_COLUMNS)) {
            String names = properties.getProperty(setting.getAttribute());
            if (names != null && !names.isBlank()) {
                List<String> nested = Arrays.stream(names.split(",", -1))
                        .map(name -> OrcColumns.EVENT_FIELDS.get(ROW) + "." + name.strip())
                        .toList();
                properties.setProperty(setting.getAttribute(), String.join(",", nested));
            }
        }
    }

    /** Makes room for events and fills their first field. */
    void start(ColumnVector[] target, int rows) {
        for (ColumnVector vector : target) {
            vector.ensureSize(rows, false);
        }
        repeat(target[0], deletes ? DELETE : INSERT);
    }

    /** Fills the last field of delete events. */
    static void fillNoRow(ColumnVector[] target) {
        ColumnVector row = target[ROW];
        row.noNulls = false;
        row.isRepeating = true;
        row.isNull[0] = true;
    }

    static void repeat(ColumnVector target, long value) {
        target.isRepeating = true;
        ((LongColumnVector) target).vector[0] = value;
    }

    static void fill(ColumnVector[] target, AcidColumn column, long[] values, int rows) {
        System.arraycopy(values, 0, ((LongColumnVector) target[1 + column.ordinal()]).vector, 0, rows);
    }

    /** Notes that events have been written. */
    void added(int rows) {
        events += rows;
    }

    long events() {
        return events;
    }

    /** Notes the identifier of the last event. */
    void last(long writeId, long property, long rowId) {
        lastWriteId = writeId;
        lastBucket = property;
        lastRowId = rowId;
    }

    /**
     * Fills the identifiers of events.
     *
     * @param ids write ids, buckets and row ids, sorted
     */
    void identifiers(StructVector ids, int rows, ColumnVector[] target) {
        if (ids.mayHaveNulls()) {
            throw new IllegalArgumentException("a row without identifier");
        }
        long[] writeIds = ((LongVector) ids.fields().get(0)).values();
        long[] buckets = ((LongVector) ids.fields().get(1)).values();
        long[] rowIds = ((LongVector) ids.fields().get(2)).values();
        sorted(writeIds, buckets, rowIds, rows);
        fill(target, AcidColumn.WRITE_ID, writeIds, rows);
        fill(target, AcidColumn.BUCKET, buckets, rows);
        fill(target, AcidColumn.ROW_ID, rowIds, rows);
    }

    /** Notes the identifiers of events that come sorted. */
    private void sorted(long[] writeIds, long[] buckets, long[] rowIds, int rows) {
        for (int i = 0; i < rows; i++) {
            if (!ascends(writeIds[i], buckets[i], rowIds[i])) {
                throw new IllegalArgumentException("rows that are not sorted by their identifiers");
            }
            last(writeIds[i], buckets[i], rowIds[i]);
        }
    }

    /** Whether an identifier comes after the last one, or is the same. */
    private boolean ascends(long writeId, long property, long rowId) {
        if (writeId != lastWriteId) {
            return writeId > lastWriteId;
        }
        return property == lastBucket ? rowId >= lastRowId : property > lastBucket;
    }

    @Override
    public void preStripeWrite(OrcFile.WriterContext context) {
        endStripe();
    }

    @Override
    public void preFooterWrite(OrcFile.WriterContext context) {
        // The writer asks for the footer's metadata before it writes the last stripe.
        endStripe();
        AcidStats stats = new AcidStats();
        stats.inserts = deletes ? 0 : events;
        stats.deletes = deletes ? events : 0;
        context.getWriter().addUserMetadata(KEY_INDEX, bytes(keyIndex.toString()));
        context.getWriter().addUserMetadata(OrcAcidUtils.ACID_STATS, bytes(stats.serialize()));
        context.getWriter().addUserMetadata(VERSION, bytes(Integer.toString(AcidVersionFile.VERSION)));
    }

    private void endStripe() {
        if (events > indexed) {
            indexed = events;
            keyIndex.append(lastWriteId)
                    .append(',')
                    .append(lastBucket)
                    .append(',')
                    .append(lastRowId)
                    .append(';');
        }
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
