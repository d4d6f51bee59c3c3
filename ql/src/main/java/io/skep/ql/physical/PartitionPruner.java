package io.skep.ql.physical;

import io.skep.common.type.CharType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.expression.ExpressionCompiler;
import io.skep.engine.plan.Expression;
import io.skep.metastore.Catalog;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Determines which partitions a scan must read. Owned by one thread. */
public final class PartitionPruner {
    /** The name of the partition whose column is null. */
    public static final String DEFAULT_PARTITION = "__HIVE_DEFAULT_PARTITION__";

    private final ExpressionCompiler compiler;
    private final PartitionColumns columns;
    private final String zone;

    /** @param zone the id of the session's time zone */
    public PartitionPruner(ExpressionCompiler compiler, PartitionColumns columns, String zone) {
        this.compiler = compiler;
        this.columns = columns;
        this.zone = zone;
    }

    /** Returns the partitions of a partitioned table that may contain matching rows. */
    public List<Partition> partitions(ScanAssignment scan, Catalog catalog) {
        Table table = scan.table();
        Optional<Expression> condition = Expressions.and(scan.partitionPredicates());
        if (condition.isEmpty()) {
            return catalog.partitions(table, values -> true);
        }
        PartitionColumns.Columns known = columns.of(table, zone, texts -> typed(texts, table.partitionKeys()));
        int[] positions = new int[known.names().size()];
        int count = compiler.compileFilter(condition.get()).filter(known.values(), positions);
        List<String> names = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            names.add(known.names().get(positions[i]));
        }
        return catalog.partitionsByName(table, names);
    }

    /** Returns the values of partitions, in the order of the keys. */
    public List<List<Datum>> values(Table table, List<Partition> partitions) {
        List<FieldSchema> keys = table.partitionKeys();
        Batch typed = typed(partitions.stream().map(Partition::values).toList(), keys);
        List<List<Datum>> values = new ArrayList<>(partitions.size());
        for (int row = 0; row < partitions.size(); row++) {
            List<Datum> each = new ArrayList<>(keys.size());
            for (int key = 0; key < keys.size(); key++) {
                each.add(Datum.of(typed.column(key), row, keys.get(key).type()));
            }
            values.add(each);
        }
        return values;
    }

    /** Returns those of some values of columns for which a condition is not true. */
    public List<List<String>> excluded(Expression condition, List<FieldSchema> columns, List<List<String>> values) {
        Batch typed = typed(values, columns);
        int[] positions = new int[values.size()];
        int count = compiler.compileFilter(condition).filter(typed, positions);
        List<List<String>> excluded = new ArrayList<>(values);
        for (int i = count - 1; i >= 0; i--) {
            excluded.remove(positions[i]);
        }
        return excluded;
    }

    /**
     * Whether a partition value means NULL. As in Hive, the default partition's name is an ordinary value if the key is
     * text, and NULL otherwise.
     */
    public static boolean isNull(String value, SqlType key) {
        boolean text = key == PrimitiveType.STRING || key instanceof VarcharType || key instanceof CharType;
        return !text && value.equals(DEFAULT_PARTITION);
    }

    private Batch typed(List<List<String>> texts, List<FieldSchema> keys) {
        List<Vector> typed = new ArrayList<>();
        for (int key = 0; key < keys.size(); key++) {
            VectorAppender appender = VectorAppender.of(PrimitiveType.STRING);
            for (List<String> values : texts) {
                String value = values.get(key);
                Datum datum = isNull(value, keys.get(key).type()) ? Datum.NULL : Datum.ofText(value);
                datum.appendTo(appender, PrimitiveType.STRING);
            }
            typed.add(converted(appender.build(), keys.get(key).type(), texts.size()));
        }
        return new Batch(typed, texts.size());
    }

    private Vector converted(Vector texts, SqlType type, int rows) {
        if (type == PrimitiveType.STRING) {
            return texts;
        }
        Expression text = new Expression.InputColumn(0, PrimitiveType.STRING);
        return compiler.compile(new Expression.Cast(text, type)).evaluate(new Batch(List.of(texts), rows));
    }
}
