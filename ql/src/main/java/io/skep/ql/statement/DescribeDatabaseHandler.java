package io.skep.ql.statement;

import io.skep.metastore.Database;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** DESCRIBE DATABASE [EXTENDED] name. */
final class DescribeDatabaseHandler implements StatementHandler {
    private static final List<String> COLUMNS = List.of(
            "db_name",
            "comment",
            "location",
            "managedlocation",
            "owner_name",
            "owner_type",
            "connector_name",
            "remote_dbname");

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode name = statement.child(0);
        Database database = context.database(Texts.identifier(name), name.position());
        List<String> columns = new ArrayList<>(COLUMNS);
        List<Optional<String>> row = new ArrayList<>();
        row.add(Optional.of(database.name()));
        row.add(Optional.of(database.comment().orElse("")));
        row.add(Optional.of(database.location()));
        row.add(Optional.of(database.managedLocation().orElse("")));
        row.add(Optional.of(database.owner()));
        row.add(Optional.of(database.ownerIsRole() ? "ROLE" : "USER"));
        row.add(Optional.of(""));
        row.add(Optional.of(""));
        if (statement.childCount() > 1) {
            columns.add("parameters");
            row.add(Optional.of(parameters(database.properties())));
        }
        return CommandStatement.withText("DESCDATABASE", columns, log -> List.of(row));
    }

    private static String parameters(Map<String, String> properties) {
        return properties.isEmpty()
                ? ""
                : new TreeMap<>(properties)
                        .entrySet().stream()
                                .map(entry -> entry.getKey() + "=" + entry.getValue())
                                .collect(Collectors.joining(", ", "{", "}"));
    }
}
