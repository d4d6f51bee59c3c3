package io.skep.metastore.hive;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.SkewedInfo;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.jspecify.annotations.NullUnmarked;

/** Changes the folders that the library records for frequent values, so that they stay true. */
@NullUnmarked
final class SkewedFolders {
    private SkewedFolders() {}

    /** @param moved returns the new path of a folder */
    static void move(StorageDescriptor sd, UnaryOperator<String> moved) {
        SkewedInfo skewed = sd.getSkewedInfo();
        if (skewed != null && skewed.getSkewedColValueLocationMapsSize() > 0) {
            Map<List<String>, String> after = new HashMap<>();
            skewed.getSkewedColValueLocationMaps()
                    .forEach((value, location) -> after.put(value, moved.apply(location)));
            skewed.setSkewedColValueLocationMaps(after);
        }
    }

    /** Forgets the folders if a skewed column gets another place or type, since their rows then have other values. */
    static void keep(StorageDescriptor sd, List<FieldSchema> after) {
        SkewedInfo skewed = sd.getSkewedInfo();
        if (skewed == null || skewed.getSkewedColNamesSize() == 0) {
            return;
        }
        for (String column : skewed.getSkewedColNames()) {
            if (!place(sd.getCols(), column).equals(place(after, column))) {
                skewed.setSkewedColValueLocationMaps(new HashMap<>());
            }
        }
    }

    private static String place(List<FieldSchema> columns, String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).getName().equals(name)) {
                return i + " " + columns.get(i).getType();
            }
        }
        return "";
    }
}
