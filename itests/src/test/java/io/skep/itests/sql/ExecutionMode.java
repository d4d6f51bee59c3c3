package io.skep.itests.sql;

import java.util.List;

/** A way to run a statement that must not change its result. */
public enum ExecutionMode {
    DIRECT("skep.scheduler=direct"),
    DIRECT_WITHOUT_CACHE("skep.scheduler=direct", "hive.llap.io.enabled=false"),
    DIRECT_SPILLING("skep.scheduler=direct", "skep.operator.max-memory=65536"),
    TEZ("skep.scheduler=tez"),

    /** Requires a site with YARN. */
    CONTAINER("hive.execution.mode=container");

    /** The modes that every server supports. */
    public static final List<ExecutionMode> EVERYWHERE = List.of(DIRECT, DIRECT_WITHOUT_CACHE, DIRECT_SPILLING, TEZ);

    private final List<String> settings;

    ExecutionMode(String... settings) {
        this.settings = List.of(settings);
    }

    public List<String> settings() {
        return settings;
    }
}
