package io.skep.ql.show;

import io.skep.metastore.Database;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hive.common.util.HiveStringUtils;

/** DESCRIBE DATABASE [EXTENDED] name. */
public final class DescribeDatabaseHandler implements StatementHandler {
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
        Database database = context.database(SyntaxText.identifier(name), name.position());
        List<String> columns = new ArrayList<>(COLUMNS);
        List<Optional<String>> row = new ArrayList<>();
        row.add(Optional.of(database.name()));
        row.add(Optional.of(HiveStringUtils.escapeJava(database.comment().orElse(""))));
        row.add(Optional.of(location(database)));
        row.add(Optional.of(database.managedLocation().orElse("")));
        row.add(Optional.of(database.owner()));
        row.add(Optional.of(database.ownerIsRole() ? "ROLE" : "USER"));
        row.add(Optional.of(database.remote().map(Database.Remote::connector).orElse("")));
        row.add(Optional.of(database.remote().map(Database.Remote::database).orElse("")));
        if (statement.childCount() > 1) {
            columns.add("parameters");
            row.add(Optional.of(parameters(database.properties())));
        }
        if (DefinitionJson.isWanted(context)) {
            return CommandStatement.withText(
                    "DESCDATABASE",
                    List.of("json"),
                    log -> DefinitionJson.rows(json(database, statement.childCount() > 1)));
        }
        return CommandStatement.withText("DESCDATABASE", columns, log -> List.of(row));
    }

    /** The location of a remote database has no meaning. */
    private static String location(Database database) {
        return database.remote().isPresent() ? "" : database.location();
    }

    private static Map<String, Object> json(Database database, boolean extended) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("database", database.name());
        database.comment().ifPresent(comment -> json.put("comment", comment));
        json.put("location", location(database));
        database.managedLocation().ifPresent(location -> json.put("managedLocation", location));
        json.put("owner", database.owner());
        json.put("ownerType", database.ownerIsRole() ? "ROLE" : "USER");
        json.put(
                "connector_name",
                database.remote().map(Database.Remote::connector).orElse(""));
        json.put(
                "remote_dbname",
                database.remote().map(Database.Remote::database).orElse(""));
        if (extended && !database.properties().isEmpty()) {
            json.put("params", new TreeMap<>(database.properties()));
        }
        return json;
    }

    static String parameters(Map<String, String> properties) {
        return properties.isEmpty()
                ? ""
                : new TreeMap<>(properties)
                        .entrySet().stream()
                                .map(entry -> entry.getKey() + "=" + entry.getValue())
                                .collect(Collectors.joining(", ", "{", "}"));
    }
}
