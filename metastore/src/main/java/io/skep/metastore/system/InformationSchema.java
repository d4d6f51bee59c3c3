package io.skep.metastore.system;

import static io.skep.metastore.system.SystemValues.computed;
import static io.skep.metastore.system.SystemValues.constant;
import static io.skep.metastore.system.SystemValues.longText;
import static io.skep.metastore.system.SystemValues.never;
import static io.skep.metastore.system.SystemValues.plain;
import static io.skep.metastore.system.SystemValues.text;
import static io.skep.metastore.system.SystemValues.time;

import io.skep.common.type.PrimitiveType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** The tables of {@code information_schema}, but for the one about columns. In Hive they are views. */
final class InformationSchema {
    /** Tables with their databases, of Hive's catalog: other catalogs' tables cannot be named in a query. */
    static final String TABLES = "\"TBLS\" T JOIN \"DBS\" D ON T.\"DB_ID\" = D.\"DB_ID\"";

    static final String IN_CATALOG = "D.\"CTLG_NAME\" = 'hive'";
    static final String SCHEMA = "D.\"NAME\"";
    static final String TABLE = "T.\"TBL_NAME\"";
    private static final Set<String> VIEWS = Set.of("VIRTUAL_VIEW", "MATERIALIZED_VIEW");

    private InformationSchema() {}

    static List<SystemTable> all() {
        return List.of(
                schemata(),
                tables(),
                views(),
                ColumnsTable.table(),
                tablePrivileges(),
                columnPrivileges(),
                compactions(),
                scheduledQueries(),
                scheduledExecutions());
    }

    static SystemTable table(String name, List<SystemColumn> columns, String from, String where, RowScope scope) {
        return new SystemTable(SystemTables.INFORMATION_SCHEMA, name, columns, from, where, scope);
    }

    /** Returns the columns that name a table. */
    static List<SystemColumn> named() {
        return List.of(constant("table_catalog", "default"), text("table_schema", SCHEMA), text("table_name", TABLE));
    }

    static Stream<SystemColumn> none(String... names) {
        return Stream.of(names).map(SystemValues::none);
    }

    private static SystemTable schemata() {
        List<SystemColumn> columns = List.of(
                constant("catalog_name", "default"),
                text("schema_name", SCHEMA),
                text("schema_owner", "D.\"OWNER_NAME\""),
                SystemValues.none("default_character_set_catalog"),
                SystemValues.none("default_character_set_schema"),
                SystemValues.none("default_character_set_name"),
                text("sql_path", "D.\"DB_LOCATION_URI\""));
        RowScope scope = new RowScope(Optional.of(SCHEMA), Optional.empty(), List.of());
        return table("schemata", columns, "\"DBS\" D", IN_CATALOG, scope);
    }

    private static SystemColumn byKind(String name, String ofView, String ofTable) {
        return computed(name, PrimitiveType.STRING, "T.\"TBL_TYPE\"", kind -> VIEWS.contains(kind) ? ofView : ofTable);
    }

    private static SystemTable tables() {
        List<SystemColumn> columns = new ArrayList<>(named());
        columns.add(byKind("table_type", "VIEW", "BASE_TABLE"));
        none(
                        "self_referencing_column_name",
                        "reference_generation",
                        "user_defined_type_catalog",
                        "user_defined_type_schema",
                        "user_defined_type_name")
                .forEach(columns::add);
        columns.add(byKind("is_insertable_into", "NO", "YES"));
        columns.add(constant("is_typed", "NO"));
        columns.add(SystemValues.none("commit_action"));
        return table("tables", columns, TABLES, IN_CATALOG, RowScope.ofTables(SCHEMA, TABLE));
    }

    private static SystemTable views() {
        List<SystemColumn> columns = new ArrayList<>(named());
        columns.add(longText("view_definition", "T.\"VIEW_ORIGINAL_TEXT\""));
        columns.add(SystemValues.none("check_option"));
        columns.add(never("is_updatable"));
        columns.add(never("is_insertable_into"));
        columns.add(never("is_trigger_updatable"));
        columns.add(never("is_trigger_deletable"));
        columns.add(never("is_trigger_insertable_into"));
        String where = IN_CATALOG + " AND T.\"TBL_TYPE\" IN ('VIRTUAL_VIEW', 'MATERIALIZED_VIEW')";
        return table("views", columns, TABLES, where, RowScope.ofTables(SCHEMA, TABLE));
    }

    private static SystemColumn grantable() {
        return computed(
                "is_grantable",
                PrimitiveType.STRING,
                "P.\"GRANT_OPTION\"",
                option -> "0".equals(option) ? "NO" : "YES");
    }

