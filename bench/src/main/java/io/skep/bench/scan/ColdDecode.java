package io.skep.bench.scan;

import io.skep.common.vector.Batch;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.orc.RecordReader;
import org.apache.orc.TypeDescription;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.schema.MessageType;

/**
 * Compares Skep's readers with the formats' own. The files are decoded from the system's page cache, with one thread
 * each.
 */
final class ColdDecode {
    private static final int RUNS = 3;

    private final ScanTables tables;
    private final long rows;
    private final Consumer<String> out;

    ColdDecode(ScanTables tables, long rows, Consumer<String> out) {
        this.tables = tables;
        this.rows = rows;
        this.out = out;
    }

    void run(Path folder) throws Exception {
        String orc = tables.file(folder.resolve("decode.orc"), ScanTables.ORC, rows);
        String parquet = tables.file(folder.resolve("decode.parquet"), ScanTables.PARQUET, rows);
        compare("ORC", "orc-core", Cpu.best(RUNS, () -> own(ScanTables.ORC, orc)), Cpu.best(RUNS, () -> orcCore(orc)));
        compare(
                "Parquet",
                "parquet-java",
                Cpu.best(RUNS, () -> own(ScanTables.PARQUET, parquet)),
                Cpu.best(RUNS, () -> parquetJava(parquet)));
    }

    private void compare(String format, String other, Cpu.Best own, Cpu.Best others) {
        if (own.result() != rows || others.result() != rows) {
            throw new IllegalStateException(
                    "of " + rows + " rows " + own.result() + " and " + others.result() + " came");
        }
        out.accept(String.format(
                Locale.ROOT,
                "cold %s, four columns: %.1f million rows a second a core, %s's own reader %.1f: %.2f times",
                format,
                rows / own.seconds() / 1e6,
                other,
                rows / others.seconds() / 1e6,
                others.seconds() / own.seconds()));
    }

    private long own(TableLayout table, String uri) {
        Split split = tables.split(table, uri);
        long count = 0;
        try (RowGroupReader reader = tables.formats.open(split)) {
            for (RowGroup rowGroup : reader.rowGroups()) {
                try (BatchIterator batches = reader.read(rowGroup, ScanTables.ALL)) {
                    while (batches.hasNext()) {
                        Batch batch = batches.next();
                        count += batch.rowCount();
                    }
                }
            }
        }
        return count;
    }

    private long orcCore(String uri) throws IOException {
        long count = 0;
        try (Reader reader = OrcFile.createReader(
                        new org.apache.hadoop.fs.Path(uri), OrcFile.readerOptions(tables.files.configuration()));
                RecordReader records = reader.rows()) {
            VectorizedRowBatch batch =
                    reader.getSchema().createRowBatch(TypeDescription.RowBatchVersion.USE_DECIMAL64, Batch.TARGET_ROWS);
            while (records.nextBatch(batch)) {
                count += batch.size;
            }
        }
        return count;
    }

    /** Reads column by column, which is parquet-java's fastest way. */
    private long parquetJava(String uri) throws IOException {
        long count = 0;
        try (ParquetFileReader reader = ParquetFileReader.open(
                HadoopInputFile.fromPath(new org.apache.hadoop.fs.Path(uri), tables.files.configuration()))) {
            MessageType schema = reader.getFileMetaData().getSchema();
            String writer = reader.getFileMetaData().getCreatedBy();
            for (PageReadStore pages = reader.readNextRowGroup(); pages != null; pages = reader.readNextRowGroup()) {
                ColumnReadStoreImpl store = new ColumnReadStoreImpl(
                        pages, new GroupRecordConverter(schema).getRootConverter(), schema, writer);
                for (ColumnDescriptor column : schema.getColumns()) {
                    drain(column, store.getColumnReader(column), pages.getRowCount());
                }
                count += pages.getRowCount();
            }
        }
        return count;
    }

    private static void drain(ColumnDescriptor column, ColumnReader reader, long rows) {
        long seen = 0;
        for (long i = 0; i < rows; i++) {
            if (reader.getCurrentDefinitionLevel() == column.getMaxDefinitionLevel()) {
                seen += switch (column.getPrimitiveType().getPrimitiveTypeName()) {
                    case INT64 -> reader.getLong();
                    case INT32 -> reader.getInteger();
                    default -> reader.getBinary().length();
                };
            }
            reader.consume();
        }
        if (seen == 0) {
            throw new IllegalStateException("column " + column + " holds nothing");
        }
    }
}
