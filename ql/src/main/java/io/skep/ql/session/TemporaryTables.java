package io.skep.ql.session;

import io.skep.metastore.Table;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The session's temporary tables: tables that only it sees and that go with it. */
public final class TemporaryTables {
    private final Map<String, Table> tables = new ConcurrentHashMap<>();

    public Optional<Table> get(String database, String name) {
        return Optional.ofNullable(tables.get(database + "." + name));
    }

    public void put(Table table) {
        tables.put(table.qualifiedName(), table);
    }

    public void remove(String database, String name) {
        tables.remove(database + "." + name);
    }

    public List<String> names(String database) {
        return tables.values().stream()
                .filter(table -> table.database().equals(database))
                .map(Table::name)
                .sorted()
                .toList();
    }

    public Collection<Table> all() {
        return List.copyOf(tables.values());
    }
}
