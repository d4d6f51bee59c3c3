package io.skep.ql.analyze;

import io.skep.ql.rel.RelFactory;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.logical.LogicalValues;

/** The source of a query without FROM: one row, without any named column. */
final class OneRow {
    private OneRow() {}

    static Scope scope(RelFactory factory) {
        return scope(factory, Optional.empty());
    }

    static Scope scope(RelFactory factory, Optional<Resolver> outer) {
        LogicalValues row = LogicalValues.createOneRow(factory.cluster());
        return new Scope(factory, row, List.of(new ScopeColumn("", "", "", false, false)), outer);
    }
}
