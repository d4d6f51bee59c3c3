package io.skep.ql.session;

import java.util.Set;

/** Hive's settings that statements and metadata calls read, in addition to those declared as properties. */
public final class HiveSettings {
    public static final Set<String> READ = Set.of(
            "hive.compute.query.using.stats",
            "hive.conf.hidden.list",
            "hive.conf.internal.variable.list",
            "hive.conf.locked.list",
            "hive.conf.restricted.list",
            "hive.conf.validation",
            "hive.constraint.notnull.enforce",
            "hive.ddl.output.format",
            "hive.decode.partition.name",
            "hive.default.fileformat",
            "hive.default.nulls.last",
            "hive.default.rcfile.serde",
            "hive.display.partition.cols.separately",
            "hive.exec.drop.ignorenonexistent",
            "hive.exec.dynamic.partition.mode",
            "hive.groupby.orderby.position.alias",
            "hive.groupby.position.alias",
            "hive.local.time.zone",
            "hive.metastore.disallow.incompatible.col.type.changes",
            "hive.optimize.shared.work",
            "hive.orderby.position.alias",
            "hive.resultset.use.unique.column.names",
            "hive.security.command.whitelist",
            "hive.server2.table.type.mapping",
            "hive.stats.autogather",
            "hive.stats.column.autogather",
            "hive.stats.fetch.bitvector",
            "hive.stats.kll.enable",
            "hive.strict.checks.bucketing",
            "hive.strict.checks.type.safety",
            "hive.support.quoted.identifiers",
            "hive.support.special.characters.tablename",
            "hive.variable.substitute");

    private HiveSettings() {}
}
