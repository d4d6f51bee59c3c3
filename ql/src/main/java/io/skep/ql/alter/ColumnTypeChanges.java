package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.ArrayType;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.type.VarcharType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.statement.Formats;
import io.skep.ql.statement.PartitionSpec;
import io.skep.storage.parquet.ParquetFileFormat;
import io.skep.storage.registry.FileFormats;
import io.skep.storage.registry.FormatProperties;
import io.skep.storage.serde.SerdeColumns;
import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Checks which changes of a table's columns Hive accepts: those after which the existing data can still be read. */
final class ColumnTypeChanges {
    private static final String CHECKED = "hive.metastore.disallow.incompatible.col.type.changes";

    /** SerDes that allow their tables' columns to be replaced. */
    private static final Set<String> REPLACEABLE = Set.of(
            "org.apache.hadoop.hive.serde2.MetadataTypedColumnsetSerDe",
            "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
            "org.apache.hadoop.hive.serde2.columnar.ColumnarSerDe",
            "org.apache.hadoop.hive.serde2.dynamic_type.DynamicSerDe",
            "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
            "org.apache.hadoop.hive.ql.io.orc.OrcSerde");

    private ColumnTypeChanges() {}

    /** Compares a table's columns before and after the change by position, as Hive's metastore does. */
    static void check(List<FieldSchema> before, List<FieldSchema> after, Alteration alteration) {
        if (!alteration.context().settings().getBoolean(CHECKED)) {
            return;
        }
        for (int i = 0; i < Math.min(before.size(), after.size()); i++) {
            SqlType from = before.get(i).type();
            SqlType to = after.get(i).type();
            if (!isCompatible(from, to)) {
                throw CompileErrors.task(
                                alteration.clause().position(),
                                StandardErrorCode.TYPE_MISMATCH,
                                ErrorMsg.REPL_INVALID_ALTER_TABLE,
                                "Unable to alter table. The following columns have types incompatible with the existing"
                                        + " columns in their respective positions :\n"
                                        + after.get(i).name())
                        .withHint("set " + CHECKED + "=false to change it anyway");
            }
        }
    }

    /**
     * Whether a type may change to another. Numbers may become wider; numbers, text and times may become text; a
     * complex type may become another of its kind.
     */
    static boolean isCompatible(SqlType from, SqlType to) {
        if (from.equals(to)) {
            return true;
        }
        if (width(from).isPresent() && width(to).isPresent()) {
            return width(from).get() <= width(to).get();
        }
        if (isText(to)) {
            return isText(from) || width(from).isPresent() || isTime(from);
        }
        return switch (from) {
            case PrimitiveType primitive ->
                isTimestamp(primitive) && to instanceof PrimitiveType other && isTimestamp(other);
            case ArrayType array -> to instanceof ArrayType;
            case MapType map -> to instanceof MapType;
            case StructType struct -> to instanceof StructType;
            case UnionType union -> to instanceof UnionType;
            case DecimalType decimal -> false;
            case CharType text -> false;
            case VarcharType text -> false;
        };
    }

    /**
     * Returns the rank of a numeric type by width. All decimals have the same rank, so any decimal may become any
     * other.
     */
    private static Optional<Integer> width(SqlType type) {
        if (type instanceof DecimalType) {
            return Optional.of(4);
        }
        int place = List.of(
                        PrimitiveType.TINYINT,
                        PrimitiveType.SMALLINT,
                        PrimitiveType.INT,
                        PrimitiveType.BIGINT,
                        PrimitiveType.VOID,
                        PrimitiveType.FLOAT,
                        PrimitiveType.DOUBLE)
                .indexOf(type);
        return place < 0 || type == PrimitiveType.VOID ? Optional.empty() : Optional.of(place);
    }

    private static boolean isText(SqlType type) {
        return type == PrimitiveType.STRING || type instanceof CharType || type instanceof VarcharType;
    }

    private static boolean isTime(SqlType type) {
        return type == PrimitiveType.DATE || type instanceof PrimitiveType primitive && isTimestamp(primitive);
    }

    private static boolean isTimestamp(PrimitiveType type) {
        return type == PrimitiveType.TIMESTAMP || type == PrimitiveType.TIMESTAMP_LOCAL_TZ;
    }

    /** Refuses to change single columns of a table of Avro whose schema is a property, which says what they are. */
    static void checkAvro(Alteration alteration) {
        Table table = alteration.table();
        TableFormat format =
                FormatProperties.reading(format(alteration), table.properties(), FormatProperties.Precedence.TABLE);
        if (SerdeColumns.areDefinedBy(format)) {
            throw CompileErrors.task(
                    alteration.clause().position(),
                    StandardErrorCode.NOT_SUPPORTED,
                    ErrorMsg.GENERIC_ERROR,
                    "Not allowed to alter schema of Avro stored table having external schema. Consider removing"
                            + " avro.schema.literal or avro.schema.url from table properties.");
        }
    }

