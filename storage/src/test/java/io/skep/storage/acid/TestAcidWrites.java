package io.skep.storage.acid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.storage.acid.HiveAcidTable.Row;
import io.skep.storage.fixture.FormatTables;
import io.skep.storage.page.SplitEnumerator;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import io.skep.storage.table.VirtualColumn;
import io.skep.storage.write.PageSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.common.ValidTxnList;
import org.apache.hadoop.hive.ql.io.AcidOutputFormat;
import org.apache.hadoop.hive.ql.io.BucketCodec;
import org.apache.hadoop.hive.ql.io.RecordIdentifier;
import org.apache.hadoop.hive.ql.io.orc.OrcFile;
import org.apache.hadoop.hive.ql.io.orc.Reader;
import org.apache.orc.impl.OrcAcidUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes files of transactional tables, which Hive's classes read. */
class TestAcidWrites {
    private static final ValidTxnList TRANSACTIONS = Snapshots.transactions(100);
    private static final SqlType ROW_ID = VirtualColumn.ROW_ID.column().type();

    @TempDir
    Path folder;

    private final FormatTables tables = new FormatTables();
    private final TableLayout table = FormatTables.table(
            FormatTables.ORC,
            Map.of("orc.stripe.size", "200000", "orc.bloom.filter.columns", "id, name"),
            "id int",
            "name string");

    private Path write(AcidWrite write, int bucket, List<SqlType> types, List<List<Datum>> rows) {
        String name = write.folder().name();
        Path file = folder.resolve(name).resolve(AcidWrite.fileName(bucket, 0));
        boolean first = !Files.exists(folder.resolve(name));
        PageSink sink = tables.formats.create(table, file.toString(), write, bucket);
        for (int from = 0; from < rows.size(); from += 1500) {
            sink.append(FormatTables.batch(types, rows.subList(from, Math.min(rows.size(), from + 1500))));
        }
        assertThat(sink.finish().rowCount()).isEqualTo(rows.size());
        if (first) {
            AcidVersionFile.create(tables.files, write.folder(), folder.toString());
        }
        return file;
    }

    private Path insert(AcidWrite.Kind kind, long writeId, int statement, int bucket, int count) {
        List<List<Datum>> rows = IntStream.range(0, count)
                .mapToObj(i -> List.of(new Datum.OfLong(i), i % 7 == 0 ? Datum.NULL : Datum.ofText("n" + i * 31L)))
                .toList();
        return write(new AcidWrite(kind, writeId, statement), bucket, FormatTables.types(table), rows);
    }

    private Path delete(long writeId, int bucket, List<RecordIdentifier> rows) {
        List<List<Datum>> ids = rows.stream()
                .sorted()
                .map(id -> List.<Datum>of(new Datum.OfList(List.of(
                        new Datum.OfLong(id.getWriteId()),
                        new Datum.OfLong(id.getBucketProperty()),
                        new Datum.OfLong(id.getRowId())))))
                .toList();
        return write(new AcidWrite(AcidWrite.Kind.DELETE, writeId, 0), bucket, List.of(ROW_ID), ids);
    }

    private List<Row> ours(long last) {
        TableSnapshot snapshot = TableSnapshot.of(TRANSACTIONS, Snapshots.upTo(last), true);
        List<Split> splits = new SplitEnumerator(tables.files, 1L << 40, tables.formats)
                .splits(List.of(new SplitEnumerator.Place(
                        folder.toString(), table.format(), table.dataColumns(), List.of(), Optional.of(snapshot))));
        List<Row> rows = new ArrayList<>();
        for (List<Datum> row :
                tables.read(table, splits, List.of(0, 1, table.ordinal(VirtualColumn.ROW_ID)), List.of())) {
            List<Long> id = ((Datum.OfList) row.get(2))
                    .values().stream()
                            .map(value -> ((Datum.OfLong) value).value())
                            .toList();
            String values = "{" + ((Datum.OfLong) row.get(0)).value() + ", "
                    + (row.get(1).isNull() ? "null" : row.get(1).toString()) + "}";
            rows.add(new Row(id.get(0), Math.toIntExact(id.get(1)), id.get(2), values));
        }
        return rows;
    }

    private List<Row> check(long last) {
        List<Row> rows = ours(last);
        assertThat(new HiveAcidTable(folder).read(TRANSACTIONS, Snapshots.upTo(last)))
                .containsExactlyInAnyOrderElementsOf(rows);
        return rows;
    }

