package io.skep.metastore.system;

import static io.skep.metastore.system.SystemValues.computed;
import static io.skep.metastore.system.SystemValues.constant;
import static io.skep.metastore.system.SystemValues.longText;
import static io.skep.metastore.system.SystemValues.plain;
import static io.skep.metastore.system.SystemValues.text;

import io.skep.common.type.PrimitiveType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code information_schema.columns}. As in Hive, it has the columns that files contain, without partition
 * columns, their positions begin with 0, and the declared scale is the radix.
 */
final class ColumnsTable {
    private static final String TYPE = "C.\"TYPE_NAME\"";
    private static final Pattern LENGTH = Pattern.compile("(?:varchar|char)\\s*\\((\\d+)\\s*\\)");
    private static final Pattern DECIMAL = Pattern.compile("(?:decimal|numeric)\\s*\\((\\d+)(?:,(\\d+))?.*");

    private static final Map<String, String> PRECISIONS =
            Map.of("bigint", "19", "int", "10", "smallint", "5", "tinyint", "3", "float", "23", "double", "53");

    private static final Map<String, String> DATETIME_PRECISIONS = Map.of("date", "0", "timestamp", "9");

    private ColumnsTable() {}

    static SystemTable table() {
        List<SystemColumn> columns = new ArrayList<>(InformationSchema.named());
        columns.add(text("column_name", "C.\"COLUMN_NAME\""));
        columns.add(plain("ordinal_position", PrimitiveType.INT, "C.\"INTEGER_IDX\""));
        columns.add(SystemValues.none("column_default"));
        columns.add(constant("is_nullable", "YES"));
        columns.add(longText("data_type", TYPE));
        columns.add(computed("character_maximum_length", PrimitiveType.INT, TYPE, ColumnsTable::length));
        columns.add(computed("character_octet_length", PrimitiveType.INT, TYPE, ColumnsTable::length));
        columns.add(computed("numeric_precision", PrimitiveType.STRING, TYPE, ColumnsTable::precision));
        columns.add(computed("numeric_precision_radix", PrimitiveType.INT, TYPE, ColumnsTable::radix));
        columns.add(computed("numeric_scale", PrimitiveType.STRING, TYPE, type -> decimal(type, 2)));
        columns.add(
                computed("datetime_precision", PrimitiveType.INT, TYPE, type -> DATETIME_PRECISIONS.get(lower(type))));
        InformationSchema.none(
                        "interval_type",
                        "interval_precision",
                        "character_set_catalog",
                        "character_set_schema",
                        "character_set_name",
                        "collation_catalog",
                        "collation_schema",
                        "collation_name",
                        "udt_catalog",
                        "udt_schema",
                        "udt_name",
                        "scope_catalog",
                        "scope_schema",
                        "scope_name",
                        "maximum_cardinality")
                .forEach(columns::add);
        columns.add(plain("dtd_identifier", PrimitiveType.BIGINT, "C.\"CD_ID\""));
        columns.add(constant("is_self_referencing", "NO"));
        columns.add(constant("is_identity", "NO"));
        InformationSchema.none(
                        "identity_generation",
                        "identity_start",
                        "identity_increment",
                        "identity_maximum",
                        "identity_minimum",
                        "identity_cycle")
                .forEach(columns::add);
        columns.add(constant("is_generated", "NEVER"));
        columns.add(SystemValues.none("generation_expression"));
        columns.add(constant("is_system_time_period_start", "NO"));
        columns.add(constant("is_system_time_period_end", "NO"));
        columns.add(SystemValues.none("system_time_period_timestamp_generation"));
        columns.add(constant("is_updatable", "YES"));
        columns.add(longText("declared_data_type", TYPE));
        columns.add(computed("declared_numeric_precision", PrimitiveType.STRING, TYPE, ColumnsTable::precision));
        columns.add(computed("declared_numeric_scale", PrimitiveType.INT, TYPE, ColumnsTable::radix));
        String from = InformationSchema.TABLES + " JOIN \"SDS\" S ON T.\"SD_ID\" = S.\"SD_ID\" JOIN \"COLUMNS_V2\" C"
                + " ON S.\"CD_ID\" = C.\"CD_ID\"";
        RowScope scope = RowScope.ofTables(InformationSchema.SCHEMA, InformationSchema.TABLE);
        return InformationSchema.table("columns", columns, from, InformationSchema.IN_CATALOG, scope);
    }

    private static String lower(@Nullable String type) {
        return type == null ? "" : type.toLowerCase(Locale.ROOT);
    }

    private static @Nullable String length(@Nullable String type) {
        Matcher matcher = LENGTH.matcher(lower(type));
        return matcher.matches() ? matcher.group(1) : null;
    }

    /** @param group 1 for the precision, 2 for the scale */
    private static @Nullable String decimal(@Nullable String type, int group) {
        Matcher matcher = DECIMAL.matcher(lower(type));
        return matcher.matches() ? matcher.group(group) : null;
    }

    private static @Nullable String precision(@Nullable String type) {
        String known = PRECISIONS.get(lower(type));
        return known == null ? decimal(type, 1) : known;
    }

    private static @Nullable String radix(@Nullable String type) {
        String lower = lower(type);
        if (lower.equals("float") || lower.equals("double")) {
            return "2";
        }
        return precision(type) == null ? null : "10";
    }
}
