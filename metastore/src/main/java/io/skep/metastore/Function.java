package io.skep.metastore;

import java.util.List;

/** A permanent user function: its class and the jars that it needs. */
public record Function(
        String database, String name, String className, String owner, long createTime, List<String> resources) {
    public Function {
        resources = List.copyOf(resources);
    }
}
