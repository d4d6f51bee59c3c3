package io.skep.service.flight;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.vector.Datum;
import io.skep.metastore.Catalog;
import io.skep.service.metadata.CrossReference;
import io.skep.service.metadata.KeyQueries;
import io.skep.service.metadata.MetadataQueries;
import io.skep.service.metadata.ShownCatalog;
import io.skep.service.metadata.TableTypeMapping;
import io.skep.service.session.ClientSession;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.arrow.flight.sql.FlightSqlProducer.Schemas;
import org.apache.arrow.flight.sql.impl.FlightSql;
import org.jspecify.annotations.Nullable;

/**
 * Flight SQL's metadata commands as JDBC's calls. Hive has no catalogs: the list of them is empty, and a name of a
 * catalog other than the empty one selects nothing.
 */
final class MetadataAnswers {
    private final Catalog catalog;

    MetadataAnswers(Catalog catalog) {
        this.catalog = catalog;
    }

    /** Returns the answer to a command; empty for a command that is none of metadata. */
    Optional<MetadataAnswer> of(Any command) {
        return tables(command).or(() -> keys(command)).or(() -> ofTypes(command));
    }

    private Optional<MetadataAnswer> tables(Any command) {
        if (command.is(FlightSql.CommandGetCatalogs.class)) {
            return Optional.of(new MetadataAnswer(
                    Schemas.GET_CATALOGS_SCHEMA,
                    "GET_CATALOGS",
                    Map.of(),
                    session -> MetadataQueries.catalogs(),
                    session -> MetadataAnswer.Rows.ofColumns(0)));
        }
        if (command.is(FlightSql.CommandGetDbSchemas.class)) {
            return Optional.of(schemas(read(command, FlightSql.CommandGetDbSchemas.class)));
        }
        if (command.is(FlightSql.CommandGetTables.class)) {
            return Optional.of(tables(read(command, FlightSql.CommandGetTables.class)));
        }
        if (command.is(FlightSql.CommandGetTableTypes.class)) {
            return Optional.of(new MetadataAnswer(
                    Schemas.GET_TABLE_TYPES_SCHEMA,
                    "GET_TABLE_TYPES",
                    Map.of(),
                    session -> MetadataQueries.tableTypes(TableTypeMapping.of(session.sql())),
                    session -> MetadataAnswer.Rows.ofColumns(0)));
        }
        return Optional.empty();
    }

    private MetadataAnswer schemas(FlightSql.CommandGetDbSchemas asked) {
        @Nullable String pattern = asked.hasDbSchemaFilterPattern() ? asked.getDbSchemaFilterPattern() : null;
        return new MetadataAnswer(
                Schemas.GET_SCHEMAS_SCHEMA,
                "GET_SCHEMAS",
                arguments("schema", pattern),
                session -> MetadataQueries.schemas(shown(session), pattern),
                session -> without(asked.hasCatalog(), asked.getCatalog(), MetadataAnswer.Rows.ofColumns(1, 0)));
    }

    private MetadataAnswer tables(FlightSql.CommandGetTables asked) {
        @Nullable String database = asked.hasDbSchemaFilterPattern() ? asked.getDbSchemaFilterPattern() : null;
        @Nullable String table = asked.hasTableNameFilterPattern() ? asked.getTableNameFilterPattern() : null;
        boolean columns = asked.getIncludeSchema();
        Function<ClientSession, MetadataAnswer.Rows> rows = columns
                ? session -> new TableSchemas(shown(session))
                : session -> MetadataAnswer.Rows.ofColumns(0, 1, 2, 3);
        return new MetadataAnswer(
                columns ? Schemas.GET_TABLES_SCHEMA : Schemas.GET_TABLES_SCHEMA_NO_SCHEMA,
                "GET_TABLES",
                arguments("schema", database, "table", table),
                session -> MetadataQueries.tables(
                        shown(session), TableTypeMapping.of(session.sql()), database, table, asked.getTableTypesList()),
                session -> without(asked.hasCatalog(), asked.getCatalog(), rows.apply(session)));
    }

