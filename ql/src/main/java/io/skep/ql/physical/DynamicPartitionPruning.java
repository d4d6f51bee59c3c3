package io.skep.ql.physical;

import io.skep.common.type.CharType;
import io.skep.common.type.DecimalType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.VarcharType;
import io.skep.engine.plan.DynamicPartitionFilter;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.schedule.TaskLayout;
import io.skep.storage.table.TableLayout;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Determines which fragments' values can exclude splits of a scan. This applies to the keys of a join that drops left
 * rows without a match. For each key there is a fragment that the right rows come from, and there are partition columns
 * of the scans that the left rows come from. These scans are in the join's own fragment or are reached through
 * exchanges. Owned by the planning of one query.
 */
final class DynamicPartitionPruning {
    private final Map<Integer, Fragment> fragments = new HashMap<>();
    private final Map<Integer, Integer> readers = new HashMap<>();
    private final Set<Integer> prunedScans = new HashSet<>();
    private final Map<Integer, Set<DynamicPartitionFilter>> found = new HashMap<>();

    /** The values of one output column of other fragments. */
    private record Source(List<Integer> fragments, int column) {}

    private DynamicPartitionPruning(List<Fragment> all, List<ScanAssignment> scans) {
        for (Fragment fragment : all) {
            fragments.put(fragment.id(), fragment);
            fragment.root().walk(this::countReads);
        }
        scans.stream()
                .filter(scan -> !scan.partitionPredicates().isEmpty())
                .forEach(scan -> prunedScans.add(scan.scan()));
    }

    private void countReads(PlanNode node) {
        if (node instanceof PlanNode.RemoteSource source) {
            source.fragments().forEach(fragment -> readers.merge(fragment, 1, Integer::sum));
        }
    }

    /**
     * @param scans the scans, whose partitions the query's own conditions choose; the query must return the same result
     *     on each run
     */
    static List<Fragment> assign(List<Fragment> fragments, List<ScanAssignment> scans) {
        boolean partitioned = fragments.stream()
                .flatMap(fragment -> TaskLayout.scans(fragment.root()).stream())
                .anyMatch(scan -> !scan.request().table().partitionColumns().isEmpty());
        if (!partitioned || fragments.size() < 2) {
            return fragments;
        }
        DynamicPartitionPruning planning = new DynamicPartitionPruning(fragments, scans);
        fragments.forEach(fragment -> fragment.root().walk(planning::filterBy));
        return planning.found.isEmpty()
                ? fragments
                : fragments.stream()
                        .map(fragment -> new Fragment(
                                fragment.id(),
                                planning.replaced(fragment.root()),
                                fragment.distribution(),
                                fragment.output()))
                        .toList();
    }

    private PlanNode replaced(PlanNode node) {
        if (node instanceof PlanNode.Scan scan) {
            Set<DynamicPartitionFilter> filters = found.getOrDefault(scan.id(), Set.of());
            return filters.isEmpty()
                    ? scan
                    : new PlanNode.Scan(
                            scan.id(), scan.request(), scan.filter(), scan.runtimeFilters(), List.copyOf(filters));
        }
        return node.mapInputs(this::replaced);
    }

    private void filterBy(PlanNode node) {
        if (node instanceof PlanNode.Join join) {
            for (int key : RuntimeFilterPlanning.filterKeys(join)) {
                sources(join.right(), join.rightKeys().get(key))
                        .ifPresent(
                                source -> pushDown(join.left(), join.leftKeys().get(key), source, true));
            }
        }
    }

    /** Returns the fragments that supply all values of a column of the node's rows. */
    private Optional<Source> sources(PlanNode node, int column) {
        return switch (node) {
            case PlanNode.RemoteSource n ->
                Optional.of(new Source(n.fragments(), column))
                        .filter(source -> source.fragments().stream().allMatch(this::isSteady));
            case PlanNode.Join n -> {
                int left = n.left().outputTypes().size();
                yield column < left ? sources(n.left(), column) : sources(n.right(), column - left);
            }
            case PlanNode.Unary n -> {
                OptionalInt below = PassedColumns.origin(n, column);
                yield below.isPresent() ? sources(n.input(), below.getAsInt()) : Optional.empty();
            }
            case PlanNode.Scan _, PlanNode.Values _, PlanNode.UnionAll _ -> Optional.empty();
        };
    }

    /**
     * Whether a fragment returns the same values when it runs again. Tasks whose output is lost run again and must not
     * return other values. A limit returns the rows that arrive first.
     */
    private boolean isSteady(int fragment) {
        return noneOf(fragment, node -> switch (node) {
            case PlanNode.Limit _, PlanNode.TopN _, PlanNode.Window _, PlanNode.Transform _ -> true;
            case PlanNode.Scan _, PlanNode.Values _, PlanNode.RemoteSource _ -> false;
            case PlanNode.Filter _, PlanNode.Project _, PlanNode.Expand _, PlanNode.TableFunction _ -> false;
            case PlanNode.Aggregate _, PlanNode.Join _, PlanNode.UnionAll _ -> false;
            case PlanNode.Sort _, PlanNode.TableWrite _ -> false;
        });
    }

