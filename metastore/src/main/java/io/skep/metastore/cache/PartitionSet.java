package io.skep.metastore.cache;

import io.skep.common.concurrent.Interruption;
import io.skep.metastore.Catalog;
import io.skep.metastore.HeapBytes;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All partitions of a table. The values of all partitions are kept in memory, encoded with a dictionary for each key. A
 * partition itself is loaded when a filter first accepts it. Columns and formats that equal the table's share the
 * table's objects.
 */
final class PartitionSet {
    private static final int ROWS_BETWEEN_CHECKS = 1000;
    private static final long BYTES_A_PARTITION = 20;
    /**
     * The overhead of a loaded partition in addition to its content: the name, its slot in the set, and what the
     * estimate leaves out.
     */
    private static final long BYTES_LOADED = 200;

    private final Table table;

    /** Set when a name differs from the one built from the values. Other versions of Hive escape other characters. */
    private final String @Nullable [] unusualNames;

    private final String[][] dictionaries;
    private final int[][] codes;
    private final int count;
    private final AtomicReferenceArray<@Nullable Partition> loaded;

    /** The names of partitions that searches have found. Repeated searches find the same ones. */
    private final AtomicReferenceArray<@Nullable String> met;

    private final ReentrantLock loading = new ReentrantLock();

    private PartitionSet(Table table, List<String> names, String[][] dictionaries, int[][] codes) {
        int count = names.size();
        this.table = table;
        this.dictionaries = dictionaries;
        this.codes = codes;
        this.count = count;
        this.loaded = new AtomicReferenceArray<>(count);
        this.met = new AtomicReferenceArray<>(count);
        boolean usual = true;
        for (int i = 0; i < count && usual; i++) {
            usual = PartitionName.of(table, values(i)).equals(names.get(i));
        }
        this.unusualNames = usual ? null : names.toArray(new String[0]);
    }

    /** @param names of all partitions, sorted */
    static PartitionSet of(Table table, List<String> names) {
        int keys = table.partitionKeys().size();
        int[][] codes = new int[keys][names.size()];
        List<Map<String, Integer>> dictionaries = new ArrayList<>();
        for (int key = 0; key < keys; key++) {
            dictionaries.add(new HashMap<>());
        }
        for (int i = 0; i < names.size(); i++) {
            List<String> values = PartitionName.values(names.get(i));
            for (int key = 0; key < keys; key++) {
                Map<String, Integer> dictionary = dictionaries.get(key);
                Integer next = dictionary.size();
                Integer code = dictionary.putIfAbsent(values.get(key), next);
                codes[key][i] = code == null ? next : code;
            }
        }
        String[][] values = new String[keys][];
        for (int key = 0; key < keys; key++) {
            String[] texts = new String[dictionaries.get(key).size()];
            dictionaries.get(key).forEach((text, code) -> texts[code] = text);
            values[key] = texts;
        }
        return new PartitionSet(table, names, values, codes);
    }

    /**
     * Returns the set after a write. It keeps the loaded partitions that the write did not affect.
     *
     * @param removed names of removed partitions
     * @param written names of new or changed partitions
     */
    After after(Set<String> removed, Set<String> written) {
        TreeSet<String> names = new TreeSet<>(names());
        names.removeAll(removed);
        names.addAll(written);
        PartitionSet next = of(table, List.copyOf(names));
        long added = next.weight() - weight();
        for (int i = 0; i < count; i++) {
            Partition partition = loaded.get(i);
            if (partition != null) {
                String name = name(i);
                int index = written.contains(name) ? -1 : next.indexOf(name);
                if (index >= 0) {
                    next.loaded.set(index, partition);
                } else {
                    added -= BYTES_LOADED + HeapBytes.of(partition, table);
                }
            }
        }
        return new After(next, added);
    }

    /** A set after a write, and its weight in excess of the previous set. */
    record After(PartitionSet set, long added) {}

