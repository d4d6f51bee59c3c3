package io.skep.ql.optimize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.tools.RelBuilder;

/**
 * Orders inner joins by cost. The cost of a tree is the sum of the rows of its joins and of their build sides (after Moerkotte
 * and Neumann, "Dynamic Programming Strikes Back", C_out; bushy trees included): exact up to {@link #EXACT_FACTORS} factors,
 * the cheapest pair first above. Outer, semi and anti joins stay where they are; their inputs are ordered by themselves.
 */
final class JoinOrder {
    private static final int EXACT_FACTORS = 11;
    private static final int MOST_FACTORS = 60;

    private final RelMetadataQuery metadata;
    private final Estimates estimates;
    private final RelBuilder builder;

    JoinOrder(RelMetadataQuery metadata, Estimates estimates, RelBuilder builder) {
        this.metadata = metadata;
        this.estimates = estimates;
        this.builder = builder;
    }

    /** A tree of factors; {@code set} holds their bits. */
    private record Tree(long set, double rows, double cost, Optional<Tree> left, Optional<Tree> right) {}

    RelNode order(RelNode root) {
        if (!JoinGraph.isInnerJoin(root)) {
            return withOrderedInputs(root);
        }
        JoinGraph given = JoinGraph.of(root);
        JoinGraph graph = given.withImplied(builder.getRexBuilder());
        int count = graph.factors().size();
        if (count > MOST_FACTORS || count < 3 && graph.equals(given)) {
            return withOrderedInputs(root);
        }
        List<RelNode> factors = graph.factors().stream().map(this::order).toList();
        Search search = new Search(graph, factors);
        Tree best = factors.size() <= EXACT_FACTORS ? search.exact() : search.greedy();
        return rebuild(root, graph, factors, best);
    }

    private RelNode withOrderedInputs(RelNode rel) {
        List<RelNode> inputs = rel.getInputs().stream().map(this::order).toList();
        return inputs.equals(rel.getInputs()) ? rel : rel.copy(rel.getTraitSet(), inputs);
    }

    /** Cardinalities of sets of factors do not depend on the order in which they are joined. */
    private final class Search {
        private final int count;
        private final double[] rows;
        private final long[] neighbours;
        private final List<JoinSelectivity> selectivities;
        private final Map<Long, Double> cardinalities = new HashMap<>();

        private Search(JoinGraph graph, List<RelNode> factors) {
            this.count = factors.size();
            this.rows = new double[count];
            this.neighbours = new long[count];
            for (int i = 0; i < count; i++) {
                Double estimate = metadata.getRowCount(factors.get(i));
                rows[i] = Math.max(1, estimate == null ? 1e6 : estimate);
            }
            this.selectivities = JoinSelectivity.of(graph, factors, estimates, metadata);
            for (RexNode condition : graph.conditions()) {
                long set = graph.factorsOf(condition);
                for (int i = 0; i < count; i++) {
                    if ((set >>> i & 1) != 0) {
                        neighbours[i] |= set & ~(1L << i);
                    }
                }
            }
        }

        private double cardinality(long set) {
            return cardinalities.computeIfAbsent(set, this::estimate);
        }

        private double estimate(long set) {
            double estimate = 1;
            for (int i = 0; i < count; i++) {
                estimate *= (set >>> i & 1) != 0 ? rows[i] : 1;
            }
            for (JoinSelectivity selectivity : selectivities) {
                if ((selectivity.factors() & set) == selectivity.factors()) {
                    estimate *= selectivity.selectivity();
                }
            }
            return Math.max(1, estimate);
        }

        private boolean connected(long left, long right) {
            for (int i = 0; i < count; i++) {
                if ((left >>> i & 1) != 0 && (neighbours[i] & right) != 0) {
                    return true;
                }
            }
            return false;
        }

        private Tree leaf(int factor) {
            return new Tree(1L << factor, rows[factor], 0, Optional.empty(), Optional.empty());
        }

        private Tree join(Tree a, Tree b) {
            boolean larger = a.rows() >= b.rows();
            Tree probe = larger ? a : b;
            Tree build = larger ? b : a;
            double joined = cardinality(a.set() | b.set());
            double cost = a.cost() + b.cost() + joined + 2 * build.rows();
            boolean product = !connected(a.set(), b.set());
            return new Tree(
                    a.set() | b.set(),
                    joined,
                    product ? cost + joined * 100 : cost,
                    Optional.of(probe),
                    Optional.of(build));
        }

        private Tree exact() {
            List<Tree> best = new ArrayList<>();
            best.add(leaf(0));
            for (int set = 1; set < 1 << count; set++) {
                boolean single = Integer.bitCount(set) == 1;
                best.add(single ? leaf(Integer.numberOfTrailingZeros(set)) : cheapest(set, best));
            }
            return best.getLast();
        }

