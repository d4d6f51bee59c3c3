package io.skep.metastore;

import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.Map;

/**
 * Where and how a table or a partition is stored.
 *
 * @param buckets number of buckets, or -1
 * @param skew frequent values
 */
public record StorageDescriptor(
        List<FieldSchema> columns,
        String location,
        TableFormat format,
        boolean compressed,
        int buckets,
        List<String> bucketColumns,
        List<SortColumn> sortColumns,
        Skew skew) {
    public record SortColumn(String name, boolean ascending) {}

    /**
     * Columns with frequent values, as declared by SKEWED BY.
     *
     * @param values lists with one value for each column
     * @param storedAsDirectories whether new rows are divided among folders by these values ({@link ListBuckets})
     * @param locations the folders of values that have rows; may have entries from before the other fields changed
     */
    public record Skew(
            List<String> columns,
            List<List<String>> values,
            boolean storedAsDirectories,
            Map<List<String>, String> locations) {
        public static final Skew NONE = new Skew(List.of(), List.of());

        public Skew {
            columns = List.copyOf(columns);
            values = values.stream().map(List::copyOf).toList();
            locations = Map.copyOf(locations);
        }

        /** Creates a skew without folders. */
        public Skew(List<String> columns, List<List<String>> values) {
            this(columns, values, false, Map.of());
        }

        /** Whether new rows are divided among folders. */
        public boolean isListBucketed() {
            return storedAsDirectories && !columns.isEmpty();
        }

        /**
         * Returns this skew after a change of the table's columns. The folders are forgotten if a skewed column gets
         * another place or type, since their rows then have other values.
         */
        public Skew after(List<FieldSchema> before, List<FieldSchema> after) {
            return isSameIn(before, after) ? this : withLocations(Map.of());
        }

        /** Whether all skewed columns have the same place and type in both. */
        public boolean isSameIn(List<FieldSchema> one, List<FieldSchema> other) {
            return columns.stream().allMatch(name -> place(one, name).equals(place(other, name)));
        }

        private static String place(List<FieldSchema> columns, String name) {
            for (int i = 0; i < columns.size(); i++) {
                if (columns.get(i).name().equals(name)) {
                    return i + " " + columns.get(i).type().displayName();
                }
            }
            return "";
        }

        public Skew withLocations(Map<List<String>, String> other) {
            return new Skew(columns, values, storedAsDirectories, other);
        }

        /** Returns the same columns and values, with or without folders for new rows. */
        public Skew stored(boolean asDirectories) {
            return new Skew(columns, values, asDirectories, locations);
        }
    }

    /** Creates a descriptor without skew. */
    public StorageDescriptor(
            List<FieldSchema> columns,
            String location,
            TableFormat format,
            boolean compressed,
            int buckets,
            List<String> bucketColumns,
            List<SortColumn> sortColumns) {
        this(columns, location, format, compressed, buckets, bucketColumns, sortColumns, Skew.NONE);
    }

    public StorageDescriptor withSkew(Skew other) {
        return new StorageDescriptor(columns, location, format, compressed, buckets, bucketColumns, sortColumns, other);
    }

    public StorageDescriptor withFormat(TableFormat other) {
        return new StorageDescriptor(columns, location, other, compressed, buckets, bucketColumns, sortColumns, skew);
    }

    /** Returns the descriptor at another place. The folders of list buckets are recorded again with its rows. */
    public StorageDescriptor withLocation(String other) {
        Skew there = other.equals(location) ? skew : skew.withLocations(Map.of());
        return new StorageDescriptor(columns, other, format, compressed, buckets, bucketColumns, sortColumns, there);
    }

    public StorageDescriptor {
        columns = List.copyOf(columns);
        bucketColumns = List.copyOf(bucketColumns);
        sortColumns = List.copyOf(sortColumns);
    }
}
