package io.skep.metastore.hive;

import io.skep.metastore.system.RowCondition;
import io.skep.metastore.system.RowRequest;
import io.skep.metastore.system.RowScope;
import io.skep.metastore.system.RowTarget;
import io.skep.metastore.system.RowVisibility;
import io.skep.metastore.system.SystemColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The query of the metastore's database for one request, and what becomes of its rows.
 *
 * @param fields the fields that it selects, each once
 */
record SystemSelect(RowRequest request, List<String> fields, String sql, List<Object> parameters) {
    static SystemSelect of(RowRequest request) {
        RowScope scope = request.table().scope();
        Set<String> fields = new LinkedHashSet<>();
        for (int column : request.columns()) {
            fields.addAll(request.table().columns().get(column).fields());
        }
        if (request.visibility().isPresent()) {
            scope.database().ifPresent(fields::add);
            scope.table().ifPresent(table -> fields.addAll(List.of(table.name(), table.owner(), table.ownerType())));
            fields.addAll(scope.people());
        }
        List<String> conditions = new ArrayList<>();
        List<Object> parameters = new ArrayList<>();
        if (!request.table().where().isEmpty()) {
            conditions.add(request.table().where());
        }
        for (RowCondition condition : request.conditions()) {
            String field =
                    request.table().columns().get(condition.column()).fields().getFirst();
            conditions.add(
                    condition.values().isEmpty()
                            ? "1 = 0"
                            : field + " IN ("
                                    + String.join(
                                            ", ",
                                            Collections.nCopies(
                                                    condition.values().size(), "?")) + ")");
            parameters.addAll(condition.values());
        }
        request.database().ifPresent(only -> {
            conditions.add(scope.database().orElseThrow() + " = ?");
            parameters.add(only);
        });
        String selected = fields.isEmpty() ? "1" : String.join(", ", fields);
        String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        return new SystemSelect(
                request,
                List.copyOf(fields),
                "SELECT " + selected + " FROM " + request.table().from() + where,
                parameters);
    }

    /** Passes a row to the target, if it is shown. Returns whether it is. */
    boolean pass(ResultSet row, RowTarget target) throws SQLException {
        List<@Nullable String> texts = new ArrayList<>(fields.size());
        for (int i = 1; i <= fields.size(); i++) {
            texts.add(row.getString(i));
        }
        if (request.visibility().isPresent()
                && !isShown(texts, request.visibility().get())) {
            return false;
        }
        List<@Nullable Object> values = new ArrayList<>(request.columns().size());
        for (int position : request.columns()) {
            SystemColumn column = request.table().columns().get(position);
            values.add(column.value().of(texts(column.fields(), texts), request.context()));
        }
        target.row(values);
        return true;
    }

    private List<@Nullable String> texts(List<String> wanted, List<@Nullable String> texts) {
        List<@Nullable String> found = new ArrayList<>(wanted.size());
        for (String field : wanted) {
            found.add(texts.get(fields.indexOf(field)));
        }
        return found;
    }

    private @Nullable String text(String field, List<@Nullable String> texts) {
        return texts.get(fields.indexOf(field));
    }

    private boolean isShown(List<@Nullable String> texts, RowVisibility visibility) {
        RowScope scope = request.table().scope();
        if (scope.database().isPresent()) {
            String database = text(scope.database().get(), texts);
            if (database == null || !visibility.showsDatabase(database)) {
                return false;
            }
            if (scope.table().isPresent() && !isShown(database, scope.table().get(), texts, visibility)) {
                return false;
            }
        }
        if (scope.people().isEmpty()) {
            return true;
        }
        return texts(scope.people(), texts).stream().anyMatch(name -> name != null && visibility.isUser(name));
    }

    private boolean isShown(
            String database, RowScope.TableFields table, List<@Nullable String> texts, RowVisibility visibility) {
        String name = text(table.name(), texts);
        String owner = text(table.owner(), texts);
        return name != null
                && visibility.showsTable(
                        database, name, owner == null ? "" : owner, "ROLE".equals(text(table.ownerType(), texts)));
    }
}
