package io.skep.ql.physical;

import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import java.util.ArrayList;
import java.util.List;

/** Finds operators in plans. */
final class PlanNodes {
    private PlanNodes() {}

    /** Returns all operators of a type, fragment by fragment, each operator before its inputs. */
    static <T extends PlanNode> List<T> all(Class<T> type, PhysicalPlan plan) {
        List<T> found = new ArrayList<>();
        for (Fragment fragment : plan.graph().fragments()) {
            collect(type, fragment.root(), found);
        }
        return found;
    }

    static <T extends PlanNode> T only(Class<T> type, PhysicalPlan plan) {
        List<T> found = all(type, plan);
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " operators of " + type.getSimpleName() + ": " + found);
        }
        return found.getFirst();
    }

    /** Returns the only scan of a table of the default database. */
    static PlanNode.Scan scan(String table, PhysicalPlan plan) {
        List<PlanNode.Scan> scans = scans(table, plan);
        if (scans.size() != 1) {
            throw new AssertionError(scans.size() + " scans of " + table);
        }
        return scans.getFirst();
    }

    static List<PlanNode.Scan> scans(String table, PhysicalPlan plan) {
        return all(PlanNode.Scan.class, plan).stream()
                .filter(scan -> scan.request().table().name().equals("default." + table))
                .toList();
    }

    /** Returns the name of a column of a scan's rows. */
    static String column(PlanNode.Scan scan, int column) {
        return scan.request()
                .table()
                .column(scan.request().columns().get(column))
                .name();
    }

    private static <T extends PlanNode> void collect(Class<T> type, PlanNode node, List<T> found) {
        if (type.isInstance(node)) {
            found.add(type.cast(node));
        }
        node.inputs().forEach(input -> collect(type, input, found));
    }
}
