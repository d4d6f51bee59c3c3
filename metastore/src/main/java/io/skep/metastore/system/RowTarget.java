package io.skep.metastore.system;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the rows of a system table as they are read, on a thread of the metastore. */
@FunctionalInterface
public interface RowTarget {
    /** @param values Longs, Doubles, Booleans and Strings in the order of the request's columns */
    void row(List<@Nullable Object> values);
}
