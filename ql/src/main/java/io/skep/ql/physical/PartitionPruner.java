package io.skep.ql.physical;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.engine.expression.Evaluator;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.expression.FilterEvaluator;
import io.skep.engine.plan.Expression;
import io.skep.metastore.Catalog;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Decides which partitions a scan has to read. Owned by one thread. */
public final class PartitionPruner {
    /** The name of the partition whose column is null. */
    public static final String DEFAULT_PARTITION = "__HIVE_DEFAULT_PARTITION__";

    private final ExpressionCompiler compiler;

    public PartitionPruner(ExpressionCompiler compiler) {
        this.compiler = compiler;
    }

    /** A filter over partition values, in the order of the partition keys. */
    public Predicate<List<String>> filter(ScanAssignment scan) {
        if (scan.partitionPredicates().isEmpty()) {
            return values -> true;
        }
        List<Evaluator> columns = columns(scan.table());
        List<FilterEvaluator> filters =
                scan.partitionPredicates().stream().map(compiler::compileFilter).toList();
        int[] positions = new int[1];
        return values -> {
            Batch row = row(values, columns);
            return filters.stream().allMatch(filter -> filter.filter(row, positions) == 1);
        };
    }

    /** One evaluator a partition column, that converts its text. */
    private List<Evaluator> columns(Table table) {
        List<Evaluator> columns = new ArrayList<>();
        for (int i = 0; i < table.partitionKeys().size(); i++) {
            FieldSchema key = table.partitionKeys().get(i);
            Expression text = new Expression.InputColumn(i, PrimitiveType.STRING);
            SqlType type = key.type();
            columns.add(compiler.compile(type == PrimitiveType.STRING ? text : new Expression.Cast(text, type)));
        }
        return columns;
    }

    private static Batch row(List<String> values, List<Evaluator> columns) {
        List<Vector> texts = new ArrayList<>();
        for (String value : values) {
            Datum datum = value.equals(DEFAULT_PARTITION) ? Datum.NULL : Datum.ofText(value);
            texts.add(datum.toVector(PrimitiveType.STRING));
        }
        Batch input = new Batch(texts, 1);
        return new Batch(columns.stream().map(column -> column.evaluate(input)).toList(), 1);
    }

    /** The partitions of a partitioned table that may hold matching rows. */
    public List<Partition> partitions(ScanAssignment scan, Catalog catalog) {
        return catalog.partitions(scan.table(), filter(scan));
    }
}
