package io.skep.engine.plan;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.storage.acid.AcidWrite;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * An operator of a fragment. Columns of inputs are addressed by index. Nodes form trees, never graphs.
 *
 * <p>Each record says what its inputs are and how it looks over other inputs, so walking and rewriting a plan needs no
 * list of the operators. What depends on an operator's meaning is decided in a switch over all records, without
 * default: the compiler names each one when an operator is added.
 */
public sealed interface PlanNode {
    List<PlanNode> inputs();

    /** Returns the same operator over other inputs, as many as it has. */
    PlanNode withInputs(List<PlanNode> inputs);

    List<SqlType> outputTypes();

    /** Returns the same operator over what the function returns for each input, from the first to the last. */
    default PlanNode mapInputs(UnaryOperator<PlanNode> change) {
        List<PlanNode> inputs = inputs();
        return inputs.isEmpty() ? this : withInputs(inputs.stream().map(change).toList());
    }

    /** Passes this node and then those below it to a visitor, each input's whole tree before the next input. */
    default void walk(Consumer<PlanNode> visitor) {
        visitor.accept(this);
        inputs().forEach(input -> input.walk(visitor));
    }

    /** Whether the test is true of this node or one below it. */
    default boolean anyMatch(Predicate<PlanNode> test) {
        return test.test(this) || inputs().stream().anyMatch(input -> input.anyMatch(test));
    }

    /** An operator without inputs. */
    sealed interface Leaf extends PlanNode {
        @Override
        default List<PlanNode> inputs() {
            return List.of();
        }

        @Override
        default PlanNode withInputs(List<PlanNode> inputs) {
            return this;
        }
    }

    /** An operator with one input. */
    sealed interface Unary extends PlanNode {
        PlanNode input();

        /** Returns the same operator over another input. */
        PlanNode withInput(PlanNode other);

        @Override
        default List<PlanNode> inputs() {
            return List.of(input());
        }

        @Override
        default PlanNode withInputs(List<PlanNode> inputs) {
            return withInput(inputs.getFirst());
        }
    }

    /**
     * Reads a table's splits. Its output consists of the request's columns for the rows for which {@code filter} (over
     * these columns) is true.
     *
     * @param id names the scan in its stage graph; splits are assigned to it
     * @param runtimeFilters filters from joins above the scan; rows that have no match according to these are left out
     * @param splitFilters filters by which a scheduler that starts scans after other fragments may leave out splits
     */
    record Scan(
            int id,
            ScanRequest request,
            Optional<Expression> filter,
            List<RuntimeFilter> runtimeFilters,
            List<DynamicPartitionFilter> splitFilters)
            implements Leaf {
        public Scan {
            runtimeFilters = List.copyOf(runtimeFilters);
            splitFilters = List.copyOf(splitFilters);
        }

        public Scan(int id, ScanRequest request, Optional<Expression> filter, List<RuntimeFilter> runtimeFilters) {
            this(id, request, filter, runtimeFilters, List.of());
        }

        public Scan(int id, ScanRequest request, Optional<Expression> filter) {
            this(id, request, filter, List.of());
        }

        @Override
        public List<SqlType> outputTypes() {
            return request.columns().stream()
                    .map(ordinal -> request.table().column(ordinal).type())
                    .toList();
        }
    }

    record Values(List<SqlType> outputTypes, List<List<Datum>> rows) implements Leaf {
        public Values {
            outputTypes = List.copyOf(outputTypes);
            rows = rows.stream().map(List::copyOf).toList();
        }
    }

    /**
     * Reads rows that other fragments send to this one.
     *
     * @param fragments all with the same output types; their rows are combined
     * @param mergeOrder if not empty, each producer's output is in this order, and so is the merged output
     */
    record RemoteSource(List<Integer> fragments, List<SqlType> outputTypes, List<SortKey> mergeOrder) implements Leaf {
        public RemoteSource {
            fragments = List.copyOf(fragments);
            outputTypes = List.copyOf(outputTypes);
            mergeOrder = List.copyOf(mergeOrder);
        }
    }

    record Filter(PlanNode input, Expression predicate) implements Unary {
        @Override
        public Filter withInput(PlanNode other) {
            return new Filter(other, predicate);
        }

        @Override
        public List<SqlType> outputTypes() {
            return input.outputTypes();
        }
    }

