package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalyzedInsert;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.HiveSqlParser;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.PolicyBarrier;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.rel.SkepTable;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * Refuses an INSERT OVERWRITE of a table with rows of this table by a user from whom a row filter or a mask hides
 * something: hidden rows and values would be lost. Rows that programs outside of the server have sent may be of any
 * table.
 */
final class HiddenRows {
    private HiddenRows() {}

    /** @throws SkepException ACCESS_DENIED with the table */
    static void refuseLoss(List<AnalyzedInsert> parts, List<Destination> destinations, StatementContext context) {
        for (int i = 0; i < destinations.size(); i++) {
            Destination destination = destinations.get(i);
            Optional<Table> changed = destination.changed();
            if (destination.overwrite()
                    && changed.isPresent()
                    && parts.stream().anyMatch(part -> loses(part.query().rel(), changed.get(), context))) {
                throw new SkepException(
                                StandardErrorCode.ACCESS_DENIED,
                                "INSERT OVERWRITE of " + changed.get().qualifiedName()
                                        + " from itself would lose what its row filter or masks hide from this user")
                        .withHint("INSERT INTO another table, or let a user do it who sees all rows and values")
                        .at(destination.syntax().position());
            }
        }
    }

    /**
     * Refuses changes of a table from which a row filter or a mask hides something: a changed row would be written with
     * masked values.
     *
     * @param query the rows that change
     * @throws SkepException ACCESS_DENIED with Hive's words
     */
    static void refuseChange(RelNode query, Table table, SyntaxNode name) {
        if (hides(query, table)) {
            throw CompileErrors.plain(
                            name.position(),
                            StandardErrorCode.ACCESS_DENIED,
                            ErrorMsg.MASKING_FILTERING_ON_ACID_NOT_SUPPORTED,
                            ErrorMsg.MASKING_FILTERING_ON_ACID_NOT_SUPPORTED.format(table.database(), table.name()))
                    .withHint("let a user change the rows who sees all of them, and all values");
        }
    }

    /** Like the other, before the query is known. */
    static void refuseChange(Table table, SyntaxNode name, StatementContext context) {
        refuseChange(seen(table, context), table, name);
    }

    private static boolean loses(RelNode query, Table table, StatementContext context) {
        return hides(query, table) || isSent(query, context) && hides(seen(table, context), table);
    }

    /** Returns all that the user sees of a table. */
    private static RelNode seen(Table table, StatementContext context) {
        String text = "select * from " + HiveSqlParser.quoted(table.database(), table.name());
        return new QueryAnalyzer(SessionAnalysisContext.ofView(context), new RelFactory())
                .analyzeInserts(new HiveSqlParser(Map.of()).parse(text))
                .getFirst()
                .query()
                .rel();
    }

    private static boolean isSent(RelNode query, StatementContext context) {
        Search search = new Search(
                (scanned, below) -> context.session().temporaryTables().isSent(scanned));
        search.look(query, false);
        return search.found;
    }

    private static boolean hides(RelNode query, Table table) {
        Search search =
                new Search((scanned, below) -> below && scanned.qualifiedName().equals(table.qualifiedName()));
        search.look(query, false);
        return search.found;
    }

    /** Says whether a scan counts that is, or is not, below a barrier. */
    private interface Wanted {
        boolean is(Table scanned, boolean below);
    }

    /** Looks for scans, also in subqueries. */
    private static final class Search {
        private final Wanted wanted;
        private boolean found;

        private Search(Wanted wanted) {
            this.wanted = wanted;
        }

        private void look(RelNode root, boolean hidden) {
            boolean below = hidden || root instanceof PolicyBarrier;
            SkepTable scanned = root.getTable() == null ? null : root.getTable().unwrap(SkepTable.class);
            found |= scanned != null && wanted.is(scanned.table(), below);
            root.accept(new RexShuttle() {
                @Override
                public RexNode visitSubQuery(RexSubQuery query) {
                    look(query.rel, below);
                    return super.visitSubQuery(query);
                }
            });
            root.getInputs().forEach(input -> look(input, below));
        }
    }
}