    /** Returns the estimated weight, without partitions that are loaded later. */
    long weight() {
        long weight = count * (BYTES_A_PARTITION + 4L * codes.length);
        for (String[] dictionary : dictionaries) {
            for (String value : dictionary) {
                weight += HeapBytes.of(value);
            }
        }
        if (unusualNames != null) {
            for (String name : unusualNames) {
                weight += HeapBytes.of(name);
            }
        }
        return weight;
    }

    List<String> names() {
        List<String> names = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            names.add(name(i));
        }
        return names;
    }

    private String name(int index) {
        return unusualNames == null ? PartitionName.of(table, values(index)) : unusualNames[index];
    }

    private String nameMet(int index) {
        String known = met.get(index);
        if (known == null) {
            known = name(index);
            met.set(index, known);
        }
        return known;
    }

    private List<String> values(int index) {
        String[] values = new String[codes.length];
        for (int key = 0; key < values.length; key++) {
            values[key] = dictionaries[key][codes[key][index]];
        }
        return List.of(values);
    }

    /** The result of a read, and the weight that it added. */
    record Found(List<Partition> partitions, long added) {}

    Found find(Predicate<List<String>> filter, Catalog catalog) {
        int[] accepted = new int[count];
        int size = 0;
        for (int i = 0; i < count; i++) {
            if (i % ROWS_BETWEEN_CHECKS == 0) {
                Interruption.check();
            }
            if (filter.test(values(i))) {
                accepted[size++] = i;
            }
        }
        return find(accepted, size, catalog);
    }

    /** @param names names of partitions; missing partitions are left out */
    Found find(List<String> names, Catalog catalog) {
        int[] wanted = new int[names.size()];
        int size = 0;
        for (String name : names) {
            int index = indexOf(name);
            if (index >= 0) {
                wanted[size++] = index;
            }
        }
        return find(wanted, size, catalog);
    }

    private int indexOf(String name) {
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = nameMet(middle).compareTo(name);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    private Found find(int[] indexes, int size, Catalog catalog) {
        long added = load(indexes, size, catalog);
        List<Partition> partitions = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            Partition partition = loaded.get(indexes[i]);
            // A missing partition was dropped by another server after the names were read.
            if (partition != null) {
                partitions.add(partition);
            }
        }
        return new Found(partitions, added);
    }

    private long load(int[] indexes, int size, Catalog catalog) {
        if (missing(indexes, size).isEmpty()) {
            return 0;
        }
        Interruption.lock(loading);
        try {
            Map<List<String>, Integer> missing = missing(indexes, size);
            List<String> names = missing.values().stream().map(this::name).toList();
            long added = 0;
            for (Partition partition : catalog.partitionsByName(table, names)) {
                Integer index = missing.get(partition.values());
                if (index != null) {
                    Partition kept = shared(partition);
                    loaded.set(index, kept);
                    added += BYTES_LOADED + HeapBytes.of(kept, table);
                }
            }
            return added;
        } finally {
            loading.unlock();
        }
    }

    private Map<List<String>, Integer> missing(int[] indexes, int size) {
        Map<List<String>, Integer> missing = new HashMap<>();
        for (int i = 0; i < size; i++) {
            if (loaded.get(indexes[i]) == null) {
                missing.put(values(indexes[i]), indexes[i]);
            }
        }
        return missing;
    }

    private Partition shared(Partition partition) {
        StorageDescriptor own = partition.storage();
        StorageDescriptor tables = table.storage();
        StorageDescriptor storage = new StorageDescriptor(
                own.columns().equals(tables.columns()) ? tables.columns() : own.columns(),
                own.location(),
                own.format().equals(tables.format()) ? tables.format() : own.format(),
                own.compressed(),
                own.buckets(),
                own.bucketColumns(),
                own.sortColumns(),
                own.skew());
        return new Partition(
                partition.values(),
                partition.createTime(),
                partition.lastAccessTime(),
                storage,
                partition.properties());
    }
}
