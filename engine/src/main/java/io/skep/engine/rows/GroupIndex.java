package io.skep.engine.rows;

import io.skep.common.type.SqlType;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.Vector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Numbers distinct rows, from 0, in the order in which they first come. An open-addressing directory of 8-byte entries (upper
 * half: bits of the hash, lower half: group number + 1) leads to keys that are kept as columns. A batch is looked up by hash
 * bits alone, new groups are appended column by column, and then all rows are compared with their groups column by column;
 * the few that met another key with the same bits are looked up again one by one. Keys that are all dictionary-coded go
 * through an array from combinations of dictionary numbers to groups instead. Owned by one thread.
 */
public final class GroupIndex {
    private static final int INITIAL_SLOTS = 1024;
    private static final int MAX_COMBINATIONS = 8192;
    private static final long TAG = 0xFFFFFFFF00000000L;

    private final List<GrowableColumn> keys = new ArrayList<>();
    private long[] slots = new long[INITIAL_SLOTS];
    private long[] groupHashes = new long[INITIAL_SLOTS];
    private int groups;
    private long[] hashes = new long[0];
    private int[] newRows = new int[0];
    private List<Vector> knownDictionaries = List.of();
    private int[] groupOfCombination = new int[0];

    public GroupIndex(List<SqlType> types) {
        types.forEach(type -> keys.add(GrowableColumn.of(type)));
    }

    public int size() {
        return groups;
    }

    /** The keys of groups {@code [from, from + count)}. */
    public List<Vector> keys(int from, int count) {
        List<Vector> columns = new ArrayList<>();
        for (GrowableColumn key : keys) {
            Vector all = key.view();
            columns.add(from == 0 && count == groups ? all : all.slice(from, count));
        }
        return columns;
    }

    /** The hash ({@link RowHash}) of each group's key; only until the next row is added. */
    public long[] hashes() {
        return groupHashes;
    }

    public long retainedBytes() {
        long bytes = 8L * slots.length + 8L * groupHashes.length + 4L * groupOfCombination.length;
        for (GrowableColumn key : keys) {
            bytes += key.retainedBytes();
        }
        return bytes;
    }

    /** Writes the group of each row to {@code groupIds[0..rows)}; rows with new keys make new groups. */
    public void assign(List<Vector> columns, int rows, int[] groupIds) {
        int combinations = combinations(columns);
        if (combinations > 0 && combinations <= Math.max(rows, 64)) {
            assignByCombination(columns, rows, combinations, groupIds);
        } else {
            assignByHash(flat(columns), rows, groupIds);
        }
    }

    private static List<Vector> flat(List<Vector> columns) {
        List<Vector> flat = new ArrayList<>(columns.size());
        for (Vector column : columns) {
            flat.add(column.flatten());
        }
        return flat;
    }

    /** How many combinations of dictionary entries, null included, there can be; 0 when not all keys are coded. */
    private static int combinations(List<Vector> columns) {
        long product = 1;
        for (Vector column : columns) {
            switch (column) {
                case DictionaryVector v -> product *= v.dictionary().length() + 1L;
                case ConstantVector v -> {}
                default -> product = 0;
            }
            if (product == 0 || product > MAX_COMBINATIONS) {
                return 0;
            }
        }
        return columns.isEmpty() ? 0 : (int) product;
    }

    private void assignByCombination(List<Vector> columns, int rows, int combinations, int[] groupIds) {
        List<Vector> dictionaries = new ArrayList<>();
        int[] combination = new int[rows];
        for (Vector column : columns) {
            if (column instanceof DictionaryVector coded) {
                dictionaries.add(coded.dictionary());
                combine(coded, rows, combination);
            } else {
                dictionaries.add(((ConstantVector) column).value());
            }
        }
        if (!sameObjects(dictionaries, knownDictionaries)) {
            knownDictionaries = dictionaries;
            groupOfCombination = new int[combinations];
            Arrays.fill(groupOfCombination, -1);
        }
        addUnseen(columns, rows, combination);
        for (int i = 0; i < rows; i++) {
            groupIds[i] = groupOfCombination[combination[i]];
        }
    }

    private static void combine(DictionaryVector coded, int rows, int[] combination) {
        int size = coded.dictionary().length() + 1;
        int[] ids = coded.ids();
        if (coded.mayHaveNulls()) {
            for (int i = 0; i < rows; i++) {
                combination[i] = combination[i] * size + (coded.isNull(i) ? size - 1 : ids[i]);
            }
        } else {
            for (int i = 0; i < rows; i++) {
                combination[i] = combination[i] * size + ids[i];
            }
        }
    }