        /** The cheapest way to put a set together from two parts, each at its own cheapest. */
        private Tree cheapest(int set, List<Tree> best) {
            int highest = Integer.highestOneBit(set);
            Tree cheapest = join(best.get(highest), best.get(set ^ highest));
            for (int part = set - 1 & set; part > highest; part = part - 1 & set) {
                Tree tree = join(best.get(part), best.get(set ^ part));
                cheapest = tree.cost() < cheapest.cost() ? tree : cheapest;
            }
            return cheapest;
        }

        private Tree greedy() {
            List<Tree> trees = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                trees.add(leaf(i));
            }
            while (trees.size() > 1) {
                Tree joined = cheapestPair(trees);
                trees.removeIf(tree -> (joined.set() & tree.set()) != 0);
                trees.add(joined);
            }
            return trees.getFirst();
        }

        private Tree cheapestPair(List<Tree> trees) {
            Tree cheapest = join(trees.get(0), trees.get(1));
            for (int i = 0; i < trees.size(); i++) {
                for (int j = i + 1; j < trees.size(); j++) {
                    Tree tree = join(trees.get(i), trees.get(j));
                    cheapest = added(tree) < added(cheapest) ? tree : cheapest;
                }
            }
            return cheapest;
        }

        private static double added(Tree tree) {
            return tree.cost()
                    - tree.left().map(Tree::cost).orElse(0.0)
                    - tree.right().map(Tree::cost).orElse(0.0);
        }
    }

    private RelNode rebuild(RelNode root, JoinGraph graph, List<RelNode> factors, Tree tree) {
        List<RexNode> pending = new ArrayList<>(graph.conditions());
        Part part = build(tree, graph, factors, pending);
        builder.push(part.rel());
        RexShuttle toPart = part.shuttle();
        pending.forEach(condition -> builder.filter(condition.accept(toPart)));
        List<RexNode> outputs =
                graph.outputs().stream().map(output -> output.accept(toPart)).toList();
        builder.project(outputs, root.getRowType().getFieldNames(), true);
        return builder.build();
    }

    /** A rebuilt part and where each global column is in it. */
    private record Part(RelNode rel, Map<Integer, Integer> positions) {
        RexShuttle shuttle() {
            return new RexShuttle() {
                @Override
                public RexNode visitInputRef(RexInputRef ref) {
                    Integer position = positions.get(ref.getIndex());
                    if (position == null) {
                        throw new IllegalStateException("column " + ref + " is not in this part of the join");
                    }
                    return new RexInputRef(position, ref.getType());
                }
            };
        }
    }

    private Part build(Tree tree, JoinGraph graph, List<RelNode> factors, List<RexNode> pending) {
        if (tree.left().isEmpty() || tree.right().isEmpty()) {
            int factor = Long.numberOfTrailingZeros(tree.set());
            Map<Integer, Integer> positions = new HashMap<>();
            RelNode rel = factors.get(factor);
            for (int i = 0; i < rel.getRowType().getFieldCount(); i++) {
                positions.put(graph.offsets().get(factor) + i, i);
            }
            return filtered(new Part(rel, positions), tree.set(), graph, pending);
        }
        Part left = build(tree.left().get(), graph, factors, pending);
        Part right = build(tree.right().get(), graph, factors, pending);
        int leftColumns = left.rel().getRowType().getFieldCount();
        Map<Integer, Integer> positions = new HashMap<>(left.positions());
        right.positions().forEach((column, position) -> positions.put(column, leftColumns + position));
        List<RexNode> conditions = take(tree.set(), graph, pending);
        RexShuttle toJoin = new Part(left.rel(), positions).shuttle();
        builder.push(left.rel()).push(right.rel());
        builder.join(
                JoinRelType.INNER,
                conditions.stream().map(condition -> condition.accept(toJoin)).toList());
        return new Part(builder.build(), positions);
    }

    private Part filtered(Part part, long set, JoinGraph graph, List<RexNode> pending) {
        List<RexNode> conditions = take(set, graph, pending);
        if (conditions.isEmpty()) {
            return part;
        }
        builder.push(part.rel());
        builder.filter(conditions.stream()
                .map(condition -> condition.accept(part.shuttle()))
                .toList());
        return new Part(builder.build(), part.positions());
    }

    /** The conditions that can be checked once these factors are there; each is checked once, as early as it can be. */
    private static List<RexNode> take(long set, JoinGraph graph, List<RexNode> pending) {
        List<RexNode> taken = pending.stream()
                .filter(condition -> {
                    long needed = graph.factorsOf(condition);
                    return needed != 0 && (needed & ~set) == 0;
                })
                .toList();
        pending.removeAll(taken);
        return taken;
    }
}
