package io.skep.ql.physical;

import io.skep.engine.plan.Expression;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import java.util.OptionalInt;

/** Traces the columns of a node's rows to their inputs. */
final class PassedColumns {
    private PassedColumns() {}

    /**
     * Returns the column of an input that supplies a column of the node unchanged, if the input can be reduced by it.
     * Leaving out the input's rows with certain values in that column must leave out exactly the node's rows with these
     * values.
     *
     * @param input the index of the input among the node's inputs
     */
    static OptionalInt reducible(PlanNode node, int input, int column) {
        return switch (node) {
            case PlanNode.UnionAll _ -> OptionalInt.of(column);
            case PlanNode.Window n ->
                n.partitionColumns().contains(column) ? OptionalInt.of(column) : OptionalInt.empty();
            case PlanNode.Join n -> throughJoin(n, input, column);
            case PlanNode.TopN _, PlanNode.Limit _ -> OptionalInt.empty();
            case PlanNode.Filter _, PlanNode.Project _, PlanNode.Expand _, PlanNode.Aggregate _ -> origin(node, column);
            case PlanNode.Sort _, PlanNode.TableFunction _, PlanNode.TableWrite _ -> origin(node, column);
            case PlanNode.Scan _, PlanNode.Values _, PlanNode.RemoteSource _ -> OptionalInt.empty();
            case PlanNode.Transform _ -> OptionalInt.empty();
        };
    }

    private static OptionalInt throughJoin(PlanNode.Join join, int input, int column) {
        JoinKind kind = join.kind();
        int left = join.left().outputTypes().size();
        boolean dropsWithLeft = kind != JoinKind.RIGHT && kind != JoinKind.FULL;
        boolean dropsWithRight = kind == JoinKind.INNER || kind == JoinKind.RIGHT;
        if (input == 0) {
            return dropsWithLeft && column < left ? OptionalInt.of(column) : OptionalInt.empty();
        }
        return dropsWithRight && column >= left ? OptionalInt.of(column - left) : OptionalInt.empty();
    }

    /**
     * Returns the column of the node's only input that supplies a column of the node unchanged. Each value of the
     * node's column is one of the input's.
     */
    static OptionalInt origin(PlanNode node, int column) {
        return switch (node) {
            case PlanNode.Filter _, PlanNode.Sort _, PlanNode.TopN _, PlanNode.Limit _ -> OptionalInt.of(column);
            case PlanNode.Project n ->
                n.expressions().get(column) instanceof Expression.InputColumn from
                        ? OptionalInt.of(from.index())
                        : OptionalInt.empty();
            // A group is removed as a whole or not at all.
            case PlanNode.Aggregate n ->
                column < n.groupColumns().size()
                        ? OptionalInt.of(n.groupColumns().get(column))
                        : OptionalInt.empty();
            case PlanNode.Window n -> before(n.input(), column);
            case PlanNode.TableFunction n -> before(n.input(), column);
            case PlanNode.Scan _, PlanNode.Values _, PlanNode.RemoteSource _ -> OptionalInt.empty();
            case PlanNode.Join _, PlanNode.UnionAll _ -> OptionalInt.empty();
            case PlanNode.Expand _, PlanNode.TableWrite _, PlanNode.Transform _ -> OptionalInt.empty();
        };
    }

    private static OptionalInt before(PlanNode input, int column) {
        return column < input.outputTypes().size() ? OptionalInt.of(column) : OptionalInt.empty();
    }
}
