package io.skep.storage.serde;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.storage.serde.value.HiveTypes;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.apache.hadoop.hive.serde2.objectinspector.StructField;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.mapred.JobConf;

/**
 * The columns of tables whose SerDe defines them itself. This applies to Avro, when the properties contain a schema or
 * the location of one.
 */
public final class SerdeColumns {
    /** The property with a schema of Avro. */
    public static final String SCHEMA_LITERAL = "avro.schema.literal";

    /** The property with the location of a schema of Avro. */
    public static final String SCHEMA_URL = "avro.schema.url";

    private static final Set<String> SCHEMAS = Set.of(SCHEMA_LITERAL, SCHEMA_URL);
    private static final String UNREADABLE = "error_error_error";

    private static final Set<String> ANY_COLUMNS =
            Set.of("org.apache.hadoop.hive.ql.io.orc.OrcSerde", "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe");

    private static final String AVRO = "org.apache.hadoop.hive.serde2.avro.AvroSerDe";
    private static final String CSV = "org.apache.hadoop.hive.serde2.OpenCSVSerde";
    private static final String REGEX = "org.apache.hadoop.hive.serde2.RegexSerDe";

    /** SerDes whose columns Hive keeps in the metastore: {@code hive.serdes.using.metastore.for.schema}. */
    private static final Set<String> OF_METASTORE = Set.of(
            "org.apache.hadoop.hive.ql.io.orc.OrcSerde",
            "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
            "org.apache.hadoop.hive.serde2.MetadataTypedColumnsetSerDe",
            CSV,
            "org.apache.hadoop.hive.serde2.columnar.ColumnarSerDe",
            "org.apache.hadoop.hive.serde2.columnar.LazyBinaryColumnarSerDe",
            "org.apache.hadoop.hive.serde2.dynamic_type.DynamicSerDe",
            "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
            "org.apache.hadoop.hive.serde2.lazybinary.LazyBinarySerDe");

    private SerdeColumns() {}

    /** Whether the format's properties define the columns. */
    public static boolean areDefinedBy(TableFormat format) {
        return format.serde().endsWith(".AvroSerDe")
                && format.properties().keySet().stream().anyMatch(SCHEMAS::contains);
    }

    /** Whether the metastore says which columns a table has, and not its SerDe. */
    public static boolean areOfMetastore(TableFormat format) {
        return OF_METASTORE.contains(format.serde());
    }

    /**
     * Whether files of partitions are read with the columns and properties of the table, and not with those that the
     * partition was made with. As in Hive, that is so for Avro, whose files have schemas of their own.
     */
    public static boolean areOfTable(TableFormat partition, TableFormat table) {
        return partition.serde().equals(AVRO) && table.serde().equals(AVRO);
    }

    /**
     * Returns the type that all columns have in queries and for INSERT, if it is not the declared one, which DESCRIBE
     * shows: all values of OpenCSVSerde are text.
     */
    public static Optional<SqlType> typeOfRows(TableFormat format) {
        return format.serde().equals(CSV) ? Optional.of(PrimitiveType.STRING) : Optional.empty();
    }

    /** Whether the SerDe lists the columns with their declared comments, and with empty ones where there are none. */
    public static boolean haveDeclaredComments(TableFormat format) {
        return format.serde().equals(AVRO) || format.serde().equals(REGEX);
    }

    /**
     * Whether Hive lists the columns as the SerDe does, which has no comments, instead of as they were declared. Those
     * of Avro are taken over when a table is made, and regular expressions have the declared comments.
     */
    public static boolean haveNoComments(TableFormat format) {
        if (areOfMetastore(format) || haveDeclaredComments(format)) {
            return false;
        }
        try {
            return !SerdeClasses.make(SerdeClasses.present(format.serde()), AbstractSerDe.class, new JobConf(false))
                    .shouldStoreFieldsInMetastore(format.properties());
        } catch (SkepException e) {
            return false;
        }
    }

    /**
     * Returns why the SerDe refuses the columns or the properties, if it does. Not asked are the SerDes of text and ORC
     * files, which take all types.
     *
     * @param format the format, including the table's properties
     */
    public static Optional<String> refusal(TableFormat format, List<Column> columns) {
        if (ANY_COLUMNS.contains(format.serde()) || areDefinedBy(format)) {
            return Optional.empty();
        }
        try {
            SerdeClasses.serde(format, SerdeClasses.properties(format, columns), new JobConf(false));
            return Optional.empty();
        } catch (SkepException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** A column as the SerDe describes it; the comment may be empty. */
    public record Described(Column column, String comment) {}

    /**
     * @param format the format, including the table's properties
     * @throws SkepException INVALID_CONFIGURATION when no schema can be read
     */
    public static List<Described> of(TableFormat format) {
        return of(format, List.of());
    }

    /**
     * @param format the format, including the table's properties
     * @param declared the declared columns, which some SerDes list unchanged
     * @throws SkepException INVALID_CONFIGURATION when no schema can be read
     */
    public static List<Described> of(TableFormat format, List<Column> declared) {
        JobConf job = new JobConf(false);
        try {
            var inspector =
                    (StructObjectInspector) SerdeClasses.serde(format, SerdeClasses.properties(format, declared), job)
                            .getObjectInspector();
            List<Described> columns = new ArrayList<>();
            for (StructField field : inspector.getAllStructFieldRefs()) {
                String comment = field.getFieldComment();
                Column column = new Column(
                        field.getFieldName().toLowerCase(Locale.ROOT), HiveTypes.type(field.getFieldObjectInspector()));
                columns.add(new Described(column, comment == null ? "" : comment));
            }
            if (columns.isEmpty() || columns.getFirst().column().name().startsWith(UNREADABLE)) {
                throw unreadable(format, new SerDeException("the schema has no fields"));
            }
            return columns;
        } catch (SerDeException e) {
            throw unreadable(format, e);
        }
    }

    private static SkepException unreadable(TableFormat format, SerDeException cause) {
        return new SkepException(
                        StandardErrorCode.INVALID_CONFIGURATION,
                        "SerDe " + format.serde() + " finds no schema that it can read",
                        cause)
                .withHint("look at avro.schema.literal, or at what avro.schema.url points to");
    }
}
