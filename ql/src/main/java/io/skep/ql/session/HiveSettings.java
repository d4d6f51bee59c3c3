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
            "hive.cbo.enable",
            "hive.ddl.createtablelike.properties.whitelist",
            "hive.ddl.output.format",
            "hive.exec.schema.evolution",
            "hive.decode.partition.name",
            "hive.default.fileformat",
            "hive.default.nulls.last",
            "hive.default.rcfile.serde",
            "hive.display.partition.cols.separately",
            "hive.exec.drop.ignorenonexistent",
            "hive.exec.script.allow.partial.consumption",
            "hive.exec.script.maxerrsize",
            "hive.exec.script.wrapper",
            "hive.exec.dynamic.partition.mode",
            "hive.groupby.orderby.position.alias",
            "hive.groupby.position.alias",
            "hive.input.format",
            "hive.local.time.zone",
            "hive.materializedview.fileformat",
            "hive.materializedview.rebuild.incremental",
            "hive.materializedview.rewriting",
            "hive.materializedview.rewriting.time.window",
            "metastore.create.as.acid",
            "hive.metastore.disallow.incompatible.col.type.changes",
            "hive.optimize.shared.work",
            "hive.orderby.position.alias",
            "hive.parquet.timestamp.time.unit",
            "hive.parquet.write.int64.timestamp",
            "hive.query.tag",
            "hive.resultset.use.unique.column.names",
            "hive.sample.seednumber",
            "hive.script.operator.env.blacklist",
            "hive.script.operator.id.env.var",
            "hive.script.operator.truncate.env",
            "hive.script.recordreader",
            "hive.script.recordwriter",
            "hive.script.serde",
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
            "hive.transactional.concatenate.noblock",
            "hive.transform.escape.input",
            "hive.variable.substitute");

    /**
     * Settings of older Hive releases that scripts still set, without effect. Hive 4.0.1 accepts the first group too,
     * and has the second one, which Hive 4.2 does not have.
     */
    public static final Set<String> REMOVED = Set.of(
            "hive.enforce.bucketing",
            "hive.enforce.sorting",
            "hive.llap.zk.sm.keytab.file",
            "hive.llap.zk.sm.principal",
            "hive.mapred.supports.subdirectories",
            "hive.outerjoin.supports.filters",
            "hive.arrow.batch.allocator.limit",
            "hive.arrow.batch.size",
            "hive.arrow.root.allocator.limit",
            "hive.compactor.history.retention.attempted",
            "hive.exec.rowoffset",
            "hive.llap.output.format.arrow",
            "hive.optimize.join.disjunctive.transitive.predicates.pushdown",
            "hive.server.tcp.keepalive",
            "hive.vectorized.execution.filesink.arrow.native.enabled");

    private HiveSettings() {}
}