    record Project(PlanNode input, List<Expression> expressions) implements Unary {
        public Project {
            expressions = List.copyOf(expressions);
        }

        @Override
        public Project withInput(PlanNode other) {
            return new Project(other, expressions);
        }

        @Override
        public List<SqlType> outputTypes() {
            return expressions.stream().map(Expression::type).toList();
        }
    }

    /**
     * Returns each input row once for each projection, in their order. Used for grouping sets and distinct aggregates.
     */
    record Expand(PlanNode input, List<List<Expression>> projections) implements Unary {
        public Expand {
            projections = projections.stream().map(List::copyOf).toList();
        }

        @Override
        public Expand withInput(PlanNode other) {
            return new Expand(other, projections);
        }

        @Override
        public List<SqlType> outputTypes() {
            return projections.getFirst().stream().map(Expression::type).toList();
        }
    }

    enum AggregateStep {
        /** Aggregates raw rows to results. */
        SINGLE,
        /** Aggregates raw rows to states. The same group may be output more than once. */
        PARTIAL,
        /** Aggregates states to results. */
        FINAL,
        /** Aggregates states to states in fewer rows. The same group may be output more than once. */
        INTERMEDIATE;

        /** Whether the input consists of states, otherwise of raw rows. */
        public boolean mergesStates() {
            return this == FINAL || this == INTERMEDIATE;
        }

        /** Whether the output consists of states, otherwise of results. */
        public boolean outputsStates() {
            return this == PARTIAL || this == INTERMEDIATE;
        }
    }

    /**
     * Output: the group columns, then one column per call. Without group columns, SINGLE and FINAL return exactly one
     * row.
     */
    record Aggregate(PlanNode input, AggregateStep step, List<Integer> groupColumns, List<AggregateCall> calls)
            implements Unary {
        public Aggregate {
            groupColumns = List.copyOf(groupColumns);
            calls = List.copyOf(calls);
        }

        @Override
        public Aggregate withInput(PlanNode other) {
            return new Aggregate(other, step, groupColumns, calls);
        }

        @Override
        public List<SqlType> outputTypes() {
            List<SqlType> inputTypes = input.outputTypes();
            List<SqlType> types = new ArrayList<>();
            groupColumns.forEach(column -> types.add(inputTypes.get(column)));
            calls.forEach(call -> types.add(step.outputsStates() ? call.stateType() : call.type()));
            return types;
        }
    }

    enum JoinKind {
        INNER,
        LEFT,
        RIGHT,
        FULL,
        /** Left rows that have a match. */
        SEMI,
        /**
         * Left rows that have no match (null keys match nothing). A spilled semi join is run as this kind over each
         * part of its build side. No plan has it yet: Hive's lexer does not know ANTI, and NOT EXISTS is an outer join.
         */
        ANTI
    }

    /**
     * Joins two inputs. The left input is the probe side and the right one the build side. Output: left columns, then
     * right columns (not for SEMI and ANTI). Without keys it is a nested-loop join.
     *
     * @param nullSafe for each key position, whether null equals null ({@code <=>})
     * @param residual over left then right columns; part of the match condition
     * @param runtimeFilters filters that the join provides to scans; only for joins that drop left rows without a match
     */
    record Join(
            JoinKind kind,
            PlanNode left,
            PlanNode right,
            List<Integer> leftKeys,
            List<Integer> rightKeys,
            List<Boolean> nullSafe,
            Optional<Expression> residual,
            List<RuntimeFilter> runtimeFilters)
            implements PlanNode {
        public Join {
            leftKeys = List.copyOf(leftKeys);
            rightKeys = List.copyOf(rightKeys);
            nullSafe = List.copyOf(nullSafe);
            runtimeFilters = List.copyOf(runtimeFilters);
        }

        public Join(
                JoinKind kind,
                PlanNode left,
                PlanNode right,
                List<Integer> leftKeys,
                List<Integer> rightKeys,
                List<Boolean> nullSafe,
                Optional<Expression> residual) {
            this(kind, left, right, leftKeys, rightKeys, nullSafe, residual, List.of());
        }

        @Override
        public List<PlanNode> inputs() {
            return List.of(left, right);
        }

        @Override
        public Join withInputs(List<PlanNode> inputs) {
            return new Join(
                    kind, inputs.getFirst(), inputs.getLast(), leftKeys, rightKeys, nullSafe, residual, runtimeFilters);
        }

        @Override
        public List<SqlType> outputTypes() {
            if (kind == JoinKind.SEMI || kind == JoinKind.ANTI) {
                return left.outputTypes();
            }
            List<SqlType> types = new ArrayList<>(left.outputTypes());
            types.addAll(right.outputTypes());
            return types;
        }
    }