    private static SystemTable tablePrivileges() {
        List<SystemColumn> columns = granted(named(), text("privilege_type", "P.\"TBL_PRIV\""));
        columns.add(constant("with_hierarchy", "NO"));
        return privileges("table_privileges", columns, "TBL_PRIVS");
    }

    private static SystemTable columnPrivileges() {
        List<SystemColumn> named = new ArrayList<>(named());
        named.add(text("column_name", "P.\"COLUMN_NAME\""));
        return privileges(
                "column_privileges", granted(named, text("privilege_type", "P.\"TBL_COL_PRIV\"")), "TBL_COL_PRIVS");
    }

    private static List<SystemColumn> granted(List<SystemColumn> object, SystemColumn privilege) {
        List<SystemColumn> columns = new ArrayList<>();
        columns.add(text("grantor", "P.\"GRANTOR\""));
        columns.add(text("grantee", "P.\"PRINCIPAL_NAME\""));
        columns.addAll(object);
        columns.add(privilege);
        columns.add(grantable());
        return columns;
    }

    /** A grant is shown to those who have it and to those who gave it. */
    private static SystemTable privileges(String name, List<SystemColumn> columns, String source) {
        return table(
                name,
                columns,
                "\"" + source + "\" P JOIN \"TBLS\" T ON P.\"TBL_ID\" = T.\"TBL_ID\" JOIN \"DBS\" D"
                        + " ON T.\"DB_ID\" = D.\"DB_ID\"",
                IN_CATALOG,
                RowScope.ofTables(SCHEMA, TABLE, "P.\"PRINCIPAL_NAME\"", "P.\"GRANTOR\""));
    }

    /** Compactions of tables that exist. */
    private static SystemTable compactions() {
        String from = SysViews.COMPACTIONS + " JOIN \"DBS\" D ON C.\"DB\" = D.\"NAME\" JOIN \"TBLS\" T"
                + " ON T.\"DB_ID\" = D.\"DB_ID\" AND T.\"TBL_NAME\" = C.\"TBL\"";
        return table("compactions", SysViews.compactionColumns(), from, IN_CATALOG, RowScope.ofTables(SCHEMA, TABLE));
    }

    private static final String OWNER = "Q.\"USER\"";

    private static RowScope ofOwner() {
        return new RowScope(Optional.empty(), Optional.empty(), List.of(OWNER));
    }

    private static SystemTable scheduledQueries() {
        List<SystemColumn> columns = List.of(
                plain("scheduled_query_id", PrimitiveType.BIGINT, "Q.\"SCHEDULED_QUERY_ID\""),
                text("schedule_name", "Q.\"SCHEDULE_NAME\""),
                plain("enabled", PrimitiveType.BOOLEAN, "Q.\"ENABLED\""),
                text("cluster_namespace", "Q.\"CLUSTER_NAMESPACE\""),
                text("schedule", "Q.\"SCHEDULE\""),
                text("user", OWNER),
                longText("query", "Q.\"QUERY\""),
                time("next_execution", "Q.\"NEXT_EXECUTION\"", 1),
                plain("active_execution_id", PrimitiveType.BIGINT, "Q.\"ACTIVE_EXECUTION_ID\""));
        return table("scheduled_queries", columns, "\"SCHEDULED_QUERIES\" Q", "", ofOwner());
    }

    private static SystemTable scheduledExecutions() {
        Function<String, String> field = name -> "E.\"" + name + "\"";
        List<SystemColumn> columns = List.of(
                plain("scheduled_execution_id", PrimitiveType.BIGINT, field.apply("SCHEDULED_EXECUTION_ID")),
                text("schedule_name", "Q.\"SCHEDULE_NAME\""),
                text("executor_query_id", field.apply("EXECUTOR_QUERY_ID")),
                text("state", field.apply("STATE")),
                time("start_time", field.apply("START_TIME"), 1),
                time("end_time", field.apply("END_TIME"), 1),
                plain("elapsed", PrimitiveType.INT, "E.\"END_TIME\" - E.\"START_TIME\""),
                longText("error_message", field.apply("ERROR_MESSAGE")),
                time("last_update_time", field.apply("LAST_UPDATE_TIME"), 1));
        String from = "\"SCHEDULED_EXECUTIONS\" E JOIN \"SCHEDULED_QUERIES\" Q"
                + " ON E.\"SCHEDULED_QUERY_ID\" = Q.\"SCHEDULED_QUERY_ID\"";
        return table("scheduled_executions", columns, from, "", ofOwner());
    }
}
