package io.skep.spark;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.NamespaceChange;
import org.apache.spark.sql.connector.catalog.SupportsNamespaces;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * The databases and tables of a server, as far as its user may see them: {@code spark.sql.catalog.NAME} is the name of
 * this class, {@code spark.sql.catalog.NAME.url} the server. Views are read as tables. Nothing can be changed.
 */
public final class SkepCatalog implements TableCatalog, SupportsNamespaces {
    private static final String DEFAULT_DATABASE = "default";

    private @Nullable String name;
    private @Nullable SkepOptions options;

    @Override
    public void initialize(String given, CaseInsensitiveStringMap settings) {
        name = given;
        options = SkepOptions.ofCatalog(settings);
    }

    @Override
    public String name() {
        return set(name);
    }

    private static <T> T set(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("Skep: the catalog is not initialized");
        }
        return value;
    }

    private <T> T ask(Function<ServerConnection, T> question) {
        try (ServerConnection server = ServerConnection.open(set(options))) {
            return question.apply(server);
        }
    }

    @Override
    public String[] defaultNamespace() {
        return new String[] {DEFAULT_DATABASE};
    }

    @Override
    public String[][] listNamespaces() {
        return ask(ServerConnection::databases).stream()
                .map(database -> new String[] {database})
                .toArray(String[][]::new);
    }

    /** Databases contain no databases. */
    @Override
    public String[][] listNamespaces(String[] namespace) throws NoSuchNamespaceException {
        if (namespace.length == 0) {
            return listNamespaces();
        }
        loadNamespaceMetadata(namespace);
        return new String[0][];
    }

    @Override
    public Map<String, String> loadNamespaceMetadata(String[] namespace) throws NoSuchNamespaceException {
        boolean known = namespace.length == 1
                && ask(ServerConnection::databases).stream().anyMatch(namespace[0]::equalsIgnoreCase);
        if (!known) {
            throw new NoSuchNamespaceException(namespace);
        }
        return Map.of();
    }

    @Override
    public Identifier[] listTables(String[] namespace) throws NoSuchNamespaceException {
        if (namespace.length != 1) {
            throw new NoSuchNamespaceException(namespace);
        }
        try {
            return ask(server -> server.tables(namespace[0])).stream()
                    .map(table -> Identifier.of(namespace, table))
                    .toArray(Identifier[]::new);
        } catch (ServerException e) {
            if (e.isNoSuchDatabase()) {
                throw new NoSuchNamespaceException(namespace);
            }
            throw e;
        }
    }

    @Override
    public Table loadTable(Identifier table) throws NoSuchTableException {
        if (table.namespace().length != 1) {
            throw new NoSuchTableException(table);
        }
        Source source = new Source.OfTable(new TableName(List.of(table.namespace()[0], table.name())));
        try {
            return new SkepTable(set(options), source, ask(server -> server.columns(source)), true);
        } catch (ServerException e) {
            if (e.isNoSuchTable() || e.isNoSuchDatabase()) {
                throw new NoSuchTableException(table);
            }
            throw e;
        }
    }

    private UnsupportedOperationException refused(String statement) {
        return new UnsupportedOperationException(
                "Skep: " + statement + " is not supported in catalog " + name() + "; run it on the server, over JDBC");
    }

    @Override
    public Table createTable(
            Identifier table, Column[] columns, Transform[] partitions, Map<String, String> properties) {
        throw refused("CREATE TABLE");
    }

    @Override
    public Table alterTable(Identifier table, TableChange... changes) {
        throw refused("ALTER TABLE");
    }

    @Override
    public boolean dropTable(Identifier table) {
        throw refused("DROP TABLE");
    }

    @Override
    public void renameTable(Identifier from, Identifier to) {
        throw refused("ALTER TABLE ... RENAME");
    }

    @Override
    public void createNamespace(String[] namespace, Map<String, String> properties) {
        throw refused("CREATE DATABASE");
    }

    @Override
    public void alterNamespace(String[] namespace, NamespaceChange... changes) {
        throw refused("ALTER DATABASE");
    }

    @Override
    public boolean dropNamespace(String[] namespace, boolean cascade) {
        throw refused("DROP DATABASE");
    }
}
