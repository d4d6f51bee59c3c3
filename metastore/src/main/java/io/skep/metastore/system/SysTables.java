package io.skep.metastore.system;

import io.skep.common.type.PrimitiveType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of {@code sys} whose rows are those of a table of the metastore's database. */
final class SysTables {
    /** Comes before the name of a property's value; the column before it is the property's name. */
    private static final String PROPERTY = "property";

    private static final String GRANTED = " grantor grantor_type principal_name principal_type ";

    private static final String STATISTICS = " long_low_value:bigint long_high_value:bigint double_high_value:double"
            + " double_low_value:double big_decimal_low_value big_decimal_high_value num_nulls:bigint"
            + " num_distincts:bigint avg_col_len:double max_col_len:bigint num_trues:bigint num_falses:bigint"
            + " last_analyzed:bigint engine";

    private SysTables() {}

    static List<SystemTable> all() {
        List<SystemTable> tables = new ArrayList<>(objects());
        tables.addAll(storage());
        tables.addAll(privileges());
        tables.addAll(activity());
        return tables;
    }

    private static List<SystemTable> objects() {
        return List.of(
                copy("dbs", "db_id:bigint db_location_uri name owner_name owner_type"),
                copy("database_params", "db_id:bigint param_key param_value:property"),
                copy(
                        "tbls",
                        "tbl_id:bigint create_time:int db_id:bigint last_access_time:int owner retention:int"
                                + " sd_id:bigint tbl_name tbl_type view_expanded_text:long view_original_text:long"
                                + " is_rewrite_enabled:boolean"),
                copy("table_params", "tbl_id:bigint param_key param_value:property"),
                copy(
                        "partitions",
                        "part_id:bigint create_time:int last_access_time:int part_name sd_id:bigint tbl_id:bigint"),
                copy("partition_params", "part_id:bigint param_key param_value:property"),
                copy("partition_keys", "tbl_id:bigint pkey_comment pkey_name pkey_type integer_idx:int"),
                copy("partition_key_vals", "part_id:bigint part_key_val integer_idx:int"),
                copy("mv_creation_metadata", "mv_creation_metadata_id:bigint db_name tbl_name txn_list:long"),
                copy("mv_tables_used", "mv_creation_metadata_id:bigint tbl_id:bigint"),
                copy(
                        "key_constraints",
                        "child_cd_id:bigint child_integer_idx:int child_tbl_id:bigint parent_cd_id:bigint"
                                + " parent_integer_idx:int parent_tbl_id:bigint position:bigint constraint_name"
                                + " constraint_type:long update_rule:long delete_rule:long enable_validate_rely:int"
                                + " default_value"),
                copy(
                        "funcs",
                        "func_id:bigint class_name create_time:int db_id:bigint func_name func_type:int owner_name"
                                + " owner_type"),
                copy(
                        "tab_col_stats",
                        "cs_id:bigint db_name table_name column_name column_type tbl_id:bigint" + STATISTICS),
                copy(
                        "part_col_stats",
                        "cs_id:bigint db_name table_name partition_name column_name column_type part_id:bigint"
                                + STATISTICS));
    }

    private static List<SystemTable> storage() {
        return List.of(
                copy(
                        "sds",
                        "sd_id:bigint cd_id:bigint input_format is_compressed:boolean"
                                + " is_storedassubdirectories:boolean location num_buckets:int output_format"
                                + " serde_id:bigint"),
                copy("sd_params", "sd_id:bigint param_key param_value:property"),
                copy("serdes", "serde_id:bigint name slib"),
                copy("serde_params", "serde_id:bigint param_key param_value:property"),
                copy("cds", "cd_id:bigint"),
                copy("columns_v2", "cd_id:bigint comment column_name type_name:long integer_idx:int"),
                copy("bucketing_cols", "sd_id:bigint bucket_col_name integer_idx:int"),
                copy("sort_cols", "sd_id:bigint column_name order:int integer_idx:int"),
                copy("skewed_col_names", "sd_id:bigint skewed_col_name integer_idx:int"),
                copy("skewed_col_value_loc_map", "sd_id:bigint string_list_id_kid:bigint location"),
                copy("skewed_string_list", "string_list_id:bigint"),
                copy("skewed_string_list_values", "string_list_id:bigint string_list_value integer_idx:int"),
                copy("skewed_values", "sd_id_oid:bigint string_list_id_eid:bigint integer_idx:int"),
                copy("sequence_table", "sequence_name next_val:bigint"),
                SysTables.of("db_version", "VERSION", "ver_id:bigint schema_version version_comment"),
                SysTables.of("version", "VERSION", "ver_id:int schema_version version_comment"));
    }

