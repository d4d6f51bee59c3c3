package io.skep.ql.analyze;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Datum;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.TableSample;
import java.util.Locale;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rex.RexNode;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * TABLESAMPLE by rows, percent or bytes. The sample is one of the partitions that the query reads, before its other
 * conditions and before row filters.
 */
record SplitSample(SyntaxNode clause, TableSample sample) {
    private static final String SEED = "hive.sample.seednumber";
    private static final String INPUT_FORMAT = "hive.input.format";
    private static final String WITHOUT_SAMPLES = "org.apache.hadoop.hive.ql.io.HiveInputFormat";

    static SplitSample of(SyntaxNode clause, Environment environment) {
        SyntaxNode unit = clause.child(0);
        SyntaxNode size = clause.child(1);
        TableSample sample = switch (unit.type()) {
            case HiveParser.TOK_ROWCOUNT -> new TableSample.Rows(rows(size));
            case HiveParser.TOK_PERCENT -> {
                requireSamples("Percentage sampling", size, environment);
                yield new TableSample.Percent(percent(size), seed(clause, environment));
            }
            case HiveParser.TOK_LENGTH -> {
                requireSamples("Total Length sampling", size, environment);
                yield new TableSample.Bytes(bytes(size), seed(clause, environment));
            }
            default -> throw SemanticErrors.notSupported(clause, "TABLESAMPLE by '" + unit.text() + "'");
        };
        return new SplitSample(clause, sample);
    }

    /** A session that asks for an input format of Hive without samples gets Hive's error. */
    private static void requireSamples(String kind, SyntaxNode size, Environment environment) {
        if (environment
                .context()
                .settings()
                .getOrDefault(INPUT_FORMAT, "")
                .strip()
                .equals(WITHOUT_SAMPLES)) {
            throw CompileErrors.near(
                    size, StandardErrorCode.SEMANTIC_ERROR, kind + " is not supported in " + WITHOUT_SAMPLES);
        }
    }

    private static long rows(SyntaxNode number) {
        try {
            return Integer.parseInt(number.text());
        } catch (NumberFormatException e) {
            throw wrongNumber(number, "rows", "a whole number up to " + Integer.MAX_VALUE);
        }
    }

    private static double percent(SyntaxNode number) {
        double percent;
        try {
            percent = Double.parseDouble(number.text());
        } catch (NumberFormatException e) {
            throw wrongNumber(number, "percent", "a number");
        }
        if (percent < 0 || percent > 100) {
            throw CompileErrors.near(
                    number, StandardErrorCode.SEMANTIC_ERROR, "Sampling percentage should be between 0 and 100");
        }
        return percent;
    }

    /** Reads a number with one of the units B, K, M and G. */
    private static long bytes(SyntaxNode literal) {
        String text = literal.text().toUpperCase(Locale.ROOT);
        int last = text.length() - 1;
        int shift = switch (text.charAt(last)) {
            case 'K' -> 10;
            case 'M' -> 20;
            case 'G' -> 30;
            default -> 0;
        };
        try {
            return (long) Integer.parseInt(text, 0, last, 10) << shift;
        } catch (NumberFormatException e) {
            throw wrongNumber(literal, "bytes", "a whole number up to " + Integer.MAX_VALUE + " before the unit");
        }
    }

    private static int seed(SyntaxNode clause, Environment environment) {
        String seed = environment.context().settings().getOrDefault(SEED, "0").strip();
        try {
            return Integer.parseInt(seed);
        } catch (NumberFormatException e) {
            throw SemanticErrors.semantic(clause, SEED + " is '" + CompileErrors.shown(seed) + "', not a whole number");
        }
    }

    private static SkepException wrongNumber(SyntaxNode number, String unit, String expected) {
        return SemanticErrors.semantic(
                number,
                "TABLESAMPLE takes " + expected + " of " + unit + ", not '" + CompileErrors.shown(number.text()) + "'");
    }

    /** Returns the sample of a view or common table, which has no files. */
    Scope ofQuery(Scope rows, RelFactory factory) {
        if (!(sample instanceof TableSample.Rows first)) {
            throw SemanticErrors.notSupported(clause, "TABLESAMPLE by percent or bytes of a view or common table");
        }
        RexNode count = factory.rex().constant(new Datum.OfLong(first.count()), PrimitiveType.BIGINT);
        RelNode limited = LogicalSort.create(rows.rel(), RelCollations.EMPTY, null, count);
        return rows.over(limited);
    }
}
