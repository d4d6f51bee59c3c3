package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import org.apache.hadoop.hive.common.type.Date;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.common.type.Timestamp;
import org.apache.hadoop.hive.common.type.TimestampTZ;
import org.apache.hadoop.hive.common.type.TimestampTZUtil;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Determines the values of constants and the types that Hive gives them. */
final class LiteralAnalyzer {
    /** A constant and its type. */
    record Literal(Datum value, SqlType type) {}

    private final AnalysisContext context;

    LiteralAnalyzer(AnalysisContext context) {
        this.context = context;
    }

    static boolean isLiteral(int type) {
        return switch (type) {
            case HiveParser.Number,
                    HiveParser.IntegralLiteral,
                    HiveParser.NumberLiteral,
                    HiveParser.StringLiteral,
                    HiveParser.TOK_STRINGLITERALSEQUENCE,
                    HiveParser.TOK_CHARSETLITERAL,
                    HiveParser.KW_TRUE,
                    HiveParser.KW_FALSE,
                    HiveParser.TOK_NULL,
                    HiveParser.TOK_DATELITERAL,
                    HiveParser.TOK_TIMESTAMPLITERAL,
                    HiveParser.TOK_TIMESTAMPLOCALTZLITERAL -> true;
            default -> false;
        };
    }

    Literal analyze(SyntaxNode node) {
        return switch (node.type()) {
            case HiveParser.Number, HiveParser.IntegralLiteral, HiveParser.NumberLiteral -> number(node, "");
            case HiveParser.StringLiteral -> text(StringLiterals.unquote(node.text()));
            case HiveParser.TOK_STRINGLITERALSEQUENCE -> text(StringLiterals.sequence(node));
            case HiveParser.TOK_CHARSETLITERAL -> text(StringLiterals.charset(node));
            case HiveParser.KW_TRUE -> new Literal(Datum.ofBoolean(true), PrimitiveType.BOOLEAN);
            case HiveParser.KW_FALSE -> new Literal(Datum.ofBoolean(false), PrimitiveType.BOOLEAN);
            case HiveParser.TOK_NULL -> new Literal(Datum.NULL, PrimitiveType.VOID);
            case HiveParser.TOK_DATELITERAL -> date(node);
            case HiveParser.TOK_TIMESTAMPLITERAL -> timestamp(node);
            case HiveParser.TOK_TIMESTAMPLOCALTZLITERAL -> instant(node);
            default -> throw SemanticErrors.semantic(node, "'" + node.text() + "' is not a constant");
        };
    }

    private static Literal text(String value) {
        return new Literal(Datum.ofText(value), PrimitiveType.STRING);
    }

    /** @param sign {@code "-"} for a constant after a minus sign; the type is that of the number without it */
    Literal number(SyntaxNode node, String sign) {
        String text = node.text().toUpperCase(Locale.ROOT);
        try {
            if (text.endsWith("BD")) {
                return decimal(sign + text.substring(0, text.length() - 2));
            }
            String digits = text.substring(0, text.length() - 1);
            return switch (text.charAt(text.length() - 1)) {
                case 'L' -> whole(node, sign + digits, PrimitiveType.BIGINT, Long.MIN_VALUE, Long.MAX_VALUE);
                case 'S' -> whole(node, sign + digits, PrimitiveType.SMALLINT, Short.MIN_VALUE, Short.MAX_VALUE);
                case 'Y' -> whole(node, sign + digits, PrimitiveType.TINYINT, Byte.MIN_VALUE, Byte.MAX_VALUE);
                case 'D' -> new Literal(new Datum.OfDouble(Double.parseDouble(sign + digits)), PrimitiveType.DOUBLE);
                default -> plain(sign, text);
            };
        } catch (NumberFormatException e) {
            throw new SkepException(StandardErrorCode.SEMANTIC_ERROR, "'" + node.text() + "' is not a number", e)
                    .at(node.position());
        }
    }

