package io.skep.ql.analyze;

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
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.jspecify.annotations.Nullable;

/** Parses types in a statement: in CAST and in column definitions. */
public final class TypeSyntax {
    private static final int DEFAULT_PRECISION = 10;

    private TypeSyntax() {}

    /** @throws SkepException TYPE_MISMATCH for bad parameters, SEMANTIC_ERROR when the node is not a type */
    public static SqlType of(SyntaxNode node) {
        return find(node).orElseThrow(() -> SemanticErrors.semantic(node, "'" + node.text() + "' is not a type"));
    }

    /** Returns the type of a node, or empty when the node is not a type. */
    static Optional<SqlType> find(SyntaxNode node) {
        try {
            return Optional.ofNullable(
                    switch (node.type()) {
                        case HiveParser.TOK_DECIMAL -> decimal(node);
                        case HiveParser.TOK_CHAR -> new CharType(number(node.child(0)));
                        case HiveParser.TOK_VARCHAR -> new VarcharType(number(node.child(0)));
                        case HiveParser.TOK_LIST -> new ArrayType(of(node.child(0)));
                        case HiveParser.TOK_MAP -> new MapType(of(node.child(0)), of(node.child(1)));
                        case HiveParser.TOK_STRUCT -> struct(node.child(0));
                        case HiveParser.TOK_UNIONTYPE -> union(node.child(0));
                        default -> primitive(node.type());
                    });
        } catch (IllegalArgumentException e) {
            throw new SkepException(StandardErrorCode.TYPE_MISMATCH, String.valueOf(e.getMessage()), e)
                    .at(node.position());
        }
    }

    private static @Nullable SqlType primitive(int type) {
        return switch (type) {
            case HiveParser.TOK_BOOLEAN -> PrimitiveType.BOOLEAN;
            case HiveParser.TOK_TINYINT -> PrimitiveType.TINYINT;
            case HiveParser.TOK_SMALLINT -> PrimitiveType.SMALLINT;
            case HiveParser.TOK_INT -> PrimitiveType.INT;
            case HiveParser.TOK_BIGINT -> PrimitiveType.BIGINT;
            case HiveParser.TOK_FLOAT, HiveParser.TOK_REAL -> PrimitiveType.FLOAT;
            case HiveParser.TOK_DOUBLE -> PrimitiveType.DOUBLE;
            case HiveParser.TOK_STRING -> PrimitiveType.STRING;
            case HiveParser.TOK_BINARY -> PrimitiveType.BINARY;
            case HiveParser.TOK_DATE -> PrimitiveType.DATE;
            case HiveParser.TOK_TIMESTAMP, HiveParser.TOK_DATETIME -> PrimitiveType.TIMESTAMP;
            case HiveParser.TOK_TIMESTAMPLOCALTZ -> PrimitiveType.TIMESTAMP_LOCAL_TZ;
            case HiveParser.TOK_INTERVAL_YEAR_MONTH -> PrimitiveType.INTERVAL_YEAR_MONTH;
            case HiveParser.TOK_INTERVAL_DAY_TIME -> PrimitiveType.INTERVAL_DAY_TIME;
            default -> null;
        };
    }

    private static SqlType decimal(SyntaxNode node) {
        int precision = node.childCount() > 0 ? number(node.child(0)) : DEFAULT_PRECISION;
        return new DecimalType(precision, node.childCount() > 1 ? number(node.child(1)) : 0);
    }

    private static int number(SyntaxNode node) {
        return Integer.parseInt(node.text());
    }

    /** Parses TOK_TABCOLLIST of TOK_TABCOL name type [comment]. */
    private static SqlType struct(SyntaxNode columns) {
        List<StructType.Field> fields = new ArrayList<>();
        for (SyntaxNode column : columns.children()) {
            fields.add(new StructType.Field(Names.of(column.child(0)), of(column.child(1))));
        }
        return new StructType(fields);
    }

    /** Parses TOK_COLTYPELIST of types. */
    private static SqlType union(SyntaxNode types) {
        return new UnionType(types.children().stream().map(TypeSyntax::of).toList());
    }
}
