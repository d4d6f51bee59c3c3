package io.skep.ql.handler;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import java.util.Locale;
import java.util.Set;

/**
 * Tables that other engines keep in the metastore under names of Hive's classes, while lists of their own say which
 * files below the location have the rows of today. A plain listing would find old rows, or none.
 */
public final class VersionedTables {
    /** Apache Iceberg's mark, which its catalogs set with and without a storage handler. */
    private static final String KIND = "table_type";

    /** Spark's name of the source of a table. */
    private static final String PROVIDER = "spark.sql.sources.provider";

    private static final Set<String> KINDS = Set.of("iceberg", "delta", "hudi", "paimon");

    private VersionedTables() {}

    /**
     * Refuses a table that only an engine with its format can read. A storage handler can be such an engine.
     *
     * @throws SkepException NOT_SUPPORTED
     */
    public static Table refuse(Table table) {
        for (String property : new String[] {KIND, PROVIDER}) {
            String kind = table.properties().getOrDefault(property, "").toLowerCase(Locale.ROOT);
            if (KINDS.contains(kind) && table.storageHandler().isEmpty()) {
                throw new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                table.qualifiedName() + " is a table of the format " + kind
                                        + ", which is not supported")
                        .withHint("copy it into a table of Hive, with an engine that reads it");
            }
        }
        return table;
    }
}
