package io.skep.storage.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.scan.BatchIterator;
import io.skep.storage.scan.RowGroup;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests levels, dictionaries and plain pages of columns that are not repeated, in files of Parquet's own writer. */
class TestFlatColumn {
    private static final MessageType SCHEMA = MessageTypeParser.parseMessageType(
            "message m { optional int64 n; optional binary s (STRING); required int32 r; }");

    private static final TableLayout TABLE =
            FormatTables.table(FormatTables.PARQUET, Map.of(), "n bigint", "s string", "r int");

    @TempDir
    Path folder;

    private final FormatTables tables = new FormatTables();

    /**
     * Random rows. The number of different texts changes in the middle, so that the writer gives up its dictionary
     * within a column chunk.
     */
    private static List<List<Datum>> rows(Random random) {
        List<List<Datum>> rows = new ArrayList<>();
        int count = 1 + random.nextInt(3000);
        int nulls = random.nextInt(101);
        for (int i = 0; i < count; i++) {
            boolean few = i < count / 2;
            String text = few ? "value " + random.nextInt(5) : "a text of its own " + random.nextLong();
            rows.add(List.of(
                    random.nextInt(100) < nulls ? Datum.NULL : new Datum.OfLong(random.nextLong()),
                    random.nextInt(100) < nulls ? Datum.NULL : Datum.ofText(text),
                    new Datum.OfLong(random.nextInt())));
        }
        return rows;
    }

    private Split write(String name, WriterVersion version, Random random, List<List<Datum>> rows) throws IOException {
        Path place = folder.resolve(name);
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(
                        new org.apache.hadoop.fs.Path(place.resolve("f").toUri()))
                .withConf(new Configuration())
                .withType(SCHEMA)
                .withWriterVersion(version)
                .withDictionaryEncoding(random.nextBoolean())
                .withDictionaryPageSize(2000)
                .withPageSize(500 + random.nextInt(5000))
                .withPageRowCountLimit(20 + random.nextInt(500))
                .build()) {
            SimpleGroupFactory groups = new SimpleGroupFactory(SCHEMA);
            for (List<Datum> row : rows) {
                Group group = groups.newGroup();
                if (row.get(0) instanceof Datum.OfLong number) {
                    group.add("n", number.value());
                }
                if (row.get(1) instanceof Datum.OfBytes text) {
                    group.add("s", text.toString());
                }
                if (row.get(2) instanceof Datum.OfLong number) {
                    group.add("r", (int) number.value());
                }
                writer.write(group);
            }
        }
        return tables.splits(TABLE, place.toString(), List.of()).getFirst();
    }

    private List<List<Datum>> read(Split split, int batchRows) {
        List<List<Datum>> rows = new ArrayList<>();
        try (RowGroupReader reader = tables.formats.open(split)) {
            for (RowGroup rowGroup : reader.rowGroups()) {
                try (BatchIterator batches = reader.read(rowGroup, List.of(0, 1, 2), batchRows)) {
                    while (batches.hasNext()) {
                        append(batches.next(), rows);
                    }
                }
            }
        }
        return rows;
    }

    private static void append(Batch batch, List<List<Datum>> rows) {
        for (int row = 0; row < batch.rowCount(); row++) {
            List<Datum> values = new ArrayList<>();
            for (int column = 0; column < 3; column++) {
                values.add(
                        Datum.of(batch.column(column), row, TABLE.column(column).type()));
            }
            rows.add(values);
        }
    }

    /** Batches end anywhere in pages, and pages anywhere in batches. */
    @ParameterizedTest
    @EnumSource(
            value = WriterVersion.class,
            names = {"PARQUET_1_0", "PARQUET_2_0"})
    void everyRowComesBackInBatchesOfAnySize(WriterVersion version) throws IOException {
        for (int seed = 0; seed < 25; seed++) {
            Random random = new Random(seed);
            List<List<Datum>> rows = rows(random);
            Split split = write(version + "-" + seed, version, random, rows);
            int batchRows = 1 + random.nextInt(1500);
            assertThat(read(split, batchRows))
                    .as("seed %s, batches of %s", seed, batchRows)
                    .isEqualTo(rows);
        }
    }
}
