package io.skep.storage.orc;

import io.skep.common.vector.Batch;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.StructVector;
import io.skep.storage.acid.AcidVersionFile;
import io.skep.storage.acid.AcidWrite;
import io.skep.storage.acid.BucketProperty;
import io.skep.storage.table.Column;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.hadoop.hive.ql.exec.vector.ColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.LongColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.StructColumnVector;
import org.apache.orc.OrcConf;
import org.apache.orc.OrcFile;
import org.apache.orc.TypeDescription;
import org.apache.orc.impl.AcidStats;
import org.apache.orc.impl.OrcAcidUtils;

/**
 * Rows with identifiers, or delete events, in a file of a transactional table. The file's metadata has the last
 * identifier of each stripe, and the number of events.
 */
final class AcidEvents implements OrcRows {
    private static final String KEY_INDEX = "hive.acid.key.index";
    private static final String VERSION = "hive.acid.version";
    private static final int INSERT = 0;
    private static final int DELETE = 2;
    private static final int ROW = OrcColumns.EVENT_FIELDS.size() - 1;

    private final List<Column> columns;
    private final AcidWrite write;
    private final int bucket;
    private final StringBuilder keyIndex = new StringBuilder();
    private long lastWriteId = -1;
    private long lastBucket = -1;
    private long lastRowId = -1;
    private long events;
    /** The number of events in stripes that the key index has. */
    private long indexed;

    AcidEvents(List<Column> columns, AcidWrite write, int bucket) {
        this.columns = columns;
        this.write = write;
        this.bucket = BucketProperty.encode(bucket, write.statement());
    }

    private boolean deletes() {
        return write.kind() == AcidWrite.Kind.DELETE;
    }

    @Override
    public TypeDescription schema() {
        List<String> names = OrcColumns.EVENT_FIELDS;
        return TypeDescription.createStruct()
                .addField(names.get(0), TypeDescription.createInt())
                .addField(names.get(1), TypeDescription.createLong())
                .addField(names.get(2), TypeDescription.createInt())
                .addField(names.get(3), TypeDescription.createLong())
                .addField(names.get(4), TypeDescription.createLong())
                .addField(names.get(ROW), OrcTypes.struct(columns));
    }

    /** Columns that properties name are fields of the struct. */
    @Override
    public void adapt(Properties properties) {
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

    @Override
    public Optional<OrcFile.WriterCallback> callback() {
        return Optional.of(new OrcFile.WriterCallback() {
            @Override
            public void preStripeWrite(OrcFile.WriterContext context) {
                endStripe();
            }

            @Override
            public void preFooterWrite(OrcFile.WriterContext context) {
                // The writer asks for the footer's metadata before it writes the last stripe.
                endStripe();
                AcidStats stats = new AcidStats();
                stats.inserts = deletes() ? 0 : events;
                stats.deletes = deletes() ? events : 0;
                context.getWriter().addUserMetadata(KEY_INDEX, bytes(keyIndex.toString()));
                context.getWriter().addUserMetadata(OrcAcidUtils.ACID_STATS, bytes(stats.serialize()));
                context.getWriter().addUserMetadata(VERSION, bytes(Integer.toString(AcidVersionFile.VERSION)));
            }
        });
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

    @Override
    public void fill(Batch batch, ColumnVector[] target) {
        int rows = batch.rowCount();
        if (rows == 0) {
            return;
        }
        for (ColumnVector vector : target) {
            vector.ensureSize(rows, false);
        }
        repeat(target[0], deletes() ? DELETE : INSERT);
        repeat(target[4], write.writeId());
        if (deletes()) {
            fillDeletes((StructVector) batch.column(0).flatten(), rows, target);
        } else {
            fillInserts(batch, target);
        }
        events += rows;
    }

    private void fillInserts(Batch batch, ColumnVector[] target) {
        int rows = batch.rowCount();
        repeat(target[1], write.writeId());
        repeat(target[2], bucket);
        long[] rowIds = ((LongColumnVector) target[3]).vector;
        for (int i = 0; i < rows; i++) {
            rowIds[i] = events + i;
        }
        StructColumnVector row = (StructColumnVector) target[ROW];
        for (int i = 0; i < columns.size(); i++) {
            OrcColumnWriter.fill(batch.column(i), columns.get(i).type(), row.fields[i]);
        }
        last(write.writeId(), bucket, events + rows - 1);
    }

    private void fillDeletes(StructVector ids, int rows, ColumnVector[] target) {
        if (ids.mayHaveNulls()) {
            throw new IllegalArgumentException("a row without identifier");
        }
        long[] writeIds = ((LongVector) ids.fields().get(0)).values();
        long[] buckets = ((LongVector) ids.fields().get(1)).values();
        long[] rowIds = ((LongVector) ids.fields().get(2)).values();
        for (int i = 0; i < rows; i++) {
            if (!ascends(writeIds[i], buckets[i], rowIds[i])) {
                throw new IllegalArgumentException("deleted rows that are not sorted by their identifiers");
            }
            last(writeIds[i], buckets[i], rowIds[i]);
        }
        System.arraycopy(writeIds, 0, ((LongColumnVector) target[1]).vector, 0, rows);
        System.arraycopy(buckets, 0, ((LongColumnVector) target[2]).vector, 0, rows);
        System.arraycopy(rowIds, 0, ((LongColumnVector) target[3]).vector, 0, rows);
        ColumnVector row = target[ROW];
        row.noNulls = false;
        row.isRepeating = true;
        row.isNull[0] = true;
    }

    /** Whether an identifier comes after the last one, or is the same. */
    private boolean ascends(long writeId, long property, long rowId) {
        if (writeId != lastWriteId) {
            return writeId > lastWriteId;
        }
        return property == lastBucket ? rowId >= lastRowId : property > lastBucket;
    }

    private void last(long writeId, long property, long rowId) {
        lastWriteId = writeId;
        lastBucket = property;
        lastRowId = rowId;
    }

    private static void repeat(ColumnVector target, long value) {
        target.isRepeating = true;
        ((LongColumnVector) target).vector[0] = value;
    }
}
