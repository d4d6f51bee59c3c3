package io.skep.ql.analyze;

import io.skep.common.error.StandardErrorCode;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;
import org.jspecify.annotations.Nullable;

/** The common tables (WITH) that are visible to a query: its own, then those of the enclosing queries. */
final class CommonTables {
    static final CommonTables NONE = new CommonTables(null);

    /** A definition of a common table. It is analyzed at its first use, and all uses share the relation. */
    static final class Definition {
        private final SyntaxNode query;
        private final List<String> names;
        private final CommonTables visible;
        private @Nullable Relation relation;
        private boolean open;

        private Definition(SyntaxNode query, List<String> names, CommonTables visible) {
            this.query = query;
            this.names = names;
            this.visible = visible;
        }

        Relation relation(SyntaxNode where, Environment environment) {
            Relation known = relation;
            if (known != null) {
                return known;
            }
            if (open) {
                String name = Names.of(where.children().getLast());
                throw CompileErrors.plain(
                        where.position(),
                        StandardErrorCode.RECURSIVE_VIEW,
                        ErrorMsg.GENERIC_ERROR,
                        "Recursive cte " + name + " detected (cycle: " + name + " -> " + name + ").");
            }
            open = true;
            Relation made =
                    environment.with(visible).analyze(query, Optional.empty()).named(names);
            open = false;
            relation = made;
            return made;
        }
    }

    private final @Nullable CommonTables around;
    private final Map<String, Definition> own = new HashMap<>();

    CommonTables(@Nullable CommonTables around) {
        this.around = around;
    }

    /** @param with TOK_CTE: the subqueries with their names */
    static CommonTables of(SyntaxNode with, CommonTables around) {
        CommonTables tables = new CommonTables(around);
        for (SyntaxNode common : with.children()) {
            String name = Names.of(common.child(1));
            if (tables.own.containsKey(name)) {
                throw SemanticErrors.at(common.child(1), ErrorMsg.AMBIGUOUS_TABLE_ALIAS);
            }
            List<String> columns = common.first(HiveParser.TOK_TABCOLNAME)
                    .map(list -> list.children().stream().map(Names::of).toList())
                    .orElse(List.of());
            tables.own.put(name, new Definition(common.child(0), columns, tables));
        }
        return tables;
    }

    Optional<Definition> find(String name) {
        Definition definition = own.get(name);
        if (definition != null) {
            return Optional.of(definition);
        }
        return around == null ? Optional.empty() : around.find(name);
    }
}
