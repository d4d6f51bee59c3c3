package io.skep.ql.query;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.error.SkepException;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.ListBuckets;
import io.skep.metastore.PartitionName;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.StorageDescriptor.Skew;
import io.skep.metastore.Table;
import io.skep.ql.physical.PartitionPruner;
import io.skep.ql.physical.ScanAssignment;
import io.skep.storage.table.Split;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves out files in folders of frequent values for which a scan's conditions are not true. Only files in a folder
 * that is named by a value, and recorded for this value, are left out. Files in the folder of other values are always
 * read, since rows may be older than the declaration of the values.
 */
public final class ListBucketPruning {
    /** Hive's name, and Hive's default. */
    public static final Property<Boolean> PRUNING = new Property<>(
            "hive.optimize.listbucketing",
            PropertyType.flag(),
            "false",
            "Whether queries of tables that are SKEWED BY ... STORED AS DIRECTORIES leave out the folders of values "
                    + "that their conditions exclude.");

    private static final Logger LOG = LoggerFactory.getLogger(ListBucketPruning.class);

    /** Hive adds rows to a folder under a new name, which could be that of another value. */
    private static final Pattern COPY = Pattern.compile(".*_copy_\\d+");

    /** Properties with characters that have a meaning in text files, so that values with them may be read as others. */
    private static final Set<String> CHARACTERS = Set.of(
            "field.delim",
            "colelction.delim",
            "collection.delim",
            "mapkey.delim",
            "line.delim",
            "escape.delim",
            "quote.delim",
            "separatorChar",
            "quoteChar",
            "escapeChar",
            "serialization.null.format");

    private final ScanAssignment scan;
    private final PartitionPruner pruner;

    private ListBucketPruning(ScanAssignment scan, PartitionPruner pruner) {
        this.scan = scan;
        this.pruner = pruner;
    }

    /**
     * Returns the splits that may have rows for which the scan's conditions are true.
     *
     * @param places the table, or the partitions, of the splits
     */
    static List<Split> needed(
            ScanAssignment scan, List<StorageDescriptor> places, List<Split> splits, PartitionPruner pruner) {
        if (scan.skewCondition().isEmpty() || scan.sample().isPresent()) {
            return splits;
        }
        Set<String> excluded = new ListBucketPruning(scan, pruner).excludedFolders(places);
        return excluded.isEmpty()
                ? splits
                : splits.stream()
                        .filter(split -> !excluded.contains(folder(split)))
                        .toList();
    }

    private static String folder(Split split) {
        String file = normal(split.file().path());
        return file.substring(0, file.lastIndexOf('/'));
    }

    /** Returns a path in the one of its forms that others can be compared with. */
    static String normal(String path) {
        return path.replaceFirst("^file:/+", "file:/");
    }

    private Set<String> excludedFolders(List<StorageDescriptor> places) {
        Map<StorageDescriptor, List<List<String>>> recorded = new LinkedHashMap<>();
        places.stream().filter(this::isAlike).forEach(place -> recorded.put(place, recorded(place)));
        Set<List<String>> values = new LinkedHashSet<>();
        recorded.values().forEach(values::addAll);
        Set<List<String>> excluded = Set.copyOf(excluded(List.copyOf(values)));
        Set<String> folders = new HashSet<>();
        recorded.forEach((place, known) ->
                known.stream().filter(excluded::contains).forEach(value -> folders.add(folder(value, place))));
        return folders;
    }

    /** Whether the place is divided by the columns of the condition, and has them in the places of the table. */
    private boolean isAlike(StorageDescriptor place) {
        Table table = scan.table();
        Skew skew = table.storage().skew();
        return place.skew().isListBucketed()
                && place.skew().columns().equals(skew.columns())
                && skew.isSameIn(place.columns(), table.columns());
    }

    /** Returns the values whose folders are recorded, and whose rows are read as they were written. */
    private List<List<String>> recorded(StorageDescriptor place) {
        Map<String, String> properties = new HashMap<>(scan.table().properties());
        properties.putAll(place.format().properties());
        return place.skew().values().stream()
                .filter(value ->
                        isRecorded(value, place) && value.stream().allMatch(text -> isReadAsWritten(text, properties)))
                .toList();
    }

    private static boolean isRecorded(List<String> value, StorageDescriptor place) {
        String recorded = place.skew().locations().get(value);
        return recorded != null && normal(recorded).equals(folder(value, place));
    }

    /** Whether rows that were written with a value have the same one when they are read, in every format. */
    private static boolean isReadAsWritten(String text, Map<String, String> properties) {
        boolean isPlain = properties.getOrDefault("serialization.format", "1").equals("1")
                && !properties.containsKey("serialization.encoding")
                && CHARACTERS.stream()
                        .map(name -> properties.getOrDefault(name, ""))
                        .noneMatch(characters -> !characters.isEmpty() && text.contains(characters));
        return isPlain
                && !text.isEmpty()
                && text.strip().equals(text)
                && text.chars().noneMatch(c -> c < ' ' || c == '\\' || c == '"')
                && !text.equals(PartitionName.DEFAULT_PARTITION)
                && !COPY.matcher(text).matches();
    }

    private static String folder(List<String> value, StorageDescriptor place) {
        return normal(place.location() + "/" + ListBuckets.folder(place.skew(), value));
    }

    /** Returns no value if the condition cannot be computed for all of them. */
    private List<List<String>> excluded(List<List<String>> values) {
        if (values.isEmpty()) {
            return List.of();
        }
        Table table = scan.table();
        List<FieldSchema> columns = new ArrayList<>();
        for (String name : table.storage().skew().columns()) {
            table.columns().stream()
                    .filter(column -> column.name().equals(name))
                    .forEach(columns::add);
        }
        try {
            return pruner.excluded(scan.skewCondition().orElseThrow(), columns, values);
        } catch (SkepException e) {
            LOG.debug("all folders of {} are read: {}", table.qualifiedName(), e.fullMessage());
            return List.of();
        }
    }
}
