package io.skep.ql.alter;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.metastore.Table.TableKind;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.parse.CompileErrors;
import io.skep.storage.orc.OrcFileFormat;
import io.skep.storage.registry.FileFormats;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.ErrorMsg;

/** Hive's rules for the two properties that make a table transactional, when they change. */
final class TransactionalRules {
    private static final String TRANSACTIONAL = "transactional";
    private static final String KIND = "transactional_properties";
    private static final String FULL = "default";
    private static final String INSERT_ONLY = "insert_only";

    private TransactionalRules() {}

    /** Whether properties that are set make a plain table transactional, or give row ids to an insert-only one. */
    static boolean isConversion(Table table, Map<String, String> set) {
        Map<String, String> wanted = normalized(set);
        return table.isInsertOnly()
                ? FULL.equalsIgnoreCase(wanted.get(KIND)) && isTrueOrAbsent(wanted)
                : !table.isTransactional() && wanted.containsKey(TRANSACTIONAL) && isTrueOrAbsent(wanted);
    }

    private static boolean isTrueOrAbsent(Map<String, String> properties) {
        return properties.getOrDefault(TRANSACTIONAL, "true").equalsIgnoreCase("true");
    }

    /** Refuses to set the first property to anything but true without the second one. */
    static void requireBoth(Map<String, String> set, Alteration alteration) {
        if (!isTrueOrAbsent(set) && !set.containsKey(KIND)) {
            throw CompileErrors.task(
                    alteration.clause().position(),
                    StandardErrorCode.INVALID_ARGUMENT,
                    ErrorMsg.GENERIC_ERROR,
                    "Cannot change 'transactional' without 'transactional_properties'");
        }
    }

    /** Returns the properties with the names of both in lower case, by which they are found. */
    static Map<String, String> normalized(Map<String, String> properties) {
        Map<String, String> normalized = new TreeMap<>();
        properties.forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            normalized.put(lower.equals(TRANSACTIONAL) || lower.equals(KIND) ? lower : name, value);
        });
        return normalized;
    }

    /** Completes the properties of a table after they were set. */
    static void complete(Map<String, String> properties) {
        if ("false".equalsIgnoreCase(properties.get(TRANSACTIONAL))) {
            properties.remove(TRANSACTIONAL);
        } else if ("true".equalsIgnoreCase(properties.get(TRANSACTIONAL))) {
            properties.merge(KIND, FULL, (kind, _) -> kind.toLowerCase(Locale.ROOT));
        }
    }

    /**
     * Checks a table that becomes transactional.
     *
     * @throws SkepException INVALID_ARGUMENT
     */
    static void requireConvertible(Table changed, Alteration alteration) {
        String name = changed.qualifiedName();
        String kind = changed.properties().getOrDefault(KIND, FULL);
        boolean isFull = !kind.equalsIgnoreCase(INSERT_ONLY);
        if (isFull && !(FileFormats.of(changed.storage().format()) instanceof OrcFileFormat)) {
            throw refused("The table must be stored using an ACID compliant format (such as ORC): " + name, alteration);
        }
        if (changed.kind() == TableKind.EXTERNAL_TABLE) {
            throw refused(name + " cannot be declared transactional because it's an external table", alteration);
        }
        if (isFull && !kind.equalsIgnoreCase(FULL)) {
            throw refused(
                    "Invalid transactional properties specified for " + name + " with the error unknown value "
                            + kind.toLowerCase(Locale.ROOT) + " for transactional_properties",
                    alteration);
        }
        if (isFull && !changed.storage().sortColumns().isEmpty()) {
            throw refused("Table " + name + " cannot support full ACID functionality since it is sorted.", alteration);
        }
    }

    /**
     * Checks that a table stays what it is.
     *
     * @throws SkepException INVALID_ARGUMENT
     */
    static void requireKept(Table before, Table changed, Alteration alteration) {
        String name = before.qualifiedName();
        String wanted = changed.properties().get(TRANSACTIONAL);
        if (before.isTransactional() && changed.kind() == TableKind.EXTERNAL_TABLE && changed.isTransactional()) {
            throw refused(name + " cannot be converted to external table as it is transactional table.", alteration);
        }
        boolean isKept = before.isTransactional() ? changed.isTransactional() : wanted == null;
        if (!isKept && before.isInsertOnly()) {
            throw CompileErrors.task(
                    alteration.clause().position(),
                    StandardErrorCode.INVALID_ARGUMENT,
                    ErrorMsg.GENERIC_ERROR,
                    "Cannot convert an ACID table to non-ACID");
        }
        if (!isKept) {
            throw refused("TBLPROPERTIES with 'transactional'='true' cannot be unset: " + name, alteration);
        }
        if (before.isTransactional() && !kindOf(before).equalsIgnoreCase(kindOf(changed))) {
            throw refused(
                    "TBLPROPERTIES with 'transactional_properties' cannot be altered after the table is created",
                    alteration);
        }
    }

    private static String kindOf(Table table) {
        return table.properties().getOrDefault(KIND, FULL);
    }

    static SkepException refused(String words, Alteration alteration) {
        return CompileErrors.task(
                alteration.clause().position(),
                StandardErrorCode.INVALID_ARGUMENT,
                ErrorMsg.REPL_INVALID_ALTER_TABLE,
                "Unable to alter table. " + words);
    }
}
