package io.skep.metastore.system;

import static io.skep.metastore.system.SystemValues.computed;
import static io.skep.metastore.system.SystemValues.constant;
import static io.skep.metastore.system.SystemValues.knownWord;
import static io.skep.metastore.system.SystemValues.plain;
import static io.skep.metastore.system.SystemValues.text;
import static io.skep.metastore.system.SystemValues.time;
import static io.skep.metastore.system.SystemValues.word;

import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tables of {@code sys} whose rows follow from several tables of the metastore's database: Hive's views. */
final class SysViews {
    private static final SqlType INT = PrimitiveType.INT;
    private static final SqlType BIGINT = PrimitiveType.BIGINT;
    private static final long MILLIS = 1000;

    /** Both kinds of compactions. The field PHASE tells which kind a row is of, by the names of its states. */
    static final String COMPACTIONS = "(" + compactions("CC", "COMPLETED_COMPACTIONS", "done", "\"CC_END\"")
            + " UNION ALL "
            + compactions("CQ", "COMPACTION_QUEUE", "open", "CAST(NULL AS BIGINT)") + ") C";

    private static final Map<String, String> COMPACTION_KINDS = Map.of("i", "minor", "a", "major");

    private static final Map<String, String> COMPACTION_STATES = Map.of(
            "done f", "failed",
            "done s", "succeeded",
            "done a", "attempted",
            "open i", "initiated",
            "open w", "working",
            "open r", "ready for cleaning");

    private static final Map<String, String> TRANSACTION_STATES = Map.of("o", "open", "a", "aborted", "c", "commited");

    private static final Map<String, String> TRANSACTION_KINDS =
            Map.of("0", "DEFAULT", "1", "REPL_CREATED", "2", "READ_ONLY", "3", "COMPACTION");

    private static final Map<String, String> OPERATIONS =
            Map.of("s", "SELECT", "i", "INSERT", "u", "UPDATE", "c", "COMPACT");

    private static final Map<String, String> LOCK_STATES = Map.of("a", "acquired", "w", "waiting");

    private static final Map<String, String> LOCK_KINDS =
            Map.of("e", "exclusive", "x", "excl_write", "r", "shared_read", "w", "shared_write");

    private SysViews() {}

    /** Both parts of the union name their columns, as Derby demands. */
    private static String compactions(String prefix, String source, String phase, String end) {
        Map<String, String> columns = new LinkedHashMap<>();
        columns.put("ID", "ID");
        columns.put("DATABASE", "DB");
        columns.put("TABLE", "TBL");
        columns.put("PARTITION", "PART");
        columns.put("TYPE", "KIND");
        columns.put("STATE", "STATE");
        columns.put("WORKER_ID", "WORKER");
        columns.put("ENQUEUE_TIME", "ENQUEUED");
        columns.put("START", "BEGUN");
        columns.put("HADOOP_JOB_ID", "JOB");
        columns.put("RUN_AS", "RUN_AS");
        columns.put("HIGHEST_WRITE_ID", "HIGHEST");
        StringBuilder sql = new StringBuilder("SELECT ");
        columns.forEach((column, name) -> sql.append("\"" + prefix + "_" + column + "\" AS \"" + name + "\", "));
        return sql + "'" + phase + "' AS \"PHASE\", " + end + " AS \"ENDED\" FROM \"" + source + "\"";
    }

    static List<SystemTable> all() {
        return List.of(
                statistics("table_stats_view", "tbl_id", "TABLE_PARAMS"),
                statistics("partition_stats_view", "part_id", "PARTITION_PARAMS"),
                new SystemTable(SystemTables.SYS, "compactions", compactionColumns(), COMPACTIONS, "", RowScope.ADMIN),
                transactions(),
                locks());
    }

    /** Statistics are properties. Each is another row of the metastore's table. */
    private static SystemTable statistics(String name, String id, String source) {
        String key = "\"" + id.toUpperCase(Locale.ROOT) + "\"";
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("column_stats_accurate", "COLUMN_STATS_ACCURATE");
        properties.put("num_files", "numFiles");
        properties.put("num_rows", "numRows");
        properties.put("raw_data_size", "rawDataSize");
        properties.put("total_size", "totalSize");
        properties.put("transient_last_ddl_time", "transient_lastDdlTime");
        List<SystemColumn> columns = new ArrayList<>(List.of(plain(id, BIGINT, "T." + key)));
        StringBuilder from = new StringBuilder("(SELECT DISTINCT " + key + " FROM \"" + source + "\") T");
        properties.forEach((column, property) -> {
            String alias = "P" + columns.size();
            columns.add(SystemValues.longText(column, alias + ".\"PARAM_VALUE\""));
            from.append(" LEFT JOIN \"" + source + "\" " + alias + " ON " + alias + "." + key + " = T." + key + " AND "
                    + alias + ".\"PARAM_KEY\" = '" + property + "'");
        });
        return new SystemTable(SystemTables.SYS, name, columns, from.toString(), "", RowScope.ADMIN);
    }

