package io.skep.ql.alter;

import io.skep.metastore.Constraint;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.create.ConstraintCheck;
import io.skep.ql.create.ConstraintClauses;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** ALTER TABLE ... ADD CONSTRAINT, DROP CONSTRAINT, and CHANGE COLUMN with a constraint. */
final class AlterConstraints {
    private AlterConstraints() {}

    static Runnable add(Alteration alteration) {
        List<Constraint> added = alteration.clause().children().stream()
                .map(clause -> clauses(alteration).constraint(clause, Optional.empty()))
                .toList();
        return adding(alteration, alteration.table(), added);
    }

    private static ConstraintClauses clauses(Alteration alteration) {
        boolean external = alteration.table().kind() == Table.TableKind.EXTERNAL_TABLE;
        return new ConstraintClauses(external, alteration.context());
    }

    private static Runnable adding(Alteration alteration, Table table, List<Constraint> added) {
        StatementContext context = alteration.context();
        new ConstraintCheck(table, context).check(added, alteration.clause());
        if (!added.isEmpty() && TableStore.isTemporary(alteration.table(), context)) {
            throw alteration.notSupported("a constraint of a temporary table");
        }
        return () -> {
            if (!added.isEmpty()) {
                context.catalog().addConstraints(table, added);
            }
        };
    }

    static Runnable drop(Alteration alteration) {
        SyntaxNode name = alteration.clause().child(0);
        return () -> alteration.context().catalog().dropConstraint(alteration.table(), SyntaxText.identifier(name));
    }

    /** @param changed the column after the change */
    static Runnable ofColumn(Alteration alteration, FieldSchema changed) {
        Table before = alteration.table();
        String old = SyntaxText.identifier(alteration.clause().child(0));
        List<Constraint> added = clauses(alteration).ofColumn(alteration.clause(), changed.name());
        List<FieldSchema> columns = new ArrayList<>();
        for (FieldSchema column : before.columns()) {
            columns.add(column.name().equals(old) ? changed : column);
        }
        Table after = Revision.storage(before, Revision.columns(before.storage(), columns));
        return adding(alteration, after, added);
    }
}
