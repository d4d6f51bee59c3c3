package io.skep.ql.transaction;

import io.skep.storage.acid.SeenWriteIds;
import java.util.Map;
import java.util.Set;

/**
 * What has happened to the sources of a materialized view since it was filled.
 *
 * @param changed the sources with other rows by now, by name with the database, and what the view contains of them
 * @param shrunk those of them of which rows were updated, deleted or replaced
 */
public record SourceChanges(Map<String, SeenWriteIds> changed, Set<String> shrunk) {
    public SourceChanges {
        changed = Map.copyOf(changed);
        shrunk = Set.copyOf(shrunk);
    }
}
