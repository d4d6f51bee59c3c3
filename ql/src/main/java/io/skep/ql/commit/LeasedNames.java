package io.skep.ql.commit;

import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.storage.table.TableFormat;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Names that can be leased, represented as tables. Only the name counts; such a table need not exist. */
public final class LeasedNames {
    /** The name leased by commits to folders that belong to no table. No real table has an empty database. */
    static final Table FOLDERS = of("", "folders");

    static final String FOLDERS_KEY = ConsistentReads.key(FOLDERS);

    private LeasedNames() {}

    /** Whether none of them is a real table, so that the work concerns folders that belong to no table. */
    static boolean areNoTables(Collection<Table> tables) {
        return Set.of(FOLDERS_KEY).containsAll(ConsistentReads.keys(tables));
    }

    /** @param name name of a table; empty for the database itself */
    public static Table of(String database, String name) {
        return new Table(
                Table.NO_ID,
                database,
                name,
                Table.TableKind.MANAGED_TABLE,
                "",
                false,
                0,
                0,
                List.of(),
                new StorageDescriptor(
                        List.of(),
                        "",
                        new TableFormat("", "", "", Map.of()),
                        false,
                        -1,
                        List.of(),
                        List.of(),
                        StorageDescriptor.Skew.NONE),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
