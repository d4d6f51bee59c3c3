package io.skep.engine.schedule;

import io.skep.engine.plan.Expression;
import io.skep.engine.plan.MappedColumns;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.PlanNode.JoinKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Swaps the sides of joins, so that the table is built from the former probe side. Swapped joins return the same rows
 * in another order. A fragment's joins are identified by number, counted from 0: from the root down, the left side
 * before the right side.
 */
public final class SwappedJoins {
    private final Set<Integer> mirrored;
    private int next;
    private int visited;

    /**
     * A join that can be mirrored. Both of its sides are rows of other fragments, either unchanged or filtered.
     *
     * @param probed fragments whose rows are the left side
     * @param built fragments whose rows are the right side
     */
    public record Candidate(int join, Set<Integer> probed, Set<Integer> built) {}

    private SwappedJoins(Set<Integer> mirrored) {
        this.mirrored = Set.copyOf(mirrored);
    }

    /** Returns the joins of a fragment that may be mirrored. */
    public static List<Candidate> candidates(PlanNode root) {
        List<PlanNode.Join> joins = new ArrayList<>();
        root.walk(node -> {
            if (node instanceof PlanNode.Join join) {
                joins.add(join);
            }
        });
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 0; i < joins.size(); i++) {
            PlanNode.Join join = joins.get(i);
            Set<Integer> probed = new HashSet<>();
            Set<Integer> built = new HashSet<>();
            // Runtime filters come from the build side, so a join with filters cannot be swapped.
            boolean mirrors = mirror(join.kind()).isPresent()
                    && !join.leftKeys().isEmpty()
                    && join.runtimeFilters().isEmpty();
            if (mirrors && plain(join.left(), probed) && plain(join.right(), built)) {
                candidates.add(new Candidate(i, probed, built));
            }
        }
        return candidates;
    }

    private static boolean plain(PlanNode node, Set<Integer> fragments) {
        return switch (node) {
            case PlanNode.RemoteSource n -> fragments.addAll(n.fragments());
            case PlanNode.Filter n -> plain(n.input(), fragments);
            case PlanNode.Project n -> plain(n.input(), fragments);
            case PlanNode.Scan _, PlanNode.Values _ -> false;
            case PlanNode.Expand _, PlanNode.Aggregate _, PlanNode.Join _, PlanNode.UnionAll _ -> false;
            case PlanNode.Sort _, PlanNode.TopN _, PlanNode.Limit _, PlanNode.Window _ -> false;
            case PlanNode.TableFunction _, PlanNode.TableWrite _, PlanNode.Transform _ -> false;
        };
    }

    /**
     * Returns the fragment's plan with some joins mirrored, which must be candidates. The output columns are unchanged.
     */
    public static PlanNode in(PlanNode root, Set<Integer> joins) {
        return joins.isEmpty() ? root : new SwappedJoins(joins).replaced(root);
    }

    private PlanNode replaced(PlanNode node) {
        boolean change = node instanceof PlanNode.Join && mirrored.contains(next++);
        PlanNode same = node.mapInputs(this::replaced);
        return change && same instanceof PlanNode.Join join ? mirrored(join) : same;
    }

    /**
     * Returns the position in the plan of each node of the plan with some joins mirrored, both counted from the root
     * down, the left side before the right side. The position of a node that only the other plan has is -1.
     */
    public static List<Integer> origins(PlanNode root, Set<Integer> joins) {
        List<Integer> origins = new ArrayList<>();
        if (joins.isEmpty()) {
            root.walk(node -> origins.add(origins.size()));
        } else {
            new SwappedJoins(joins).addOrigins(root, origins);
        }
        return origins;
    }

    private void addOrigins(PlanNode node, List<Integer> origins) {
        int position = visited++;
        boolean change = node instanceof PlanNode.Join && mirrored.contains(next++);
        List<List<Integer>> inputs = new ArrayList<>();
        for (PlanNode input : node.inputs()) {
            List<Integer> below = new ArrayList<>();
            addOrigins(input, below);
            inputs.add(below);
        }
        if (change) {
            // The projection that puts the columns in their order.
            origins.add(-1);
        }
        origins.add(position);
        (change ? inputs.reversed() : inputs).forEach(origins::addAll);
    }

    private static PlanNode mirrored(PlanNode.Join join) {
        int left = join.left().outputTypes().size();
        int right = join.right().outputTypes().size();
        JoinKind kind = mirror(join.kind())
                .orElseThrow(() -> new IllegalArgumentException("a join that has no mirror image: " + join.kind()));
        Optional<Expression> residual = join.residual()
                .map(condition -> MappedColumns.in(
                        condition,
                        column -> new Expression.InputColumn(
                                column.index() < left ? column.index() + right : column.index() - left,
                                column.type())));
        PlanNode swapped = new PlanNode.Join(
                kind,
                /* left= */ join.right(),
                /* right= */ join.left(),
                join.rightKeys(),
                join.leftKeys(),
                join.nullSafe(),
                residual);
        List<Expression> columns = new ArrayList<>();
        for (int i = 0; i < left + right; i++) {
            int column = i < left ? right + i : i - left;
            columns.add(new Expression.InputColumn(column, join.outputTypes().get(i)));
        }
        return new PlanNode.Project(swapped, columns);
    }

    private static Optional<JoinKind> mirror(JoinKind kind) {
        return switch (kind) {
            case INNER -> Optional.of(JoinKind.INNER);
            case LEFT -> Optional.of(JoinKind.RIGHT);
            case RIGHT -> Optional.of(JoinKind.LEFT);
            case FULL -> Optional.of(JoinKind.FULL);
            case SEMI, ANTI -> Optional.empty();
        };
    }
}
