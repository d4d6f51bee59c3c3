package io.skep.ql.alter;

import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.Table;
import io.skep.metastore.Table.TableKind;
import io.skep.metastore.privilege.Principal;
import io.skep.metastore.privilege.PrincipalKind;
import io.skep.ql.alter.AlterTableHandler.Alteration;
import io.skep.ql.create.SchemaColumns;
import io.skep.ql.handler.HandlerRules;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.policy.PolicyProperties;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableStore;
import io.skep.ql.statistics.StatisticsProperties;
import io.skep.storage.registry.FormatProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Changes properties and owner of a table or view. */
final class AlterProperties {
    private AlterProperties() {}

    static Runnable set(Alteration alteration) {
        Table changed = changed(alteration);
        TransactionalRules.requireKept(alteration.table(), changed, alteration);
        HandlerRules.requireKept(
                alteration.table(), changed, alteration.clause().position());
        return () -> replace(alteration, changed);
    }

    /** Returns the table with the properties that the statement sets. */
    static Table changed(Alteration alteration) {
        Map<String, String> properties = new TreeMap<>(alteration.table().properties());
        Map<String, String> set = TransactionalRules.normalized(named(alteration));
        TransactionalRules.requireBoth(set, alteration);
        properties.putAll(set);
        TransactionalRules.complete(properties);
        return withKind(alteration.table(), properties);
    }

    private static Map<String, String> named(Alteration alteration) {
        return PolicyProperties.unreserved(
                SyntaxText.properties(alteration.clause().child(0)),
                alteration.clause().position());
    }

    /**
     * Replaces the table, keeping the statistics that are still exact. When an external table becomes managed, none
     * are, since its files may have been changed outside Skep.
     */
    private static void replace(Alteration alteration, Table changed) {
        Table table = alteration.table();
        StatementContext context = alteration.context();
        boolean isHandedOver = table.kind() == TableKind.EXTERNAL_TABLE && changed.kind() == TableKind.MANAGED_TABLE;
        boolean isSaid = StatisticsProperties.isSetByUser(table.properties(), changed.properties());
        Map<String, String> properties = isHandedOver || isSaid
                ? StatisticsProperties.uncertain(changed.properties())
                : AlterStorage.stillExact(changed.properties(), table.storage(), changed.storage(), table, changed);
        TableStore.replace(table, Revision.properties(changed, properties), false, context);
        boolean isReadOtherwise =
                !FormatProperties.layout(table.properties()).equals(FormatProperties.layout(changed.properties()));
        if (!table.partitionKeys().isEmpty()
                && (isHandedOver || isReadOtherwise || !properties.equals(changed.properties()))) {
            forget(table, changed, isHandedOver, context);
        }
    }

    /** Marks the statistics of partitions as inexact where they may have become invalid. */
    private static void forget(Table table, Table changed, boolean all, StatementContext context) {
        List<Partition> forgotten = new ArrayList<>();
        for (Partition partition : context.catalog().partitions(table, values -> true)) {
            Map<String, String> properties = all
                    ? StatisticsProperties.uncertain(partition.properties())
                    : AlterStorage.stillExact(
                            partition.properties(), partition.storage(), partition.storage(), table, changed);
            if (!properties.equals(partition.properties())) {
                forgotten.add(Revision.properties(partition, properties));
            }
        }
        if (!forgotten.isEmpty()) {
            context.catalog().alterPartitions(changed, forgotten);
        }
    }

    /** Returns the table with the properties. The property EXTERNAL determines its kind. */
    private static Table withKind(Table table, Map<String, String> properties) {
        Table changed = SchemaColumns.in(Revision.properties(table, properties));
        if (table.kind() != TableKind.MANAGED_TABLE && table.kind() != TableKind.EXTERNAL_TABLE) {
            return changed;
        }
        boolean external = "true".equalsIgnoreCase(properties.get("EXTERNAL"));
        return Revision.kind(changed, external ? TableKind.EXTERNAL_TABLE : TableKind.MANAGED_TABLE);
    }

    static Runnable unset(Alteration alteration) {
        Map<String, String> named = named(alteration);
        boolean ifExists = alteration.clause().has(HiveParser.TOK_IFEXISTS);
        Map<String, String> properties = new TreeMap<>(alteration.table().properties());
        for (String name : named.keySet()) {
            if (properties.remove(name) == null && !ifExists) {
                throw CompileErrors.plain(
                        alteration.clause().position(),
                        StandardErrorCode.INVALID_ARGUMENT,
                        ErrorMsg.ALTER_TBL_UNSET_NON_EXIST_PROPERTY,
                        ErrorMsg.ALTER_TBL_UNSET_NON_EXIST_PROPERTY.getMsg() + " The following property " + name
                                + " does not exist in " + alteration.table().name());
            }
        }
        Table changed = withKind(alteration.table(), properties);
        TransactionalRules.requireKept(alteration.table(), changed, alteration);
        HandlerRules.requireKept(
                alteration.table(), changed, alteration.clause().position());
        return () -> replace(alteration, changed);
    }

    static Runnable owner(Alteration alteration) {
        Principal owner = SyntaxText.principal(alteration.clause().child(0));
        Table changed = Revision.owner(alteration.table(), owner.name(), owner.kind() == PrincipalKind.ROLE);
        return () -> TableStore.replace(alteration.table(), changed, false, alteration.context());
    }
}
