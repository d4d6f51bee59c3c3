package io.skep.ql.query;

import io.skep.metastore.Table;
import io.skep.ql.transaction.ViewSnapshot;
import java.util.List;

/**
 * A materialized view that may answer a query.
 *
 * @param sources the tables that its query reads
 * @param isTimed whether its rows may be older than those of the sources, since they are not older than the session
 *     allows
 */
public record FreshView(Table view, List<Table> sources, ViewSnapshot content, boolean isTimed) {
    public FreshView {
        sources = List.copyOf(sources);
    }

    /** Returns the same view for statements that it answers only while it has the rows of its sources. */
    FreshView untimed() {
        return new FreshView(view, sources, content, false);
    }
}