    private static Literal whole(SyntaxNode node, String text, PrimitiveType type, long least, long most) {
        BigInteger value = new BigInteger(text);
        if (value.compareTo(BigInteger.valueOf(least)) < 0 || value.compareTo(BigInteger.valueOf(most)) > 0) {
            throw SemanticErrors.at(node, ErrorMsg.INVALID_NUMERICAL_CONSTANT)
                    .withHint("a " + type + " is between " + least + " and " + most);
        }
        return new Literal(new Datum.OfLong(value.longValue()), type);
    }

    private static Literal plain(String sign, String text) {
        if (text.indexOf('E') >= 0) {
            return new Literal(new Datum.OfDouble(Double.parseDouble(sign + text)), PrimitiveType.DOUBLE);
        }
        if (text.indexOf('.') >= 0) {
            return decimalOrDouble(sign + text);
        }
        BigInteger value = new BigInteger(text);
        if (value.bitLength() < Integer.SIZE) {
            return new Literal(new Datum.OfLong(new BigInteger(sign + text).longValue()), PrimitiveType.INT);
        }
        return value.bitLength() < Long.SIZE
                ? new Literal(new Datum.OfLong(new BigInteger(sign + text).longValue()), PrimitiveType.BIGINT)
                : decimalOrDouble(sign + text);
    }

    /** Returns a double where a decimal has too few digits for the value. */
    private static Literal decimalOrDouble(String text) {
        Literal decimal = decimal(text);
        return decimal.value().equals(Datum.NULL)
                ? new Literal(new Datum.OfDouble(Double.parseDouble(text)), PrimitiveType.DOUBLE)
                : decimal;
    }

    /** Returns a decimal without trailing zeros. Its precision is the number of digits of the value. */
    private static Literal decimal(String text) {
        HiveDecimal value = HiveDecimal.create(text.strip());
        if (value == null) {
            return new Literal(Datum.NULL, new DecimalType(1, 0));
        }
        return decimal(value.bigDecimalValue(), new DecimalType(value.precision(), value.scale()));
    }

    static Literal decimal(BigDecimal value, DecimalType type) {
        BigInteger unscaled = value.setScale(type.scale()).unscaledValue();
        return new Literal(
                type.isShort() ? new Datum.OfLong(unscaled.longValueExact()) : new Datum.OfDecimal(unscaled), type);
    }

    private static Literal date(SyntaxNode node) {
        String text = StringLiterals.unquote(node.text());
        try {
            return new Literal(new Datum.OfLong(Date.valueOf(text).toEpochDay()), PrimitiveType.DATE);
        } catch (IllegalArgumentException e) {
            throw notATime(node, text, "date");
        }
    }

    private static Literal timestamp(SyntaxNode node) {
        String text = StringLiterals.unquote(node.text());
        try {
            Timestamp value = Timestamp.valueOf(text);
            return new Literal(new Datum.OfTimestamp(value.toEpochSecond(), value.getNanos()), PrimitiveType.TIMESTAMP);
        } catch (IllegalArgumentException e) {
            throw notATime(node, text, "timestamp");
        }
    }

    private Literal instant(SyntaxNode node) {
        String text = StringLiterals.unquote(node.text());
        try {
            TimestampTZ value = TimestampTZUtil.parse(text, context.timeZone());
            return new Literal(
                    new Datum.OfTimestamp(value.getEpochSecond(), value.getNanos()), PrimitiveType.TIMESTAMP_LOCAL_TZ);
        } catch (RuntimeException e) {
            throw notATime(node, text, "timestamp with local time zone");
        }
    }

    private static SkepException notATime(SyntaxNode node, String text, String type) {
        return CompileErrors.plain(
                        node.position(),
                        StandardErrorCode.INVALID_ARGUMENT,
                        ErrorMsg.GENERIC_ERROR,
                        "Unable to convert time literal '" + CompileErrors.shown(text) + "' to time value.")
                .withHint("it is not a " + type);
    }
}
