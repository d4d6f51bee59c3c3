package io.skep.ql.session;

import java.util.Set;

/**
 * Settings of older Hive releases that scripts still set. Hive 4.0.1 accepts the first group without effect; the second
 * group are settings that it has and that Hive 4.2 has not.
 */
final class RemovedSettings {
    static final Set<String> NAMES = Set.of(
            "hive.enforce.bucketing",
            "hive.enforce.sorting",
            "hive.llap.zk.sm.keytab.file",
            "hive.llap.zk.sm.principal",
            "hive.mapred.supports.subdirectories",
            "hive.optimize.listbucketing",
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

    private RemovedSettings() {}
}
