package io.skep.metastore;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hive.metastore.conf.MetastoreConf;

/** The names of the settings of Hive's metastore. */
public final class MetastoreSettings {
    private static final Set<String> NAMES = Arrays.stream(MetastoreConf.ConfVars.values())
            .flatMap(setting -> Stream.of(setting.getVarname(), setting.getHiveName()))
            .collect(Collectors.toUnmodifiableSet());

    private MetastoreSettings() {}

    public static boolean isKnown(String name) {
        return NAMES.contains(name);
    }
}
