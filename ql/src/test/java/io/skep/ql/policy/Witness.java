package io.skep.ql.policy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hive.ql.exec.UDF;
import org.apache.hadoop.io.Text;
import org.jspecify.annotations.Nullable;

/** A user's function that tells what it has seen. Hive makes its instances, so what it has seen is static. */
@SuppressWarnings("deprecation")
public final class Witness extends UDF {
    static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

    public @Nullable Text evaluate(@Nullable Text value) {
        SEEN.add(String.valueOf(value));
        return value;
    }
}
