package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.metastore.Table.TableKind;
import io.skep.ql.statement.AlterTableHandler.Alteration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Properties and owner of a table or view. */
final class AlterProperties {
    private AlterProperties() {}

    static Runnable set(Alteration alteration) {
        Map<String, String> set = Texts.properties(alteration.clause().child(0));
        if ("true".equalsIgnoreCase(set.get("transactional"))) {
            throw alteration.notSupported("making a table transactional");
        }
        Map<String, String> properties = new TreeMap<>(alteration.table().properties());
        properties.putAll(set);
        return () -> TableStore.replace(
                alteration.table(), withKind(alteration.table(), properties), false, alteration.context());
    }

    /** EXTERNAL says what kind a table is. */
    private static Table withKind(Table table, Map<String, String> properties) {
        Table changed = SchemaColumns.in(Revision.properties(table, properties));
        if (table.kind() != TableKind.MANAGED_TABLE && table.kind() != TableKind.EXTERNAL_TABLE) {
            return changed;
        }
        boolean external = "true".equalsIgnoreCase(properties.get("EXTERNAL"));
        return Revision.kind(changed, external ? TableKind.EXTERNAL_TABLE : TableKind.MANAGED_TABLE);
    }

    static Runnable unset(Alteration alteration) {
        Map<String, String> named = Texts.properties(alteration.clause().child(0));
        boolean ifExists = alteration.clause().has(HiveParser.TOK_IFEXISTS);
        Map<String, String> properties = new TreeMap<>(alteration.table().properties());
        for (String name : named.keySet()) {
            if (properties.remove(name) == null && !ifExists) {
                throw new SkepException(
                                StandardErrorCode.INVALID_ARGUMENT,
                                "Please use the following syntax if not sure whether the property existed or not: ALTER"
                                        + " TABLE tableName UNSET TBLPROPERTIES IF EXISTS (key1, key2, ...): there is no"
                                        + " property '" + name + "'")
                        .at(alteration.clause().position());
            }
        }
        return () -> TableStore.replace(
                alteration.table(), withKind(alteration.table(), properties), false, alteration.context());
    }

    static Runnable owner(Alteration alteration) {
        String owner = Texts.identifier(alteration.clause().child(0).child(0));
        return () -> TableStore.replace(
                alteration.table(), Revision.owner(alteration.table(), owner), false, alteration.context());
    }
}
