package io.skep.ql.insert;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.CharType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.metastore.FieldSchema;
import io.skep.ql.analyze.TypeRules;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.TypeMapping;
import java.util.Locale;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.ErrorMsg;

/** Converts what a query gives for a column of a table to the column's type. */
final class ColumnConversion {
    private ColumnConversion() {}

    /**
     * Refuses nested values for a column of texts or bytes, and other values for a column of nested ones, as Hive does:
     * no text of theirs becomes the column's value. Other conversions are refused where the plan is translated.
     *
     * @param table the table's name in the statement
     * @param index of the column among those of the query
     */
    static RexNode of(RexNode value, FieldSchema column, int index, SyntaxNode table, HiveRexBuilder rex) {
        SqlType type = TypeMapping.toSql(value.getType());
        SqlType wanted = column.type();
        if (TypeRules.isComplex(type) && isText(wanted)) {
            throw CompileErrors.plain(
                    table.position(),
                    StandardErrorCode.SEMANTIC_ERROR,
                    ErrorMsg.GENERIC_ERROR,
                    "The function " + function(wanted) + " takes only primitive types");
        }
        if (TypeRules.isComplex(wanted) && !TypeRules.isComplex(type) && type != PrimitiveType.VOID) {
            throw CompileErrors.at(
                    table,
                    StandardErrorCode.SEMANTIC_ERROR,
                    ErrorMsg.TARGET_TABLE_COLUMN_MISMATCH,
                    "Cannot convert column " + index + " from " + type.displayName() + " to " + wanted.displayName()
                            + ".");
        }
        return rex.cast(value, wanted);
    }

    private static boolean isText(SqlType type) {
        return type instanceof CharType
                || type instanceof VarcharType
                || type == PrimitiveType.STRING
                || type == PrimitiveType.BINARY;
    }

    /** Returns Hive's function that converts to a type. */
    private static String function(SqlType type) {
        String name = type.displayName().toUpperCase(Locale.ROOT);
        int length = name.indexOf('(');
        return length < 0 ? name : name.substring(0, length);
    }
}