    private Optional<MetadataAnswer> keys(Any command) {
        if (command.is(FlightSql.CommandGetPrimaryKeys.class)) {
            FlightSql.CommandGetPrimaryKeys asked = read(command, FlightSql.CommandGetPrimaryKeys.class);
            @Nullable String database = asked.hasDbSchema() ? asked.getDbSchema() : null;
            return Optional.of(new MetadataAnswer(
                    Schemas.GET_PRIMARY_KEYS_SCHEMA,
                    "GET_PRIMARYKEYS",
                    arguments("schema", database, "table", asked.getTable()),
                    session -> keysOf(session).primaryKeys(database, asked.getTable()),
                    session -> without(
                            asked.hasCatalog(), asked.getCatalog(), MetadataAnswer.Rows.ofColumns(0, 1, 2, 3, 4, 5))));
        }
        if (command.is(FlightSql.CommandGetExportedKeys.class)) {
            FlightSql.CommandGetExportedKeys asked = read(command, FlightSql.CommandGetExportedKeys.class);
            @Nullable String database = asked.hasDbSchema() ? asked.getDbSchema() : null;
            return Optional.of(references(
                    CrossReference.of(database, asked.getTable(), null, null),
                    asked.hasCatalog() ? asked.getCatalog() : ""));
        }
        if (command.is(FlightSql.CommandGetImportedKeys.class)) {
            FlightSql.CommandGetImportedKeys asked = read(command, FlightSql.CommandGetImportedKeys.class);
            @Nullable String database = asked.hasDbSchema() ? asked.getDbSchema() : null;
            return Optional.of(references(
                    CrossReference.of(null, null, database, asked.getTable()),
                    asked.hasCatalog() ? asked.getCatalog() : ""));
        }
        if (command.is(FlightSql.CommandGetCrossReference.class)) {
            FlightSql.CommandGetCrossReference asked = read(command, FlightSql.CommandGetCrossReference.class);
            CrossReference tables = CrossReference.of(
                    asked.hasPkDbSchema() ? asked.getPkDbSchema() : null,
                    asked.getPkTable(),
                    asked.hasFkDbSchema() ? asked.getFkDbSchema() : null,
                    asked.getFkTable());
            return Optional.of(references(
                    tables,
                    (asked.hasPkCatalog() ? asked.getPkCatalog() : "")
                            + (asked.hasFkCatalog() ? asked.getFkCatalog() : "")));
        }
        return Optional.empty();
    }

    /** JDBC's columns are in another order, and the deferrability is not in Flight SQL's. */
    private MetadataAnswer references(CrossReference tables, String catalogs) {
        return new MetadataAnswer(
                Schemas.GET_CROSS_REFERENCE_SCHEMA,
                "GET_CROSSREFERENCE",
                arguments(
                        "parentSchema",
                        tables.parentSchema().orElse(null),
                        "parentTable",
                        tables.parent().orElse(null),
                        "foreignSchema",
                        tables.foreignSchema().orElse(null),
                        "foreignTable",
                        tables.foreign().orElse(null)),
                session -> keysOf(session).crossReferences(tables),
                session -> without(
                        true, catalogs, MetadataAnswer.Rows.ofColumns(0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 9, 10)));
    }

    private Optional<MetadataAnswer> ofTypes(Any command) {
        if (!command.is(FlightSql.CommandGetXdbcTypeInfo.class)) {
            return Optional.empty();
        }
        FlightSql.CommandGetXdbcTypeInfo asked = read(command, FlightSql.CommandGetXdbcTypeInfo.class);
        return Optional.of(new MetadataAnswer(
                Schemas.GET_TYPE_INFO_SCHEMA,
                "GET_TYPE_INFO",
                Map.of(),
                session -> MetadataQueries.typeInfo(),
                session -> row -> asked.hasDataType() && !new Datum.OfLong(asked.getDataType()).equals(row.get(1))
                        ? Optional.empty()
                        : Optional.of(typeInfo(row))));
    }

    /** The code of the SQL type, which JDBC leaves out, is that of the type. */
    private static List<Datum> typeInfo(List<Datum> row) {
        return List.of(
                row.get(0),
                row.get(1),
                row.get(2),
                row.get(3),
                row.get(4),
                row.get(5),
                row.get(6),
                row.get(7),
                row.get(8),
                row.get(9),
                row.get(10),
                row.get(11),
                row.get(12),
                row.get(13),
                row.get(14),
                row.get(1),
                row.get(16),
                row.get(17),
                Datum.NULL);
    }

    private ShownCatalog shown(ClientSession session) {
        return new ShownCatalog(catalog, session.sql());
    }

    private KeyQueries keysOf(ClientSession session) {
        return new KeyQueries(shown(session), session.sql().currentDatabase());
    }

    private static MetadataAnswer.Rows without(boolean asked, String catalog, MetadataAnswer.Rows rows) {
        return asked && !catalog.isEmpty() ? MetadataAnswer.Rows.NONE : rows;
    }

    private static <T extends Message> T read(Any command, Class<T> type) {
        try {
            return command.unpack(type);
        } catch (InvalidProtocolBufferException e) {
            throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, "the message is no " + type.getSimpleName(), e);
        }
    }

    private static Map<String, String> arguments(@Nullable String... namesAndValues) {
        Map<String, String> asked = new HashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            @Nullable String value = namesAndValues[i + 1];
            if (value != null) {
                asked.put(String.valueOf(namesAndValues[i]), value);
            }
        }
        return asked;
    }
}
