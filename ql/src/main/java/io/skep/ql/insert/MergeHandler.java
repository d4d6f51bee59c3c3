package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.RowChange;
import io.skep.metastore.FieldSchema;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.transaction.TableAccess;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * Compiles MERGE. Its query joins the source with the target. Each row of the join has the change of the first clause
 * whose condition it meets, or none.
 */
public final class MergeHandler implements StatementHandler {
    /** A WHEN clause: whether it applies to a row, and what it does. */
    private record Clause(SyntaxNode condition, RowChange change, List<SyntaxNode> values) {}

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode target = statement.child(0);
        if (target.childCount() > 2 || !target.is(HiveParser.TOK_TABREF)) {
            throw new SkepException(StandardErrorCode.SEMANTIC_ERROR, "the target of MERGE is one table")
                    .at(target.position());
        }
        Optional<String> alias =
                target.childCount() == 2 ? Optional.of(SyntaxText.identifier(target.child(1))) : Optional.empty();
        if (statement.first(HiveParser.TOK_MATCHED).isEmpty()) {
            ChangedTable filled = ChangedTable.target(target.child(0), alias, context);
            if (!filled.hasRowIds()) {
                return new MergeAsInsert(filled, context).compile(statement);
            }
        }
        ChangedTable changed = ChangedTable.of(target.child(0), alias, context);
        checkMatched(statement);
        List<Clause> clauses = clauses(statement, changed, context);
        boolean inserts = clauses.stream().anyMatch(clause -> clause.change() == RowChange.INSERT);
        List<SyntaxNode> conditions = clauses.stream().map(Clause::condition).toList();
        List<SyntaxNode> selected = new ArrayList<>();
        selected.add(ChangeSyntax.choice(
                conditions,
                clauses.stream()
                        .map(clause -> ChangePlanning.code(clause.change()))
                        .toList()));
        selected.add(changed.rowId());
        for (int i = 0; i < changed.columns().size(); i++) {
            int column = i;
            selected.add(ChangeSyntax.choice(
                    conditions,
                    clauses.stream().map(clause -> clause.values().get(column)).toList()));
        }
        SyntaxNode source = ChangeSyntax.join(statement.child(1), target, statement.child(2), inserts);
        return new ChangePlanning(changed, accesses(clauses), context)
                .compile(ChangeSyntax.query(source, selected, Optional.empty()));
    }

    /** Hive takes one UPDATE and one DELETE. Where both are there, the first of them needs a condition. */
    private static void checkMatched(SyntaxNode statement) {
        boolean updates = false;
        boolean deletes = false;
        boolean unconditional = false;
        for (SyntaxNode clause : statement.children()) {
            if (!clause.is(HiveParser.TOK_MATCHED)) {
                continue;
            }
            boolean isUpdate = clause.child(0).is(HiveParser.TOK_UPDATE);
            if (isUpdate ? updates : deletes) {
                throw refused(
                        statement, isUpdate ? ErrorMsg.MERGE_TOO_MANY_UPDATE : ErrorMsg.MERGE_TOO_MANY_DELETE, clause);
            }
            unconditional |= !updates && !deletes && clause.childCount() == 1;
            updates |= isUpdate;
            deletes |= !isUpdate;
        }
        if (updates && deletes && unconditional) {
            throw refused(
                    statement,
                    ErrorMsg.MERGE_PREDIACTE_REQUIRED,
                    statement.first(HiveParser.TOK_MATCHED).orElseThrow());
        }
    }

    private static SkepException refused(SyntaxNode statement, ErrorMsg error, SyntaxNode clause) {
        return CompileErrors.plain(
                clause.position(),
                StandardErrorCode.SEMANTIC_ERROR,
                error,
                error.format(CompileErrors.shown(statement.source())));
    }

    private static List<TableAccess> accesses(List<Clause> clauses) {
        Set<TableAccess> accesses = EnumSet.noneOf(TableAccess.class);
        for (Clause clause : clauses) {
            accesses.add(
                    switch (clause.change()) {
                        case INSERT -> TableAccess.INSERT;
                        case UPDATE -> TableAccess.UPDATE;
                        case DELETE -> TableAccess.DELETE;
                    });
        }
        return List.copyOf(accesses);
    }

    private static List<Clause> clauses(SyntaxNode statement, ChangedTable changed, StatementContext context) {
        List<Clause> clauses = new ArrayList<>();
        for (SyntaxNode node : statement.children()) {
            if (node.is(HiveParser.TOK_MATCHED) || node.is(HiveParser.TOK_NOT_MATCHED)) {
                clauses.add(clause(node, changed, context));
            }
        }
        return clauses;
    }

    private static Clause clause(SyntaxNode node, ChangedTable changed, StatementContext context) {
        boolean isMatched = node.is(HiveParser.TOK_MATCHED);
        SyntaxNode matched = ChangeSyntax.expression(isMatched ? "a is not null" : "a is null");
        List<SyntaxNode> operands = new ArrayList<>(matched.children());
        operands.set(operands.size() - 1, changed.rowId());
        Optional<SyntaxNode> condition = node.childCount() > 1 ? Optional.of(node.child(1)) : Optional.empty();
        SyntaxNode applies = ChangeSyntax.and(matched.withChildren(operands), condition);
        SyntaxNode action = node.child(0);
        if (!isMatched) {
            return new Clause(applies, RowChange.INSERT, changed.inserted(action, context));
        }
        boolean isUpdate = action.is(HiveParser.TOK_UPDATE);
        Map<String, SyntaxNode> set = isUpdate ? changed.assignments(action.child(0), context) : Map.of();
        List<SyntaxNode> values = new ArrayList<>();
        for (FieldSchema column : changed.columns()) {
            values.add(set.getOrDefault(column.name(), changed.column(column.name())));
        }
        return new Clause(applies, isUpdate ? RowChange.UPDATE : RowChange.DELETE, values);
    }
}
