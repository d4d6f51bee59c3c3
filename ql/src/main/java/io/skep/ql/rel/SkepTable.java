package io.skep.ql.rel;

import io.skep.common.type.SqlType;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.storage.table.VirtualColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptAbstractTable;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.jspecify.annotations.Nullable;

/**
 * A catalog table in a plan. Its columns are the data columns, the partition columns and the virtual columns, in the
 * order of {@link io.skep.storage.table.TableLayout}. Unwraps to {@link Table}. A sample of a table is another table
 * than the whole of it: it has another qualified name, by which Calcite tells scans apart.
 */
public final class SkepTable extends RelOptAbstractTable {
    private static final double UNKNOWN_ROW_COUNT = 1_000_000;

    private final Table table;
    private final Optional<TableSample> sample;

    private SkepTable(Table table, Optional<TableSample> sample, RelDataType rowType) {
        super(null, table.name(), rowType);
        this.table = table;
        this.sample = sample;
    }

    public static SkepTable of(Table table, TypeMapping types) {
        return of(table, Optional.empty(), types);
    }

    /** @param sample what is read of the table; empty for all of it */
    public static SkepTable of(Table table, Optional<TableSample> sample, TypeMapping types) {
        List<String> names = new ArrayList<>();
        List<SqlType> columnTypes = new ArrayList<>();
        for (FieldSchema column : storedColumns(table)) {
            names.add(column.name());
            columnTypes.add(column.type());
        }
        for (VirtualColumn column : VirtualColumn.values()) {
            names.add(column.column().name());
            columnTypes.add(column.column().type());
        }
        return new SkepTable(table, sample, types.rowType(names, columnTypes));
    }

    /** Returns the data columns, then the partition columns. */
    public static List<FieldSchema> storedColumns(Table table) {
        List<FieldSchema> columns = new ArrayList<>(table.columns());
        columns.addAll(table.partitionKeys());
        return columns;
    }

    public Table table() {
        return table;
    }

    /** Returns what is read of the table; empty for all of it. */
    public Optional<TableSample> sample() {
        return sample;
    }

    /** Returns a part of the table. */
    public SkepTable sampled(TableSample part) {
        return new SkepTable(table, Optional.of(part), getRowType());
    }

    public RelNode scan(RelOptCluster cluster) {
        return LogicalTableScan.create(cluster, this, List.of());
    }

    @Override
    public List<String> getQualifiedName() {
        return sample.isEmpty()
                ? List.of(table.database(), table.name())
                : List.of(table.database(), table.name(), sample.get().toString());
    }

    /** Returns the row count of the table's basic statistics, or a guess if there is none. */
    @Override
    public double getRowCount() {
        double rows = rowsOfTable();
        return sample.map(part -> part.rows(rows)).orElse(rows);
    }

    private double rowsOfTable() {
        String rows = table.properties().get("numRows");
        if (rows == null) {
            return UNKNOWN_ROW_COUNT;
        }
        try {
            long count = Long.parseLong(rows);
            return count < 0 ? UNKNOWN_ROW_COUNT : Math.max(1, count);
        } catch (NumberFormatException e) {
            return UNKNOWN_ROW_COUNT;
        }
    }

    @Override
    public <T> @Nullable T unwrap(Class<T> type) {
        if (type.isInstance(table)) {
            return type.cast(table);
        }
        return type.isInstance(this) ? type.cast(this) : null;
    }
}