    /** @param moves whether the column changes its position */
    static void checkOrder(boolean moves, Alteration alteration) {
        if (moves && isOrc(alteration) && schemasEvolve(alteration)) {
            throw refused(ErrorMsg.CANNOT_REORDER_COLUMNS, alteration);
        }
    }

    static void checkReplace(List<FieldSchema> before, List<FieldSchema> after, Alteration alteration) {
        if (!REPLACEABLE.contains(format(alteration).serde())) {
            throw refused(ErrorMsg.CANNOT_REPLACE_COLUMNS, alteration);
        }
        boolean parquetParts = isParquet(alteration)
                && !alteration.table().partitionKeys().isEmpty()
                && !alteration.clause().has(HiveParser.TOK_CASCADE);
        if (after.size() < before.size() && (isOrc(alteration) || parquetParts) && schemasEvolve(alteration)) {
            throw refused(ErrorMsg.REPLACE_CANNOT_DROP_COLUMNS, alteration);
        }
    }

    static void checkDrop(Alteration alteration) {
        if (!schemasEvolve(alteration)) {
            return;
        }
        if (isOrc(alteration)) {
            ErrorMsg error = ErrorMsg.CANNOT_DROP_COLUMN;
            throw CompileErrors.namedTask(
                    alteration.clause().position(),
                    StandardErrorCode.NOT_SUPPORTED,
                    error,
                    error.format(alteration.table().qualifiedName()));
        }
        boolean parts = !alteration.table().partitionKeys().isEmpty();
        if (isParquet(alteration) && parts && !alteration.clause().has(HiveParser.TOK_CASCADE)) {
            ErrorMsg error = ErrorMsg.DROP_COLUMN_UNCASCADED;
            throw CompileErrors.namedTask(
                    alteration.clause().position(), StandardErrorCode.NOT_SUPPORTED, error, error.getMsg());
        }
    }

    /** Refuses types that Parquet files cannot hold. Other formats are only checked when a table is made. */
    static void checkParquet(Table changed, Alteration alteration) {
        if (isParquet(alteration)) {
            Formats.checkColumns(
                    changed.storage(), changed.properties(), alteration.clause().position());
        }
    }

    /** Refuses to change the format of ORC tables, since ORC files cannot be read with any other format. */
    static void checkFormat(Alteration alteration) {
        checkKept("Changing file format (from ORC)", "", alteration);
    }

    /** Like {@link #checkFormat}, of the SerDe. */
    static void checkSerde(Alteration alteration) {
        checkKept("Changing SerDe (from OrcSerde)", ". File format may be incompatible", alteration);
    }

    private static void checkKept(String what, String reason, Alteration alteration) {
        if (isOrc(alteration) && schemasEvolve(alteration)) {
            throw CompileErrors.namedTask(
                    alteration.clause().position(),
                    StandardErrorCode.NOT_SUPPORTED,
                    ErrorMsg.GENERIC_ERROR,
                    what + " is not supported for table " + alteration.table().qualifiedName() + reason);
        }
    }

    /** Whether files must stay readable by the table's columns. Users may switch that off for plain tables. */
    private static boolean schemasEvolve(Alteration alteration) {
        return alteration.table().isTransactional()
                || alteration.context().settings().getBoolean("hive.exec.schema.evolution");
    }

    private static boolean isParquet(Alteration alteration) {
        return FileFormats.of(format(alteration)) instanceof ParquetFileFormat;
    }

    private static boolean isOrc(Alteration alteration) {
        return FileFormats.of(format(alteration)).equals(FileFormats.ORC);
    }

    /** Returns the format of the files that an alteration is about: of one partition, if it names one. */
    static TableFormat format(Alteration alteration) {
        Table table = alteration.table();
        return alteration
                .partition()
                .map(clause -> PartitionSpec.of(table, clause, alteration.context()))
                .filter(PartitionSpec::isComplete)
                .flatMap(spec -> alteration.context().catalog().partition(table, spec.complete()))
                .map(Partition::storage)
                .orElse(table.storage())
                .format();
    }

    private static SkepException refused(ErrorMsg error, Alteration alteration) {
        return CompileErrors.namedTask(
                alteration.clause().position(),
                StandardErrorCode.NOT_SUPPORTED,
                error,
                error.format(alteration.table().qualifiedName()));
    }
}