    @Test
    void hiveReadsInsertsAndDeletes() {
        insert(AcidWrite.Kind.INSERT, 1, 0, 0, 120_000);
        insert(AcidWrite.Kind.INSERT, 1, 0, 5, 10);
        insert(AcidWrite.Kind.INSERT, 1, 1, 0, 10);
        assertThat(check(1)).hasSize(120_020);
        List<RecordIdentifier> deleted = new ArrayList<>();
        for (int i = 0; i < 120_000; i += 3) {
            deleted.add(new RecordIdentifier(1, BucketProperty.encode(0, 0), i));
        }
        deleted.add(new RecordIdentifier(1, BucketProperty.encode(0, 1), 4));
        delete(2, 0, deleted);
        delete(2, 5, List.of(new RecordIdentifier(1, BucketProperty.encode(5, 0), 9)));
        assertThat(check(2)).hasSize(80_018);
        insert(AcidWrite.Kind.OVERWRITE, 3, 0, 1, 20);
        assertThat(check(3)).hasSize(20).first().isEqualTo(new Row(3, BucketProperty.encode(1, 0), 0, "{0, null}"));
        assertThat(check(2)).hasSize(80_018);
    }

    @Test
    void filesHaveTheMetadataOfHives() throws IOException {
        Path inserted = insert(AcidWrite.Kind.INSERT, 7, 2, 3, 120_000);
        Path deleted = delete(8, 3, List.of(new RecordIdentifier(7, BucketProperty.encode(3, 2), 9)));
        assertThat(inserted).endsWith(Path.of("delta_0000007_0000007_0002", "bucket_00003_0"));
        assertThat(deleted).endsWith(Path.of("delete_delta_0000008_0000008_0000", "bucket_00003_0"));
        try (Reader reader = reader(inserted)) {
            String keys = metadata(reader, "hive.acid.key.index");
            assertThat(keys.split(";")).hasSize(reader.getStripes().size()).hasSizeGreaterThan(1);
            int property = BucketProperty.encode(3, 2);
            long first = reader.getStripes().get(0).getNumberOfRows() - 1;
            assertThat(keys).startsWith("7," + property + "," + first + ";").endsWith("7," + property + ",119999;");
            assertThat(metadata(reader, "hive.acid.version")).isEqualTo("2");
            assertThat(OrcAcidUtils.parseAcidStats(reader).inserts).isEqualTo(120_000);
        }
        try (Reader reader = reader(deleted)) {
            assertThat(OrcAcidUtils.parseAcidStats(reader).deletes).isEqualTo(1);
            assertThat(OrcAcidUtils.parseAcidStats(reader).inserts).isZero();
        }
        assertThat(Files.readString(inserted.resolveSibling("_orc_acid_version"), StandardCharsets.UTF_8))
                .isEqualTo("2");
    }

    private static String metadata(Reader reader, String key) {
        return StandardCharsets.UTF_8.decode(reader.getMetadataValue(key)).toString();
    }

    private static Reader reader(Path file) throws IOException {
        return OrcFile.createReader(
                new org.apache.hadoop.fs.Path(file.toUri()), OrcFile.readerOptions(new Configuration()));
    }

    @Test
    void emptyFilesAreRead() {
        insert(AcidWrite.Kind.OVERWRITE, 1, 0, 0, 0);
        delete(2, 0, List.of());
        assertThat(check(2)).isEmpty();
    }

    @Test
    void deletesMustBeSorted() {
        AcidWrite write = new AcidWrite(AcidWrite.Kind.DELETE, 4, 0);
        PageSink sink = tables.formats.create(table, folder + "/bucket_00000_0", write, 0);
        List<List<Datum>> rows = new ArrayList<>();
        for (long rowId : List.of(3L, 2L)) {
            rows.add(List.of(new Datum.OfList(
                    List.of(new Datum.OfLong(1), new Datum.OfLong(1 << 29), new Datum.OfLong(rowId)))));
        }
        assertThatThrownBy(() -> sink.append(FormatTables.batch(List.of(ROW_ID), rows)))
                .isInstanceOf(IllegalArgumentException.class);
        sink.abort();
        assertThat(folder.resolve("bucket_00000_0")).doesNotExist();
    }

    @Test
    void otherFormatsHoldNoIdentifiers() {
        TableLayout parquet = table.withFormat(FormatTables.PARQUET);
        AcidWrite write = new AcidWrite(AcidWrite.Kind.INSERT, 1, 0);
        assertThatThrownBy(() -> tables.formats.create(parquet, folder + "/f", write, 0))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.NOT_SUPPORTED));
    }

    @Test
    void bucketPropertiesAreHives() {
        AcidOutputFormat.Options options = new AcidOutputFormat.Options(new Configuration());
        for (int bucket : List.of(0, 1, 77, BucketProperty.MAX_BUCKET)) {
            for (int statement : List.of(0, 1, 9, BucketProperty.MAX_STATEMENT)) {
                int property = BucketCodec.V1.encode(options.bucket(bucket).statementId(statement));
                assertThat(BucketProperty.encode(bucket, statement)).isEqualTo(property);
                assertThat(BucketProperty.bucket(property)).isEqualTo(bucket);
            }
        }
        assertThat(BucketProperty.bucket(12)).isEqualTo(12);
    }
}
