package io.skep.service.metadata;

import io.skep.common.type.ArrayType;
import io.skep.common.type.MapType;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.type.StructType;
import io.skep.common.type.UnionType;
import io.skep.common.vector.Datum;
import io.skep.engine.function.FunctionCatalog;
import io.skep.metastore.Constraint.PrimaryKey;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Table;
import io.skep.ql.NamePattern;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.SqlStatement;
import io.skep.ql.statement.CommandStatement;
import java.sql.DatabaseMetaData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The metadata calls, with the columns that JDBC prescribes and Hive's drivers expect. */
public final class MetadataQueries {
    private static final SqlType STRING = PrimitiveType.STRING;
    private static final SqlType INT = PrimitiveType.INT;

    private MetadataQueries() {}

    static ResultColumn column(String name, SqlType type) {
        return new ResultColumn(name, type, "");
    }

    static List<ResultColumn> strings(String... names) {
        return Arrays.stream(names).map(name -> column(name, STRING)).toList();
    }

    static Datum text(String text) {
        return Datum.ofText(text);
    }

    static Datum number(long number) {
        return new Datum.OfLong(number);
    }

    /**
     * JDBC's patterns: {@code %} for any text, {@code _} for one character, and a backslash before literal ones. No
     * name matches an empty pattern.
     */
    private static NamePattern pattern(@Nullable String jdbc) {
        return jdbc == null ? NamePattern.ofDriver("%") : NamePattern.ofDriver(jdbc.toLowerCase(Locale.ROOT));
    }

    /** Like {@link #pattern}, for databases: the empty one stands for all of them. */
    private static NamePattern databasePattern(@Nullable String jdbc) {
        return pattern(jdbc == null || jdbc.isEmpty() ? null : jdbc);
    }

    public static SqlStatement catalogs() {
        return CommandStatement.withRows("GET_CATALOGS", strings("TABLE_CAT"), log -> List.of());
    }

    public static SqlStatement schemas(ShownCatalog catalog, @Nullable String schemaPattern) {
        NamePattern wanted = databasePattern(schemaPattern);
        return CommandStatement.withRows(
                "GET_SCHEMAS",
                strings("TABLE_SCHEM", "TABLE_CATALOG"),
                log -> databases(catalog, wanted).stream()
                        .map(name -> List.of(text(name), text("")))
                        .toList());
    }

    private static List<String> databases(ShownCatalog catalog, NamePattern wanted) {
        return catalog.databases().stream().filter(name -> wanted.matches(name)).toList();
    }

    public static SqlStatement tableTypes(TableTypeMapping mapping) {
        return CommandStatement.withRows(
                "GET_TABLE_TYPES",
                strings("TABLE_TYPE"),
                log -> mapping.names().map(name -> List.<Datum>of(text(name))).toList());
    }

    private static List<Table> matching(
            ShownCatalog catalog, @Nullable String schemaPattern, @Nullable String tablePattern) {
        NamePattern wanted = pattern(tablePattern);
        List<Table> tables = new ArrayList<>();
        for (String database : databases(catalog, databasePattern(schemaPattern))) {
            for (String name : catalog.names(database)) {
                if (wanted.matches(name)) {
                    catalog.table(database, name).ifPresent(tables::add);
                }
            }
        }
        return tables;
    }

    public static SqlStatement tables(
            ShownCatalog catalog,
            TableTypeMapping mapping,
            @Nullable String schemaPattern,
            @Nullable String tablePattern,
            @Nullable List<String> types) {
        List<ResultColumn> columns = strings(
                "TABLE_CAT",
                "TABLE_SCHEM",
                "TABLE_NAME",
                "TABLE_TYPE",
                "REMARKS",
                "TYPE_CAT",
                "TYPE_SCHEM",
                "TYPE_NAME",
                "SELF_REFERENCING_COL_NAME",
                "REF_GENERATION");
        return CommandStatement.withRows("GET_TABLES", columns, log -> {
            List<List<Datum>> rows = new ArrayList<>();
            for (Table table : matching(catalog, schemaPattern, tablePattern)) {
                if (types == null
                        || types.isEmpty()
                        || types.stream().anyMatch(type -> mapping.matches(type, table.kind()))) {
                    String comment = table.properties().get("comment");
                    rows.add(List.of(
                            text(""),
                            text(table.database()),
                            text(table.name()),
                            text(mapping.name(table.kind())),
                            comment == null ? Datum.NULL : text(comment),
                            Datum.NULL,
                            Datum.NULL,
                            Datum.NULL,
                            Datum.NULL,
                            Datum.NULL));
                }
            }
            return rows;
        });
    }

