package io.skep.storage.parquet;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.common.type.VectorKind;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;

/** Which of a file's leaf types can be read as which type. */
final class LeafTypes {
    private LeafTypes() {}

    /** @throws SkepException (TYPE_MISMATCH) when there is no conversion */
    static void check(org.apache.parquet.schema.PrimitiveType leaf, SqlType wanted) {
        if (!readable(leaf, wanted)) {
            throw new SkepException(
                            StandardErrorCode.TYPE_MISMATCH, "Parquet's '" + leaf + "' cannot be read as " + wanted)
                    .withHint("declare the column with a type that fits the files");
        }
    }

    private static boolean readable(org.apache.parquet.schema.PrimitiveType leaf, SqlType wanted) {
        boolean text = wanted == PrimitiveType.STRING || wanted instanceof CharType || wanted instanceof VarcharType;
        boolean decimal = leaf.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation;
        boolean timestamp = wanted == PrimitiveType.TIMESTAMP || wanted == PrimitiveType.TIMESTAMP_LOCAL_TZ;
        boolean floating = wanted.vectorKind() == VectorKind.DOUBLE;
        boolean number = wanted instanceof DecimalType || floating || integer(wanted);
        return switch (leaf.getPrimitiveTypeName()) {
            case BOOLEAN -> wanted == PrimitiveType.BOOLEAN || text;
            case INT32 ->
                leaf.getLogicalTypeAnnotation() instanceof DateLogicalTypeAnnotation
                        ? wanted == PrimitiveType.DATE || wanted == PrimitiveType.TIMESTAMP || text
                        : number || text || wanted == PrimitiveType.DATE;
            case INT64 ->
                leaf.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation
                        ? timestamp || wanted == PrimitiveType.DATE
                        : number || text;
            case FLOAT, DOUBLE -> floating || text;
            case INT96 -> timestamp || wanted == PrimitiveType.DATE;
            case BINARY, FIXED_LEN_BYTE_ARRAY -> decimal ? number || text : wanted == PrimitiveType.BINARY || text;
        };
    }

    private static boolean integer(SqlType type) {
        return type == PrimitiveType.TINYINT
                || type == PrimitiveType.SMALLINT
                || type == PrimitiveType.INT
                || type == PrimitiveType.BIGINT;
    }
}
