package io.skep.ql.authorize;

import io.skep.metastore.Database;
import io.skep.metastore.Table;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** What a statement accesses. {@link #shown} names it as Hive's errors do. */
public sealed interface AccessedObject {
    /** Hive's name for tables and views. */
    String TABLE_OR_VIEW = "TABLE_OR_VIEW";

    /** Hive's name for databases. */
    String DATABASE = "DATABASE";

    /** Returns the kind of the object, by the name of Hive's HivePrivilegeObjectType or, for a path, of its Type. */
    String type();

    String name();

    default String shown() {
        return "Object [type=" + type() + ", name=" + name() + "]";
    }

    /** How a statement writes rows of a table. */
    enum Write {
        INSERT,
        INSERT_OVERWRITE,
        UPDATE,
        DELETE
    }

    /** The columns of a table that a privilege must cover. */
    sealed interface Columns {
        /** The privilege must be granted on the table. */
        record All() implements Columns {}

        /** The privilege must be granted on the table, or on each of the columns; on any column if there are none. */
        record Named(Collection<String> names) implements Columns {
            public Named {
                names = List.copyOf(new TreeSet<>(names));
            }
        }
    }

    /** A table or view that exists. */
    record OfTable(Table table, Columns columns, Optional<Write> write) implements AccessedObject {
        public OfTable(Table table) {
            this(table, new Columns.All(), Optional.empty());
        }

        /** Returns a table, any column of which suffices. */
        public static OfTable anyColumn(Table table) {
            return new OfTable(table, new Columns.Named(List.of()), Optional.empty());
        }

        @Override
        public String type() {
            return TABLE_OR_VIEW;
        }

        @Override
        public String name() {
            return table.qualifiedName();
        }

        @Override
        public String shown() {
            String action = write.map(how -> ", action=" + how).orElse("");
            return "Object [type=" + type() + ", name=" + name() + action + "]";
        }
    }

    /** A table or view that a statement creates. */
    record OfNewTable(String database, String table) implements AccessedObject {
        @Override
        public String type() {
            return TABLE_OR_VIEW;
        }

        @Override
        public String name() {
            return database + "." + table;
        }
    }

    /** A database that exists. */
    record OfDatabase(Database database) implements AccessedObject {
        @Override
        public String type() {
            return DATABASE;
        }

        @Override
        public String name() {
            return database.name();
        }
    }

    /** A database that a statement creates. */
    record OfNewDatabase(String name) implements AccessedObject {
        @Override
        public String type() {
            return DATABASE;
        }
    }

    /**
     * A function.
     *
     * @param database empty for one of the session
     * @param className of a function that is created
     */
    record OfFunction(Optional<String> database, String function, Optional<String> className)
            implements AccessedObject {
        @Override
        public String type() {
            return "FUNCTION";
        }

        @Override
        public String name() {
            return database.map(name -> name + "." + function).orElse(function);
        }
    }

    /**
     * A file or folder that a statement names.
     *
     * @param location as it is written
     * @param resolved what is used, with its scheme and without links and {@code ..}; as written where the path is
     *     wrong, which the statement refuses by itself
     */
    record OfPath(String location, String resolved) implements AccessedObject {
        @Override
        public String type() {
            return resolved.startsWith("file:") || resolved.startsWith("/") ? "LOCAL_URI" : "DFS_URI";
        }

        @Override
        public String name() {
            return location;
        }
    }

    /**
     * A scheduled query.
     *
     * @param owner the user as whom it runs
     */
    record OfScheduledQuery(String namespace, String query, String owner) implements AccessedObject {
        @Override
        public String type() {
            return "SCHEDULED_QUERY";
        }

        @Override
        public String name() {
            return namespace + "." + query;
        }
    }

    /** A data connector. */
    record OfConnector(String name) implements AccessedObject {
        @Override
        public String type() {
            return "DATACONNECTOR";
        }
    }

    /** A command that is no SQL, with its words. */
    record OfCommand(List<String> parameters) implements AccessedObject {
        public OfCommand {
            parameters = List.copyOf(parameters);
        }

        @Override
        public String type() {
            return "COMMAND_PARAMS";
        }

        @Override
        public String name() {
            return parameters.toString();
        }
    }

    /** What a statement reads or changes of the whole server. */
    record OfServer(String side) implements AccessedObject {
        @Override
        public String type() {
            return "SERVER";
        }

        @Override
        public String name() {
            return side;
        }

        @Override
        public String shown() {
            return side;
        }
    }
}
