package io.skep.engine.function;

import java.util.Set;

/** The settings that Hive's function classes read when they run. */
public final class FunctionSettings {
    public static final Set<String> NAMES = Set.of(
            "hive.datetime.formatter",
            "hive.datetime.resolver.style",
            "hive.default.nulls.last",
            "hive.int.timestamp.conversion.in.seconds",
            "hive.join.cache.size",
            "hive.local.time.zone",
            "hive.masking.algo",
            "hive.query.id",
            "hive.query.name",
            "hive.strict.timestamp.conversion",
            "hive.use.googleregex.engine");

    private FunctionSettings() {}
}