    private static List<SystemTable> privileges() {
        return List.of(
                copy("roles", "role_id:bigint create_time:int owner_name role_name"),
                copy("role_map", "role_grant_id:bigint add_time:int grant_option:int" + GRANTED + "role_id:bigint"),
                copy(
                        "global_privs",
                        "user_grant_id:bigint create_time:int grant_option:long" + GRANTED + "user_priv authorizer"),
                copy(
                        "db_privs",
                        "db_grant_id:bigint create_time:int db_id:bigint grant_option:int" + GRANTED
                                + "db_priv authorizer"),
                copy(
                        "tbl_privs",
                        "tbl_grant_id:bigint create_time:int grant_option:int" + GRANTED
                                + "tbl_priv tbl_id:bigint authorizer"),
                copy(
                        "tbl_col_privs",
                        "tbl_column_grant_id:bigint column_name create_time:int grant_option:int" + GRANTED
                                + "tbl_col_priv tbl_id:bigint authorizer"),
                copy(
                        "part_privs",
                        "part_grant_id:bigint create_time:int grant_option:int grantor grantor_type part_id:bigint"
                                + " principal_name principal_type part_priv authorizer"),
                copy(
                        "part_col_privs",
                        "part_column_grant_id:bigint column_name create_time:int grant_option:int grantor"
                                + " grantor_type part_id:bigint principal_name principal_type part_col_priv"
                                + " authorizer"));
    }

    private static List<SystemTable> activity() {
        return List.of(
                copy(
                        "scheduled_queries",
                        "scheduled_query_id:bigint schedule_name enabled:boolean cluster_namespace schedule user"
                                + " query:long next_execution:bigint active_execution_id:bigint"),
                copy(
                        "scheduled_executions",
                        "scheduled_execution_id:bigint scheduled_query_id:bigint executor_query_id state"
                                + " start_time:int end_time:int error_message:long last_update_time:int"),
                copy(
                        "txns",
                        "txn_id:bigint txn_state txn_started:bigint txn_last_heartbeat:bigint txn_user txn_host"
                                + " txn_agent_info txn_meta_info txn_heartbeat_count:int txn_type:int"),
                copy(
                        "txn_components",
                        "tc_txnid:bigint tc_database tc_table tc_partition tc_operation_type tc_writeid:bigint"),
                copy(
                        "hive_locks",
                        "hl_lock_ext_id:bigint hl_lock_int_id:bigint hl_txnid:bigint hl_db hl_table hl_partition"
                                + " hl_lock_state hl_lock_type hl_last_heartbeat:bigint hl_acquired_at:bigint hl_user"
                                + " hl_host hl_heartbeat_count:int hl_agent_info hl_blockedby_ext_id:bigint"
                                + " hl_blockedby_int_id:bigint"),
                copy(
                        "compaction_queue",
                        "cq_id:bigint cq_database cq_table cq_partition cq_state cq_type cq_tblproperties"
                                + " cq_worker_id cq_enqueue_time:bigint cq_start:bigint cq_run_as"
                                + " cq_highest_write_id:bigint cq_hadoop_job_id cq_error_message:long"),
                copy(
                        "completed_compactions",
                        "cc_id:bigint cc_database cc_table cc_partition cc_state cc_type cc_tblproperties"
                                + " cc_worker_id cc_enqueue_time:bigint cc_start:bigint cc_end:bigint cc_run_as"
                                + " cc_highest_write_id:bigint cc_hadoop_job_id cc_error_message:long"));
    }

    /** A table with the name of the metastore's. */
    private static SystemTable copy(String name, String columns) {
        return of(name, name.toUpperCase(Locale.ROOT), columns);
    }

    /**
     * @param columns names with their types, which are those of the metastore's columns: string if none is given, long
     *     for a text that cannot be compared, property for the value of the property in the column before
     */
    private static SystemTable of(String name, String source, String columns) {
        List<SystemColumn> made = new ArrayList<>();
        String before = "";
        for (String column : columns.split(" ")) {
            int colon = column.indexOf(':');
            String named = colon < 0 ? column : column.substring(0, colon);
            String field = "T.\"" + named.toUpperCase(Locale.ROOT) + "\"";
            made.add(column(named, colon < 0 ? "string" : column.substring(colon + 1), field, before));
            before = field;
        }
        return new SystemTable(SystemTables.SYS, name, made, "\"" + source + "\" T", "", RowScope.ADMIN);
    }

    private static SystemColumn column(String name, String type, String field, String before) {
        return switch (type) {
            case "string" -> SystemValues.text(name, field);
            case "long" -> SystemValues.longText(name, field);
            case PROPERTY -> SystemValues.property(name, before, field);
            case "int" -> SystemValues.plain(name, PrimitiveType.INT, field);
            case "bigint" -> SystemValues.plain(name, PrimitiveType.BIGINT, field);
            case "double" -> SystemValues.plain(name, PrimitiveType.DOUBLE, field);
            case "boolean" -> SystemValues.plain(name, PrimitiveType.BOOLEAN, field);
            default -> throw new IllegalArgumentException(name + ":" + type);
        };
    }
}
