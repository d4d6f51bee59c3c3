package io.skep.metastore.system;

import java.util.List;
import java.util.Optional;

/**
 * The fields of a row that tell which users see it.
 *
 * @param database the field with the name of the database that the row is about
 * @param table the fields of the table or view that the row is about
 * @param people fields with names of users or roles; if there are some, a row is for those whom one of them names
 */
public record RowScope(Optional<String> database, Optional<TableFields> table, List<String> people) {
    /** The scope of a table whose rows are for administrators alone. */
    static final RowScope ADMIN = new RowScope(Optional.empty(), Optional.empty(), List.of());

    /**
     * Fields of a table.
     *
     * @param ownerType the field that says whether the owner is a user or a role
     */
    public record TableFields(String name, String owner, String ownerType) {}

    public RowScope {
        people = List.copyOf(people);
    }

    /** Returns the scope of rows about tables, which are those of TBLS under the name T. */
    static RowScope ofTables(String database, String table, String... people) {
        return new RowScope(
                Optional.of(database),
                Optional.of(new TableFields(table, "T.\"OWNER\"", "T.\"OWNER_TYPE\"")),
                List.of(people));
    }
}
