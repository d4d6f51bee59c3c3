package io.skep.metastore;

import io.skep.metastore.StorageDescriptor.Skew;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The folders of list bucketing. A table or partition that is SKEWED BY ... STORED AS DIRECTORIES has a folder for each
 * frequent value, {@code column=value/column=value} as for partitions, and one for all other rows. Files that are older
 * than the skew may be anywhere below the table or partition.
 */
public final class ListBuckets {
    /** The folder of rows with other values, once for each column. */
    public static final String DEFAULT_FOLDER = "HIVE_DEFAULT_LIST_BUCKETING_DIR_NAME";

    private ListBuckets() {}

    /** Returns the folders of the values in their order, then that of all other rows. */
    public static List<String> folders(Skew skew) {
        List<String> folders = new ArrayList<>();
        skew.values().forEach(value -> folders.add(folder(skew, value)));
        folders.add(String.join("/", Collections.nCopies(skew.columns().size(), DEFAULT_FOLDER)));
        return folders;
    }

    /** Returns the folder of a value, relative to the table or partition. */
    public static String folder(Skew skew, List<String> value) {
        return PartitionName.of(skew.columns(), value);
    }

    /** Returns the folders of values that have files. The empty text has the name of null as its value, as in Hive. */
    public static Map<List<String>, String> locations(Skew skew, String location, Collection<String> files) {
        Map<List<String>, String> locations = new HashMap<>();
        for (List<String> value : skew.values()) {
            String folder = location + "/" + folder(skew, value);
            if (files.stream().anyMatch(file -> file.startsWith(folder + "/"))) {
                locations.put(key(value), folder);
            }
        }
        return locations;
    }

    private static List<String> key(List<String> value) {
        return value.stream()
                .map(text -> text.isEmpty() ? PartitionName.DEFAULT_PARTITION : text)
                .toList();
    }
}