    private static boolean sameObjects(List<Vector> left, List<Vector> right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (int i = 0; i < left.size(); i++) {
            if (left.get(i) != right.get(i)) {
                return false;
            }
        }
        return true;
    }

    /** Looks up one row of each combination that was not seen with these dictionaries. */
    private void addUnseen(List<Vector> columns, int rows, int[] combination) {
        int[] unseen = null;
        int count = 0;
        for (int i = 0; i < rows; i++) {
            if (groupOfCombination[combination[i]] == -1) {
                unseen = unseen == null ? new int[rows] : unseen;
                unseen[count++] = i;
                groupOfCombination[combination[i]] = -2;
            }
        }
        if (unseen == null) {
            return;
        }
        List<Vector> selected = new ArrayList<>();
        for (Vector column : columns) {
            selected.add(column.select(unseen, count).flatten());
        }
        int[] found = new int[count];
        assignByHash(selected, count, found);
        for (int i = 0; i < count; i++) {
            groupOfCombination[combination[unseen[i]]] = found[i];
        }
    }

    private void assignByHash(List<Vector> columns, int rows, int[] groupIds) {
        if (hashes.length < rows) {
            hashes = new long[rows];
            newRows = new int[rows];
        }
        RowHash.hash(columns, rows, hashes);
        ensureSlots(groups + rows);
        int added = probe(rows, groupIds);
        for (int i = 0; i < keys.size(); i++) {
            keys.get(i).append(columns.get(i), newRows, added);
        }
        for (int i = 0; i < keys.size(); i++) {
            if (!RowEquality.allEqual(columns.get(i), keys.get(i).view(), groupIds, rows)) {
                assignOneByOne(columns, rows, groupIds);
                return;
            }
        }
    }

    /** Finds or makes each row's group by its hash bits; gives the number of groups made. */
    private int probe(int rows, int[] groupIds) {
        long[] directory = slots;
        int mask = directory.length - 1;
        int added = 0;
        for (int i = 0; i < rows; i++) {
            long hash = hashes[i];
            long tag = hash & TAG;
            int slot = (int) hash & mask;
            long entry = directory[slot];
            while (entry != 0 && (entry & TAG) != tag) {
                slot = slot + 1 & mask;
                entry = directory[slot];
            }
            if (entry == 0) {
                groupHashes[groups] = hash;
                directory[slot] = tag | ++groups;
                newRows[added++] = i;
                groupIds[i] = groups - 1;
            } else {
                groupIds[i] = (int) entry - 1;
            }
        }
        return added;
    }

    private void assignOneByOne(List<Vector> columns, int rows, int[] groupIds) {
        for (int i = 0; i < rows; i++) {
            if (!equalsGroup(columns, i, groupIds[i])) {
                groupIds[i] = find(columns, i);
            }
        }
    }

    private int find(List<Vector> columns, int row) {
        int mask = slots.length - 1;
        long hash = hashes[row];
        int slot = (int) hash & mask;
        for (long entry = slots[slot]; entry != 0; entry = slots[slot]) {
            if ((entry & TAG) == (hash & TAG) && equalsGroup(columns, row, (int) entry - 1)) {
                return (int) entry - 1;
            }
            slot = slot + 1 & mask;
        }
        groupHashes[groups] = hash;
        slots[slot] = hash & TAG | ++groups;
        int[] one = {row};
        for (int i = 0; i < keys.size(); i++) {
            keys.get(i).append(columns.get(i), one, 1);
        }
        return groups - 1;
    }

    private boolean equalsGroup(List<Vector> columns, int row, int group) {
        for (int i = 0; i < keys.size(); i++) {
            if (!RowEquality.equal(columns.get(i), row, keys.get(i).view(), group)) {
                return false;
            }
        }
        return true;
    }

    private void ensureSlots(int wanted) {
        if (groupHashes.length < wanted) {
            groupHashes = Arrays.copyOf(groupHashes, GrowableColumn.grown(groupHashes.length, wanted));
        }
        if (wanted <= slots.length / 4 * 3) {
            return;
        }
        int size = slots.length;
        while (wanted > size / 4 * 3) {
            size = Math.multiplyExact(size, 2);
        }
        slots = new long[size];
        int mask = size - 1;
        for (int group = 0; group < groups; group++) {
            long hash = groupHashes[group];
            int slot = (int) hash & mask;
            while (slots[slot] != 0) {
                slot = slot + 1 & mask;
            }
            slots[slot] = hash & TAG | group + 1;
        }
    }
}