    /** Sorts the rows that reach this task. */
    record Sort(PlanNode input, List<SortKey> keys) implements Unary {
        public Sort {
            keys = List.copyOf(keys);
        }

        @Override
        public Sort withInput(PlanNode other) {
            return new Sort(other, keys);
        }

        @Override
        public List<SqlType> outputTypes() {
            return input.outputTypes();
        }
    }

    /** Returns the first rows of this task's input in an order, sorted. */
    record TopN(PlanNode input, List<SortKey> keys, long count) implements Unary {
        public TopN {
            keys = List.copyOf(keys);
        }

        @Override
        public TopN withInput(PlanNode other) {
            return new TopN(other, keys, count);
        }

        @Override
        public List<SqlType> outputTypes() {
            return input.outputTypes();
        }
    }

    /** Skips rows and then passes on at most {@code count} rows (Long.MAX_VALUE: all). */
    record Limit(PlanNode input, long offset, long count) implements Unary {
        @Override
        public Limit withInput(PlanNode other) {
            return new Limit(other, offset, count);
        }

        @Override
        public List<SqlType> outputTypes() {
            return input.outputTypes();
        }
    }

    /** Output: input columns, then one column per call. The node sorts its input by partition and order keys itself. */
    record Window(PlanNode input, List<Integer> partitionColumns, List<SortKey> order, List<WindowCall> calls)
            implements Unary {
        public Window {
            partitionColumns = List.copyOf(partitionColumns);
            order = List.copyOf(order);
            calls = List.copyOf(calls);
        }

        @Override
        public Window withInput(PlanNode other) {
            return new Window(other, partitionColumns, order, calls);
        }

        @Override
        public List<SqlType> outputTypes() {
            List<SqlType> types = new ArrayList<>(input.outputTypes());
            calls.forEach(call -> types.add(call.type()));
            return types;
        }
    }

    /** Returns all rows of all inputs. */
    record UnionAll(List<PlanNode> inputs) implements PlanNode {
        public UnionAll {
            inputs = List.copyOf(inputs);
        }

        @Override
        public UnionAll withInputs(List<PlanNode> others) {
            return new UnionAll(others);
        }

        @Override
        public List<SqlType> outputTypes() {
            return inputs.getFirst().outputTypes();
        }
    }

    /**
     * A table function for each input row (LATERAL VIEW). Output: input columns, then the function's columns.
     *
     * @param outer whether a row for which the function returns nothing is output once, with nulls
     */
    record TableFunction(
            PlanNode input, String function, List<Expression> arguments, List<SqlType> functionTypes, boolean outer)
            implements Unary {
        public TableFunction {
            arguments = List.copyOf(arguments);
            functionTypes = List.copyOf(functionTypes);
        }

        @Override
        public TableFunction withInput(PlanNode other) {
            return new TableFunction(other, function, arguments, functionTypes, outer);
        }

        @Override
        public List<SqlType> outputTypes() {
            List<SqlType> types = new ArrayList<>(input.outputTypes());
            types.addAll(functionTypes);
            return types;
        }
    }

    /** Passes its input to a script and returns the rows that the script prints. */
    record Transform(PlanNode input, Script script) implements Unary {
        @Override
        public Transform withInput(PlanNode other) {
            return new Transform(other, script);
        }

        @Override
        public List<SqlType> outputTypes() {
            return script.output().dataColumns().stream().map(Column::type).toList();
        }
    }