    private boolean isWorthWaitingFor(Source source) {
        return source.fragments().stream().anyMatch(this::isSelective)
                && source.fragments().stream().allMatch(this::isBoundedByFiles);
    }

    /**
     * Whether a fragment's output is bounded by the files that it reads. Other fragments may produce many rows from
     * few.
     */
    private boolean isBoundedByFiles(int fragment) {
        return noneOf(fragment, node -> switch (node) {
            case PlanNode.TableFunction _, PlanNode.Transform _ -> true;
            case PlanNode.Join join -> join.leftKeys().isEmpty();
            case PlanNode.Scan _, PlanNode.Values _, PlanNode.RemoteSource _ -> false;
            case PlanNode.Filter _, PlanNode.Project _, PlanNode.Expand _, PlanNode.Aggregate _ -> false;
            case PlanNode.Sort _, PlanNode.TopN _, PlanNode.Limit _, PlanNode.Window _ -> false;
            case PlanNode.UnionAll _, PlanNode.TableWrite _ -> false;
        });
    }

    /**
     * Whether a fragment has a condition. Without one, the other side rarely has fewer values than there are
     * partitions.
     */
    private boolean isSelective(int fragment) {
        return !noneOf(fragment, node -> switch (node) {
            case PlanNode.Filter n -> chooses(n.predicate());
            case PlanNode.Scan n ->
                prunedScans.contains(n.id())
                        || n.filter().filter(DynamicPartitionPruning::chooses).isPresent();
            case PlanNode.Values _, PlanNode.RemoteSource _, PlanNode.Join _, PlanNode.UnionAll _ -> false;
            case PlanNode.Project _, PlanNode.Expand _, PlanNode.Aggregate _, PlanNode.TableFunction _ -> false;
            case PlanNode.Sort _, PlanNode.TopN _, PlanNode.Limit _, PlanNode.Window _ -> false;
            case PlanNode.TableWrite _, PlanNode.Transform _ -> false;
        });
    }

    private static boolean chooses(Expression condition) {
        return Expressions.conjuncts(condition).stream()
                .anyMatch(one ->
                        !(one instanceof Expression.Call call && call.function().equals("isnotnull")));
    }

    private boolean noneOf(int id, Predicate<PlanNode> test) {
        Fragment fragment = fragments.get(id);
        return fragment != null
                && !fragment.root().anyMatch(test)
                && TaskLayout.producers(fragment.root()).stream().allMatch(producer -> noneOf(producer, test));
    }

    /** @param joinedHere whether the join is in the fragment of the node */
    private void pushDown(PlanNode node, int column, Source source, boolean joinedHere) {
        if (node instanceof PlanNode.Scan scan) {
            if (isPartitionColumn(scan, column)
                    && exact(scan.outputTypes().get(column))
                    && (joinedHere || isWorthWaitingFor(source))) {
                found.computeIfAbsent(scan.id(), _ -> new LinkedHashSet<>())
                        .add(new DynamicPartitionFilter(column, source.fragments(), source.column()));
            }
            return;
        }
        if (node instanceof PlanNode.RemoteSource remote) {
            remote.fragments().stream()
                    .flatMap(fragment -> Optional.ofNullable(fragments.get(fragment)).stream())
                    .filter(fragment -> readers.getOrDefault(fragment.id(), 0) == 1)
                    .forEach(fragment -> pushDown(fragment.root(), column, source, false));
            return;
        }
        for (int input = 0; input < node.inputs().size(); input++) {
            OptionalInt below = PassedColumns.reducible(node, input, column);
            if (below.isPresent()) {
                pushDown(node.inputs().get(input), below.getAsInt(), source, joinedHere);
            }
        }
    }

    static boolean isPartitionColumn(PlanNode.Scan scan, int column) {
        TableLayout table = scan.request().table();
        int partition =
                scan.request().columns().get(column) - table.dataColumns().size();
        return partition >= 0 && partition < table.partitionColumns().size();
    }

    /**
     * Whether values of the type are equal exactly if their texts are equal, regardless of where the text is parsed.
     */
    private static boolean exact(SqlType type) {
        return switch (type) {
            case PrimitiveType primitive ->
                switch (primitive) {
                    case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, STRING, DATE, TIMESTAMP -> true;
                    case VOID, FLOAT, DOUBLE, BINARY, TIMESTAMP_LOCAL_TZ -> false;
                    case INTERVAL_YEAR_MONTH, INTERVAL_DAY_TIME -> false;
                };
            case VarcharType _, CharType _, DecimalType _ -> true;
            default -> false;
        };
    }
}
