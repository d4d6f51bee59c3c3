package io.skep.ql.schedule;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.analyze.QueryAnalyzer;
import io.skep.ql.insert.DefaultValues;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.RelFactory;
import io.skep.ql.statement.SessionAnalysisContext;
import io.skep.ql.statement.StatementContext;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * The stored text of a scheduled statement. It runs in the database {@code default}, so names of tables get their
 * database, and stars become columns. Hive leaves the names of written tables as they are.
 */
final class ScheduledStatement {
    private static final String DEFAULT_DATABASE = "default";
    private static final int MAX_LENGTH = 4000;

    /** Statements that name all their tables, so that they mean the same in any database. */
    private static final Set<Integer> NAMING = Set.of(
            HiveParser.TOK_QUERY,
            HiveParser.TOK_UPDATE_TABLE,
            HiveParser.TOK_DELETE_FROM,
            HiveParser.TOK_MERGE,
            HiveParser.TOK_LOAD,
            HiveParser.TOK_ANALYZE,
            HiveParser.TOK_MSCK,
            HiveParser.TOK_TRUNCATETABLE,
            HiveParser.TOK_CREATETABLE,
            HiveParser.TOK_ALTERTABLE,
            HiveParser.TOK_DROPTABLE,
            HiveParser.TOK_CREATEVIEW,
            HiveParser.TOK_ALTERVIEW,
            HiveParser.TOK_DROPVIEW,
            HiveParser.TOK_CREATE_MATERIALIZED_VIEW,
            HiveParser.TOK_ALTER_MATERIALIZED_VIEW_REBUILD,
            HiveParser.TOK_ALTER_MATERIALIZED_VIEW_REWRITE,
            HiveParser.TOK_DROP_MATERIALIZED_VIEW,
            HiveParser.TOK_CREATEDATABASE,
            HiveParser.TOK_DROPDATABASE);

    private final StatementContext context;
    private final QueryAnalyzer analyzer;

    private ScheduledStatement(StatementContext context) {
        this.context = context;
        this.analyzer = new QueryAnalyzer(new SessionAnalysisContext(context), new RelFactory());
    }

    /**
     * @param statement has been compiled
     * @throws SkepException NOT_SUPPORTED for a statement that would mean something else in the database default
     */
    static String text(SyntaxNode statement, StatementContext context) {
        boolean elsewhere = !context.session().currentDatabase().equals(DEFAULT_DATABASE);
        if (elsewhere && !NAMING.contains(statement.type())) {
            throw CompileErrors.plain(
                            statement.position(),
                            StandardErrorCode.NOT_SUPPORTED,
                            ErrorMsg.GENERIC_ERROR,
                            "a scheduled statement of this kind cannot be made in the database "
                                    + context.session().currentDatabase())
                    .withHint("scheduled statements run in the database default: USE default first, and write names"
                            + " with their databases");
        }
        String text = new ScheduledStatement(context).expanded(statement);
        if (text.length() > MAX_LENGTH) {
            throw CompileErrors.plain(
                            statement.position(),
                            StandardErrorCode.INVALID_ARGUMENT,
                            ErrorMsg.GENERIC_ERROR,
                            "the scheduled statement has " + text.length() + " characters where the metastore keeps "
                                    + MAX_LENGTH)
                    .withHint("make a view of a part of it; stars become all columns");
        }
        return text;
    }

    /** Returns the part of a statement that can be analyzed as a query. */
    private static Optional<SyntaxNode> query(SyntaxNode statement) {
        return switch (statement.type()) {
            case HiveParser.TOK_QUERY -> Optional.of(statement);
            case HiveParser.TOK_ALTERVIEW ->
                statement.first(HiveParser.TOK_ALTERVIEW_AS).flatMap(as -> as.first(HiveParser.TOK_QUERY));
            case HiveParser.TOK_CREATETABLE, HiveParser.TOK_CREATEVIEW, HiveParser.TOK_CREATE_MATERIALIZED_VIEW ->
                statement.first(HiveParser.TOK_QUERY);
            default -> Optional.empty();
        };
    }

    private String expanded(SyntaxNode statement) {
        Optional<SyntaxNode> query = query(statement);
        query.ifPresent(rows -> {
            analyzer.analyzeInserts(DefaultValues.inValues(rows, context));
            rows.descendants(HiveParser.TOK_DESTINATION).forEach(target -> addDatabases(target, false));
            rows.descendants(HiveParser.TOK_INSERT_INTO).forEach(target -> addDatabases(target, false));
        });
        if (NAMING.contains(statement.type())) {
            addDatabases(statement, query.isPresent());
        }
        return analyzer.expandedText(statement).strip();
    }

    /** @param withoutQueries leaves out what the analysis has resolved */
    private void addDatabases(SyntaxNode tree, boolean withoutQueries) {
        if (withoutQueries && tree.is(HiveParser.TOK_QUERY)) {
            return;
        }
        if (tree.is(HiveParser.TOK_TABNAME) && tree.childCount() == 1) {
            analyzer.expandName(tree);
        }
        tree.children().forEach(child -> addDatabases(child, withoutQueries));
    }
}
