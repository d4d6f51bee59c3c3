package io.skep.storage.serde;

import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.format.FileFormat;
import io.skep.storage.format.HiveClasses;
import io.skep.storage.format.LayoutProperties;
import io.skep.storage.format.Splitting;
import io.skep.storage.format.StoredAs;
import io.skep.storage.scan.BlockStore;
import io.skep.storage.scan.RowGroupReader;
import io.skep.storage.serde.container.ContainerReader;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import io.skep.storage.text.TextFileFormat;
import io.skep.storage.write.PageSink;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A format whose records a SerDe decodes, whichever SerDe the table names. Tables belong to it by their input format.
 */
public final class SerdeFileFormat implements FileFormat {
    /** What Hive's SerDes of Avro and of text read. */
    private static final List<String> READER_SETTINGS = List.of(
            "hive.avro.proleptic.gregorian.default",
            "hive.avro.timestamp.legacy.conversion.enabled",
            "hive.avro.timestamp.skip.conversion",
            "hive.lazysimple.extended_boolean_literal");

    private static final String HIVE_IO = "org.apache.hadoop.hive.ql.io.";

    private static final List<String> HIVE_SERDES =
            List.of("org.apache.hadoop.hive.serde2.", "org.apache.hive.hcatalog.data.JsonSerDe");

    /** SerDes that decode each column by its own position, name and type. */
    private static final Set<String> COLUMNS_ALONE = Set.of(
            "org.apache.hadoop.hive.serde2.columnar.ColumnarSerDe",
            "org.apache.hadoop.hive.serde2.columnar.LazyBinaryColumnarSerDe",
            TextFileFormat.LAZY_SIMPLE_SERDE,
            "org.apache.hadoop.hive.serde2.OpenCSVSerde",
            "org.apache.hadoop.hive.serde2.JsonSerDe",
            "org.apache.hive.hcatalog.data.JsonSerDe");

    public static final SerdeFileFormat SEQUENCE_FILE = new SerdeFileFormat(
            new StoredAs(
                    "sequencefile",
                    List.of(),
                    new HiveClasses(
                            "org.apache.hadoop.mapred.SequenceFileInputFormat",
                            HIVE_IO + "HiveSequenceFileOutputFormat",
                            Optional.empty())),
            Optional.of("SEQ"),
            Optional.of(ContainerReader.SEQUENCE_FILE));

    public static final SerdeFileFormat RCFILE = new SerdeFileFormat(
            new StoredAs(
                    "rcfile",
                    List.of(),
                    HiveClasses.of(
                            HIVE_IO + "RCFileInputFormat",
                            HIVE_IO + "RCFileOutputFormat",
                            "org.apache.hadoop.hive.serde2.columnar.LazyBinaryColumnarSerDe"),
                    Optional.of("hive.default.rcfile.serde")),
            Optional.empty(),
            Optional.of(ContainerReader.RCFILE));

    public static final SerdeFileFormat AVRO = new SerdeFileFormat(
            new StoredAs(
                    "avro",
                    List.of("avrofile"),
                    HiveClasses.of(
                            HIVE_IO + "avro.AvroContainerInputFormat",
                            HIVE_IO + "avro.AvroContainerOutputFormat",
                            "org.apache.hadoop.hive.serde2.avro.AvroSerDe")),
            Optional.empty(),
            Optional.of(ContainerReader.AVRO));

    /** Lines of text in any form but LazySimpleSerDe's. STORED AS JSONFILE names one of these. */
    public static final SerdeFileFormat LINES = new SerdeFileFormat(
            new StoredAs(
                    "jsonfile",
                    List.of("json"),
                    HiveClasses.of(
                            TextFileFormat.LINES.inputFormat(),
                            TextFileFormat.LINES.outputFormat(),
                            "org.apache.hadoop.hive.serde2.JsonSerDe")),
            Optional.empty(),
            Optional.empty());

    /** Everything else: what the table's own input format reads. */
    public static final SerdeFileFormat OTHER =
            new SerdeFileFormat(Optional.empty(), Optional.empty(), Optional.empty());

    private final Optional<StoredAs> storedAs;
    private final Optional<String> inputFormat;
    private final Optional<String> magic;
    private final Optional<ContainerReader> container;

    /** @param container reads the records of a file; without one, the input format does */
    private SerdeFileFormat(StoredAs storedAs, Optional<String> magic, Optional<ContainerReader> container) {
        this(Optional.of(storedAs), magic, container);
    }

    private SerdeFileFormat(Optional<StoredAs> storedAs, Optional<String> magic, Optional<ContainerReader> container) {
        this.storedAs = storedAs;
        this.inputFormat = storedAs.map(stored -> stored.classes().inputFormat());
        this.magic = magic;
        this.container = container;
    }

    @Override
    public Optional<StoredAs> storedAs() {
        return storedAs;
    }

    @Override
    public Optional<String> magic() {
        return magic;
    }

    @Override
    public boolean matches(TableFormat format) {
        return inputFormat.isEmpty() || inputFormat.get().equals(format.inputFormat());
    }

    @Override
    public List<String> readerSettings() {
        return READER_SETTINGS;
    }

    @Override
    public boolean checkedOnLoad(String input) {
        return magic.isPresent()
                && inputFormat
                        .map(own -> own.substring(own.lastIndexOf('.')).toLowerCase(Locale.ROOT))
                        .filter(input.toLowerCase(Locale.ROOT)::endsWith)
                        .isPresent();
    }

    @Override
    public Splitting splitting() {
        return lines() ? Splitting.UNLESS_COMPRESSED : Splitting.NEVER;
    }

    @Override
    public LayoutProperties layoutProperties(TableFormat format) {
        boolean hives = inputFormat.isPresent() && HIVE_SERDES.stream().anyMatch(format.serde()::startsWith);
        return hives ? LayoutProperties.HIVE : LayoutProperties.ALL;
    }

    @Override
    public boolean decodesColumnsAlone(TableFormat format) {
        return COLUMNS_ALONE.contains(format.serde()) && !TextFileFormat.lastTakesRest(format);
    }

    @Override
    public RowGroupReader open(HadoopFileSystem files, ZoneId zone, Split split, BlockStore blocks) {
        return new SerdeRowGroupReader(files, split, zone, container, lines());
    }

    @Override
    public PageSink create(HadoopFileSystem files, ZoneId zone, TableLayout table, String path) {
        return new SerdePageSink(files, table, path, zone);
    }

    private boolean lines() {
        return inputFormat.equals(Optional.of(TextFileFormat.LINES.inputFormat()));
    }
}