    /**
     * Writes its input to new files below a staging folder. The component that started the query moves them to their
     * final place. The input's columns are the table's data columns, then its dynamic partition columns as
     * text-convertible values. For a table with list buckets they are followed by the number of the row's folder among
     * {@code listFolders} (int), and for a table with buckets by the bucket's number (int). Neither is null. Files of
     * buckets are named by {@link io.skep.storage.write.BucketFileName}.
     *
     * <p>Output, one row per file: path (string), partition values in Hive's escaped {@code k=v/k=v} form relative to
     * the table (string, empty without partitions), rows (bigint), bytes (bigint), a summary of each data column in the
     * form of {@link io.skep.engine.plan.codec.SummaryCodec} (binary, null if no summary is requested), and in the
     * first row the number of rows that the driver has replaced by changes (bigint, 0 in other rows).
     *
     * @param stagingPath folder of this query on the table's file system
     * @param staticPartition {@code k=v/} prefix of the partition columns with given values, may be empty
     * @param dynamicColumns names of the partition columns that are input columns
     * @param bucketed whether the last input column is the bucket's number
     * @param summarized whether data columns are summarized; requires that all of them have types that can be
     *     summarized
     * @param partitionFormats by partition, in the form of the output: the format of the files of those partitions that
     *     are not stored in the table's format
     * @param changes whether the input changes a transactional table: its first columns are then the code of a
     *     {@link RowChange} and a row identifier, by which rows of a partition and bucket are sorted; files of deletes
     *     are below {@link #deletesPath}
     * @param rowIds what gives the rows their identifiers in a transactional table; empty for files without identifiers
     * @param listFolders the folders of list buckets, relative to that of a partition or table; empty without them
     */
    record TableWrite(
            PlanNode input,
            TableLayout table,
            String stagingPath,
            String staticPartition,
            List<String> dynamicColumns,
            boolean bucketed,
            boolean summarized,
            Map<String, TableFormat> partitionFormats,
            boolean changes,
            Optional<AcidWrite> rowIds,
            List<String> listFolders)
            implements Unary {
        public static final List<SqlType> OUTPUT_TYPES = List.of(
                io.skep.common.type.PrimitiveType.STRING,
                io.skep.common.type.PrimitiveType.STRING,
                io.skep.common.type.PrimitiveType.BIGINT,
                io.skep.common.type.PrimitiveType.BIGINT,
                io.skep.common.type.PrimitiveType.BINARY,
                io.skep.common.type.PrimitiveType.BIGINT);

        public static final String DELETES_FOLDER = "/deletes";

        /** The number of columns before the data columns of changes. */
        public static final int CHANGE_COLUMNS = 2;

        public TableWrite {
            dynamicColumns = List.copyOf(dynamicColumns);
            partitionFormats = Map.copyOf(partitionFormats);
            listFolders = List.copyOf(listFolders);
        }

        /** Creates a node whose files are all in the table's format, without row identifiers and list buckets. */
        public TableWrite(
                PlanNode input,
                TableLayout table,
                String stagingPath,
                String staticPartition,
                List<String> dynamicColumns,
                boolean bucketed,
                boolean summarized) {
            this(
                    input,
                    table,
                    stagingPath,
                    staticPartition,
                    dynamicColumns,
                    bucketed,
                    summarized,
                    Map.of(),
                    false,
                    Optional.empty(),
                    List.of());
        }

        /** Whether there is a column with the number of a row's folder. */
        public boolean listBucketed() {
            return !listFolders.isEmpty();
        }

        /** Returns the same write with other formats of partitions. */
        public TableWrite withFormats(Map<String, TableFormat> formats) {
            return with(input, formats, rowIds);
        }

        /** Returns the same write of rows with identifiers. */
        public TableWrite withRowIds(AcidWrite write) {
            return with(input, partitionFormats, Optional.of(write));
        }

        private TableWrite with(PlanNode other, Map<String, TableFormat> formats, Optional<AcidWrite> write) {
            return new TableWrite(
                    other,
                    table,
                    stagingPath,
                    staticPartition,
                    dynamicColumns,
                    bucketed,
                    summarized,
                    formats,
                    changes,
                    write,
                    listFolders);
        }

        /** Returns the folder of files of deletes. */
        public String deletesPath() {
            return stagingPath + DELETES_FOLDER;
        }

        /** Returns what deletes are written as; empty unless rows have identifiers. */
        public Optional<AcidWrite> deletes() {
            return rowIds.map(write -> AcidWrite.ofDeletes(write.writeId()));
        }

        /** Returns the layout in which the files of a partition are written. */
        public TableLayout layout(String partition) {
            TableFormat own = partitionFormats.get(partition);
            return own == null ? table : table.withFormat(own);
        }

        @Override
        public TableWrite withInput(PlanNode other) {
            return with(other, partitionFormats, rowIds);
        }

        @Override
        public List<SqlType> outputTypes() {
            return OUTPUT_TYPES;
        }
    }
}
