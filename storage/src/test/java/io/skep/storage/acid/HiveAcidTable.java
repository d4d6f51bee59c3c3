package io.skep.storage.acid;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.common.ValidWriteIdList;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.io.AcidInputFormat;
import org.apache.hadoop.hive.ql.io.AcidOutputFormat;
import org.apache.hadoop.hive.ql.io.AcidUtils;
import org.apache.hadoop.hive.ql.io.IOConstants;
import org.apache.hadoop.hive.ql.io.RecordIdentifier;
import org.apache.hadoop.hive.ql.io.RecordUpdater;
import org.apache.hadoop.hive.ql.io.orc.OrcInputFormat;
import org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat;
import org.apache.hadoop.hive.ql.io.orc.OrcStruct;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.jspecify.annotations.Nullable;

/** A transactional table {@code (id int, name string)} that Hive's own classes write and read. */
final class HiveAcidTable {
    /** A row as Hive's reader returns it, with its identifier. */
    record Row(long writeId, int bucket, long rowId, String values) {}

    /** The identifier of a row. */
    record RowId(long writeId, int bucket, long rowId) {}

    private static final ObjectInspector ROW_ID = ObjectInspectorFactory.getStandardStructObjectInspector(
            List.of("writeid", "bucketid", "rowid"),
            List.of(
                    PrimitiveObjectInspectorFactory.javaLongObjectInspector,
                    PrimitiveObjectInspectorFactory.javaIntObjectInspector,
                    PrimitiveObjectInspectorFactory.javaLongObjectInspector));

    private static final ObjectInspector ROW = ObjectInspectorFactory.getStandardStructObjectInspector(
            List.of("id", "name", "ROW__ID"),
            List.of(
                    PrimitiveObjectInspectorFactory.javaIntObjectInspector,
                    PrimitiveObjectInspectorFactory.javaStringObjectInspector,
                    ROW_ID));

    private static final int ROW_ID_COLUMN = 2;

    private final Path root;
    private final JobConf conf = new JobConf();

    HiveAcidTable(Path root) {
        this.root = root;
        conf.set("mapred.input.dir", root.toUri().toString());
        conf.set("fs.defaultFS", "file:///");
        conf.setBoolean("transactional", true);
        AcidUtils.setAcidOperationalProperties(conf, true, null);
        conf.set(IOConstants.SCHEMA_EVOLUTION_COLUMNS, "id,name");
        conf.set(IOConstants.SCHEMA_EVOLUTION_COLUMNS_TYPES, "int:string");
        conf.set("columns", "id,name");
        conf.set("columns.types", "int:string");
        HiveConf.setVar(conf, HiveConf.ConfVars.HIVE_ORC_SPLIT_STRATEGY, "BI");
    }

    /** Changes a setting of Hive's writers. */
    HiveAcidTable with(String name, String value) {
        conf.set(name, value);
        return this;
    }

    /** Writes what one statement does with the rows of a bucket. */
    interface Changes {
        void to(Updater updater) throws IOException;
    }

    /** Hive's writer of a bucket. */
    record Updater(RecordUpdater updater, long writeId) {
        void insert(int id, @Nullable String name) throws IOException {
            updater.insert(writeId, Arrays.asList(id, name, null));
        }

        void delete(RowId row) throws IOException {
            updater.delete(writeId, Arrays.asList(null, null, List.of(row.writeId(), row.bucket(), row.rowId())));
        }

        void update(RowId row, int id, @Nullable String name) throws IOException {
            updater.update(writeId, Arrays.asList(id, name, List.of(row.writeId(), row.bucket(), row.rowId())));
        }
    }

    void write(long writeId, int statement, int bucket, Changes changes) {
        write(options(bucket).minimumWriteId(writeId).maximumWriteId(writeId).statementId(statement), writeId, changes);
    }

    AcidOutputFormat.Options options(int bucket) {
        try {
            return new AcidOutputFormat.Options(conf)
                    .filesystem(FileSystem.getLocal(conf).getRaw())
                    .bucket(bucket)
                    .inspector(ROW)
                    .recordIdColumn(ROW_ID_COLUMN)
                    .tableProperties(properties())
                    .reporter(Reporter.NULL)
                    .finalDestination(path());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("columns", "id,name");
        properties.setProperty("columns.types", "int:string");
        return properties;
    }

    private org.apache.hadoop.fs.Path path() {
        return new org.apache.hadoop.fs.Path(root.toUri());
    }

    /** Writes the changes of one transaction to folders of any range. */
    void write(AcidOutputFormat.Options options, long writeId, Changes changes) {
        try {
            RecordUpdater updater = new OrcOutputFormat().getRecordUpdater(path(), options);
            changes.to(new Updater(updater, writeId));
            updater.close(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns all rows of a snapshot as Hive reads them. */
    List<Row> read(ValidTxnList transactions, ValidWriteIdList writeIds) {
        JobConf job = new JobConf(conf);
        job.set(ValidTxnList.VALID_TXNS_KEY, transactions.writeToString());
        job.set(ValidWriteIdList.VALID_WRITEIDS_KEY, writeIds.writeToString());
        List<Row> rows = new ArrayList<>();
        try {
            OrcInputFormat format = new OrcInputFormat();
            for (InputSplit split : format.getSplits(job, 1)) {
                RecordReader<NullWritable, OrcStruct> reader = format.getRecordReader(split, job, Reporter.NULL);
                NullWritable key = reader.createKey();
                OrcStruct value = reader.createValue();
                while (reader.next(key, value)) {
                    RecordIdentifier id = Objects.requireNonNull(
                            ((AcidInputFormat.AcidRecordReader<?, ?>) reader).getRecordIdentifier());
                    rows.add(new Row(id.getWriteId(), id.getBucketProperty(), id.getRowId(), value.toString()));
                }
                reader.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rows;
    }
}