    private static List<ResultColumn> columnColumns() {
        List<ResultColumn> columns = new ArrayList<>(strings("TABLE_CAT", "TABLE_SCHEM", "TABLE_NAME", "COLUMN_NAME"));
        columns.add(column("DATA_TYPE", INT));
        columns.add(column("TYPE_NAME", STRING));
        columns.add(column("COLUMN_SIZE", INT));
        columns.add(column("BUFFER_LENGTH", PrimitiveType.TINYINT));
        columns.add(column("DECIMAL_DIGITS", INT));
        columns.add(column("NUM_PREC_RADIX", INT));
        columns.add(column("NULLABLE", INT));
        columns.add(column("REMARKS", STRING));
        columns.add(column("COLUMN_DEF", STRING));
        columns.add(column("SQL_DATA_TYPE", INT));
        columns.add(column("SQL_DATETIME_SUB", INT));
        columns.add(column("CHAR_OCTET_LENGTH", INT));
        columns.add(column("ORDINAL_POSITION", INT));
        columns.addAll(strings("IS_NULLABLE", "SCOPE_CATALOG", "SCOPE_SCHEMA", "SCOPE_TABLE"));
        columns.add(column("SOURCE_DATA_TYPE", PrimitiveType.SMALLINT));
        columns.add(column("IS_AUTO_INCREMENT", STRING));
        return columns;
    }

    public static SqlStatement columns(
            ShownCatalog catalog,
            @Nullable String schemaPattern,
            @Nullable String tablePattern,
            @Nullable String columnPattern) {
        NamePattern wanted = pattern(columnPattern);
        return CommandStatement.withRows("GET_COLUMNS", columnColumns(), log -> {
            List<List<Datum>> rows = new ArrayList<>();
            for (Table table : matching(catalog, schemaPattern, tablePattern)) {
                List<FieldSchema> fields = new ArrayList<>(table.columns());
                fields.addAll(table.partitionKeys());
                boolean anyMatches = fields.stream().anyMatch(field -> wanted.matches(field.name()));
                Set<String> required = anyMatches ? requiredColumns(catalog, table) : Set.of();
                for (int i = 0; i < fields.size(); i++) {
                    FieldSchema field = fields.get(i);
                    if (wanted.matches(field.name())) {
                        rows.add(row(table, field, i + 1, !required.contains(field.name())));
                    }
                }
            }
            return rows;
        });
    }

    /** Returns the columns of the primary key. Hive calls all others nullable, even with a NOT NULL constraint. */
    public static Set<String> requiredColumns(ShownCatalog catalog, Table table) {
        return catalog.constraints(table).stream()
                .filter(PrimaryKey.class::isInstance)
                .flatMap(key -> key.columns().stream())
                .collect(Collectors.toSet());
    }

    private static List<Datum> row(Table table, FieldSchema field, int position, boolean isNullable) {
        JdbcType type = JdbcType.of(field.type());
        return List.of(
                Datum.NULL,
                text(table.database()),
                text(table.name()),
                text(field.name()),
                number(type.code()),
                text(typeName(field.type(), type)),
                optional(type.size()),
                Datum.NULL,
                optional(type.digits()),
                optional(type.radix()),
                number(isNullable ? 1 : 0),
                field.comment().map(Datum::ofText).orElse(Datum.NULL),
                Datum.NULL,
                Datum.NULL,
                Datum.NULL,
                Datum.NULL,
                number(position),
                text(isNullable ? "YES" : "NO"),
                Datum.NULL,
                Datum.NULL,
                Datum.NULL,
                Datum.NULL,
                text("NO"));
    }

