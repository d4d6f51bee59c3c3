package io.skep.ql.optimize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Searches for the cheapest tree of joins, including bushy trees. The cost of a tree is the sum of the rows of its
 * joins and of their build sides (after Moerkotte and Neumann, "Dynamic Programming Strikes Back", C_out). The search
 * is exact up to {@link #EXACT_FACTORS} factors. Above that, it joins the cheapest pair first.
 */
final class JoinSearch {
    static final int EXACT_FACTORS = 12;

    /** The weight of a build-side row, relative to an output row of a join. */
    private static final double BUILD = 2;

    /** The weight of a row of a cross product. */
    private static final double PRODUCT = 100;

    private final JoinCardinality cardinality;

    JoinSearch(JoinCardinality cardinality) {
        this.cardinality = cardinality;
    }

    JoinTree cheapest() {
        return cardinality.factors() <= EXACT_FACTORS ? new Exact().search() : greedy();
    }

    /** Repeatedly joins the two parts that are cheapest to join. */
    JoinTree greedy() {
        return new Greedy().search();
    }

    private static double cost(double left, double right, double joined, boolean product) {
        return BUILD * Math.min(left, right) + (product ? joined * (1 + PRODUCT) : joined);
    }

    private static JoinTree joined(JoinTree a, JoinTree b, double rows, double cost) {
        boolean larger = a.rows() >= b.rows();
        return new JoinTree(
                a.set() | b.set(), rows, cost, Optional.of(new JoinTree.Inputs(larger ? a : b, larger ? b : a)));
    }

    /**
     * Computes the best join of every set of factors from every split into two parts. The arrays are indexed by set.
     */
    private final class Exact {
        private final int sets = 1 << cardinality.factors();
        private final double[] rows = new double[sets];
        private final double[] costs = new double[sets];
        private final int[] parts = new int[sets];
        private final int[] reached = new int[sets];

        private JoinTree search() {
            for (int set = 1; set < sets; set++) {
                int lowest = Integer.numberOfTrailingZeros(set);
                reached[set] = reached[set & set - 1] | (int) cardinality.neighbours(lowest);
                if ((set & set - 1) == 0) {
                    rows[set] = cardinality.rowsOf(lowest);
                } else {
                    rows[set] = cardinality.rows(set);
                    split(set);
                }
            }
            return tree(sets - 1);
        }

        /** Finds the cheapest split of a set. Of the two parts, the one with the highest factor is stored. */
        private void split(int set) {
            int highest = Integer.highestOneBit(set);
            double cheapest = Double.POSITIVE_INFINITY;
            for (int rest = set ^ highest; rest != 0; rest = rest - 1 & (set ^ highest)) {
                int part = set ^ rest;
                boolean product = (reached[part] & rest) == 0;
                double cost = costs[part] + costs[rest] + cost(rows[part], rows[rest], rows[set], product);
                if (cost < cheapest) {
                    cheapest = cost;
                    parts[set] = part;
                }
            }
            costs[set] = cheapest;
        }

        private JoinTree tree(int set) {
            if ((set & set - 1) == 0) {
                return JoinTree.factor(Integer.numberOfTrailingZeros(set), rows[set]);
            }
            return joined(tree(parts[set]), tree(set ^ parts[set]), rows[set], costs[set]);
        }
    }

    private final class Greedy {
        private final Map<Long, Double> rows = new HashMap<>();

        private JoinTree search() {
            List<JoinTree> trees = new ArrayList<>();
            for (int i = 0; i < cardinality.factors(); i++) {
                trees.add(JoinTree.factor(i, cardinality.rowsOf(i)));
            }
            while (trees.size() > 1) {
                JoinTree joined = cheapestPair(trees);
                trees.removeIf(tree -> (joined.set() & tree.set()) != 0);
                trees.add(joined);
            }
            return trees.getFirst();
        }

        /**
         * Returns the cheapest join of two trees. Pairs with a common condition come first as long as there are any,
         * because a cross product seems cheap next to a large table.
         */
        private JoinTree cheapestPair(List<JoinTree> trees) {
            double cheapest = Double.POSITIVE_INFINITY;
            boolean product = true;
            int[] pair = {0, 1};
            for (int i = 0; i < trees.size(); i++) {
                for (int j = i + 1; j < trees.size(); j++) {
                    boolean unconnected =
                            !connected(trees.get(i).set(), trees.get(j).set());
                    double cost = added(trees.get(i), trees.get(j), unconnected);
                    if (unconnected == product ? cost < cheapest : product) {
                        cheapest = cost;
                        product = unconnected;
                        pair = new int[] {i, j};
                    }
                }
            }
            JoinTree a = trees.get(pair[0]);
            JoinTree b = trees.get(pair[1]);
            return joined(a, b, rowsOf(a.set() | b.set()), a.cost() + b.cost() + cheapest);
        }

        private double added(JoinTree a, JoinTree b, boolean product) {
            return cost(a.rows(), b.rows(), rowsOf(a.set() | b.set()), product);
        }

        private double rowsOf(long set) {
            return rows.computeIfAbsent(set, cardinality::rows);
        }

        private boolean connected(long one, long other) {
            for (long left = one; left != 0; left &= left - 1) {
                if ((cardinality.neighbours(Long.numberOfTrailingZeros(left)) & other) != 0) {
                    return true;
                }
            }
            return false;
        }
    }
}
