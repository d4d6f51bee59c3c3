package io.skep.ql.insert;

import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.metastore.FieldSchema;
import io.skep.ql.analyze.TypeRules;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import io.skep.ql.rel.TypeMapping;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.ErrorMsg;

/** Converts what a query gives for a column of a table to the column's type. */
final class ColumnConversion {
    private ColumnConversion() {}

    /**
     * Refuses nested values for a column of a primitive type, and the reverse, as Hive does: no text of theirs becomes
     * the column's value.
     *
     * @param table the table's name in the statement
     * @param index of the column among those of the query
     */
    static RexNode of(RexNode value, FieldSchema column, int index, SyntaxNode table, HiveRexBuilder rex) {
        SqlType type = TypeMapping.toSql(value.getType());
        if (type != PrimitiveType.VOID && TypeRules.isComplex(type) != TypeRules.isComplex(column.type())) {
            throw CompileErrors.at(
                    table,
                    StandardErrorCode.SEMANTIC_ERROR,
                    ErrorMsg.TARGET_TABLE_COLUMN_MISMATCH,
                    "Cannot convert column " + index + " from " + type.displayName() + " to "
                            + column.type().displayName() + ".");
        }
        return rex.cast(value, column.type());
    }
}