    /** A primitive type is named without its parameters; a nested one is written as in Hive's definitions. */
    public static String typeName(SqlType type, JdbcType described) {
        return switch (type) {
            case ArrayType nested -> nested.displayName();
            case MapType nested -> nested.displayName();
            case StructType nested -> nested.displayName();
            case UnionType nested -> nested.displayName();
            default -> described.name();
        };
    }

    private static Datum optional(Optional<Integer> value) {
        return value.<Datum>map(Datum.OfLong::new).orElse(Datum.NULL);
    }

    /**
     * Lists functions. A schema pattern selects functions that belong to a database, whose names have it as a prefix;
     * built-in functions belong to none. Hive reads names of functions as regular expressions in which JDBC's wildcards
     * are replaced; of these, HUE needs {@code .*}.
     */
    public static SqlStatement functions(
            FunctionCatalog functions, @Nullable String schemaPattern, @Nullable String namePattern) {
        String name = namePattern == null ? "%" : namePattern.replace(".*", "%");
        NamePattern wanted =
                pattern(schemaPattern == null || schemaPattern.isEmpty() ? name : schemaPattern + "." + name);
        List<ResultColumn> columns =
                new ArrayList<>(strings("FUNCTION_CAT", "FUNCTION_SCHEM", "FUNCTION_NAME", "REMARKS"));
        columns.add(column("FUNCTION_TYPE", INT));
        columns.add(column("SPECIFIC_NAME", STRING));
        return CommandStatement.withRows(
                "GET_FUNCTIONS",
                columns,
                log -> functions.listing().stream()
                        .filter(function -> wanted.matches(function.name()))
                        .map(MetadataQueries::functionRow)
                        .toList());
    }

    private static List<Datum> functionRow(FunctionCatalog.Listed function) {
        return List.of(
                Datum.NULL,
                Datum.NULL,
                text(function.displayName()),
                text(function.description().orElse("")),
                number(function.isTable() ? DatabaseMetaData.functionReturnsTable : DatabaseMetaData.functionNoTable),
                text(function.registration()));
    }

    public static SqlStatement typeInfo() {
        List<ResultColumn> columns = new ArrayList<>(strings("TYPE_NAME"));
        columns.add(column("DATA_TYPE", INT));
        columns.add(column("PRECISION", INT));
        columns.addAll(strings("LITERAL_PREFIX", "LITERAL_SUFFIX", "CREATE_PARAMS"));
        columns.add(column("NULLABLE", PrimitiveType.SMALLINT));
        columns.add(column("CASE_SENSITIVE", PrimitiveType.BOOLEAN));
        columns.add(column("SEARCHABLE", PrimitiveType.SMALLINT));
        columns.add(column("UNSIGNED_ATTRIBUTE", PrimitiveType.BOOLEAN));
        columns.add(column("FIXED_PREC_SCALE", PrimitiveType.BOOLEAN));
        columns.add(column("AUTO_INCREMENT", PrimitiveType.BOOLEAN));
        columns.add(column("LOCAL_TYPE_NAME", STRING));
        columns.add(column("MINIMUM_SCALE", PrimitiveType.SMALLINT));
        columns.add(column("MAXIMUM_SCALE", PrimitiveType.SMALLINT));
        columns.add(column("SQL_DATA_TYPE", INT));
        columns.add(column("SQL_DATETIME_SUB", INT));
        columns.add(column("NUM_PREC_RADIX", INT));
        return CommandStatement.withRows(
                "GET_TYPE_INFO",
                columns,
                log -> JdbcType.ALL.stream().map(MetadataQueries::typeRow).toList());
    }

    private static List<Datum> typeRow(JdbcType type) {
        return List.of(
                text(type.name()),
                number(type.code()),
                type.isNumber() ? optional(type.size()) : Datum.NULL,
                Datum.NULL,
                Datum.NULL,
                Datum.NULL,
                number(1),
                Datum.ofBoolean(type.isCaseSensitive()),
                number(type.searchable()),
                Datum.ofBoolean(!type.isNumber()),
                Datum.ofBoolean(false),
                Datum.ofBoolean(false),
                Datum.NULL,
                number(0),
                number(0),
                Datum.NULL,
                Datum.NULL,
                optional(type.radix()));
    }
}