    static List<SystemColumn> compactionColumns() {
        return List.of(
                plain("c_id", BIGINT, "C.\"ID\""),
                constant("c_catalog", "default"),
                text("c_database", "C.\"DB\""),
                text("c_table", "C.\"TBL\""),
                text("c_partition", "C.\"PART\""),
                word("c_type", "C.\"KIND\"", COMPACTION_KINDS),
                new SystemColumn(
                        "c_state",
                        PrimitiveType.STRING,
                        List.of("C.\"PHASE\"", "C.\"STATE\""),
                        (fields, context) ->
                                COMPACTION_STATES.getOrDefault(fields.getFirst() + " " + fields.getLast(), "UNKNOWN"),
                        false),
                computed("c_hostname", PrimitiveType.STRING, "C.\"WORKER\"", worker -> part(worker, 0)),
                computed("c_worker_id", PrimitiveType.STRING, "C.\"WORKER\"", worker -> part(worker, 1)),
                plain("c_enqueue_time", BIGINT, "C.\"ENQUEUED\""),
                plain("c_start", BIGINT, "C.\"BEGUN\""),
                new SystemColumn(
                        "c_duration",
                        PrimitiveType.STRING,
                        List.of("C.\"BEGUN\"", "C.\"ENDED\""),
                        (fields, context) -> difference(fields.getFirst(), fields.getLast()),
                        false),
                text("c_hadoop_job_id", "C.\"JOB\""),
                text("c_run_as", "C.\"RUN_AS\""),
                plain("c_highest_write_id", BIGINT, "C.\"HIGHEST\""));
    }

    /** Returns a part between hyphens. */
    private static @Nullable String part(@Nullable String text, int index) {
        List<String> parts = text == null ? List.of() : List.of(text.split("-", -1));
        return index < parts.size() ? parts.get(index) : null;
    }

    private static @Nullable String difference(@Nullable String from, @Nullable String to) {
        return from == null || to == null ? null : Long.toString(Long.parseLong(to) - Long.parseLong(from));
    }

    private static SystemTable transactions() {
        List<SystemColumn> columns = List.of(
                plain("txn_id", BIGINT, "T.\"TXN_ID\""),
                word("state", "T.\"TXN_STATE\"", TRANSACTION_STATES),
                time("started", "T.\"TXN_STARTED\"", MILLIS),
                time("last_heartbeat", "T.\"TXN_LAST_HEARTBEAT\"", MILLIS),
                text("user", "T.\"TXN_USER\""),
                text("host", "T.\"TXN_HOST\""),
                text("agent_info", "T.\"TXN_AGENT_INFO\""),
                text("meta_info", "T.\"TXN_META_INFO\""),
                plain("heartbeat_count", INT, "T.\"TXN_HEARTBEAT_COUNT\""),
                knownWord("type", "T.\"TXN_TYPE\"", TRANSACTION_KINDS),
                text("tc_database", "C.\"TC_DATABASE\""),
                text("tc_table", "C.\"TC_TABLE\""),
                text("tc_partition", "C.\"TC_PARTITION\""),
                knownWord("tc_operation_type", "C.\"TC_OPERATION_TYPE\"", OPERATIONS),
                plain("tc_writeid", BIGINT, "C.\"TC_WRITEID\""));
        String from = "\"TXNS\" T LEFT JOIN (SELECT DISTINCT \"TC_TXNID\", \"TC_DATABASE\", \"TC_TABLE\","
                + " \"TC_PARTITION\", \"TC_OPERATION_TYPE\", \"TC_WRITEID\" FROM \"TXN_COMPONENTS\") C"
                + " ON T.\"TXN_ID\" = C.\"TC_TXNID\"";
        return new SystemTable(SystemTables.SYS, "transactions", columns, from, "", RowScope.ADMIN);
    }

    private static SystemTable locks() {
        List<SystemColumn> columns = List.of(
                plain("lock_ext_id", BIGINT, "T.\"HL_LOCK_EXT_ID\""),
                plain("lock_int_id", BIGINT, "T.\"HL_LOCK_INT_ID\""),
                plain("txnid", BIGINT, "T.\"HL_TXNID\""),
                text("db", "T.\"HL_DB\""),
                text("table", "T.\"HL_TABLE\""),
                text("partition", "T.\"HL_PARTITION\""),
                knownWord("lock_state", "T.\"HL_LOCK_STATE\"", LOCK_STATES),
                knownWord("lock_type", "T.\"HL_LOCK_TYPE\"", LOCK_KINDS),
                time("last_heartbeat", "T.\"HL_LAST_HEARTBEAT\"", MILLIS),
                time("acquired_at", "T.\"HL_ACQUIRED_AT\"", MILLIS),
                text("user", "T.\"HL_USER\""),
                text("host", "T.\"HL_HOST\""),
                plain("heartbeat_count", INT, "T.\"HL_HEARTBEAT_COUNT\""),
                text("agent_info", "T.\"HL_AGENT_INFO\""),
                plain("blockedby_ext_id", BIGINT, "T.\"HL_BLOCKEDBY_EXT_ID\""),
                plain("blockedby_int_id", BIGINT, "T.\"HL_BLOCKEDBY_INT_ID\""));
        return new SystemTable(SystemTables.SYS, "locks", columns, "\"HIVE_LOCKS\" T", "", RowScope.ADMIN);
    }
}
