package io.skep.engine.rows;

import io.skep.common.type.SqlType;
import io.skep.common.vector.ConstantVector;
import io.skep.common.vector.DictionaryVector;
import io.skep.common.vector.LongVector;
import io.skep.common.vector.Vector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Numbers distinct rows from 0, in the order of their first occurrence. An open-addressing {@link GroupDirectory} leads
 * to keys that are kept as columns. A batch is looked up by hash bits only, and new groups are appended column by
 * column. Then all rows are compared with their groups column by column. The few rows that met another key with the
 * same bits are looked up again one by one. If all keys are dictionary-encoded, or are one or two integers close
 * together ({@link DenseKeyIndex}), an array maps combinations of dictionary ids or of values to groups instead. Owned
 * by one thread.
 */
public final class GroupIndex {
    private static final int MAX_COMBINATIONS = 8192;

    private final List<GrowableColumn> keys = new ArrayList<>();
    private final GroupDirectory directory = new GroupDirectory();
    private long[] hashes = new long[0];
    private int[] newRows = new int[0];
    private int[] slots = new int[0];
    private final DenseKeyIndex small = new DenseKeyIndex();
    private List<Vector> knownDictionaries = List.of();
    private int[] groupOfCombination = new int[0];

    public GroupIndex(List<SqlType> types) {
        types.forEach(type -> keys.add(GrowableColumn.of(type)));
    }

    public int size() {
        return directory.groups();
    }

    /** Returns the keys of groups {@code [from, from + count)}. */
    public List<Vector> keys(int from, int count) {
        List<Vector> columns = new ArrayList<>();
        for (GrowableColumn key : keys) {
            Vector all = key.view();
            columns.add(from == 0 && count == size() ? all : all.slice(from, count));
        }
        return columns;
    }

    /** Writes the hashes ({@link RowHash}) of the keys of groups {@code [from, from + count)} to {@code [0, count)}. */
    public void hashes(int from, int count, long[] to) {
        if (keys.size() == 1 && keys.getFirst().view() instanceof LongVector all && !all.mayHaveNulls()) {
            RowHash.hash(all.values(), from, count, to);
        } else {
            RowHash.hash(flat(keys(from, count)), count, to);
        }
    }

    public long retainedBytes() {
        long bytes = directory.retainedBytes() + 4L * groupOfCombination.length + small.retainedBytes();
        for (GrowableColumn key : keys) {
            bytes += key.retainedBytes();
        }
        return bytes;
    }

    /** Writes the group of each row to {@code groupIds[0..rows)}. Rows with new keys create new groups. */
    public void assign(List<Vector> columns, int rows, int[] groupIds) {
        if (slots.length < rows) {
            slots = new int[rows];
        }
        int combinations = combinations(columns);
        if (combinations > 0 && combinations <= Math.max(rows, 64)) {
            assignByCombination(columns, rows, combinations, groupIds);
            return;
        }
        List<Vector> flat = flat(columns);
        if (small.find(flat, rows, slots)) {
            assignBySlot(flat, rows, small.groups(), groupIds);
        } else {
            assignByHash(flat, rows, groupIds);
        }
    }

    private static List<Vector> flat(List<Vector> columns) {
        List<Vector> flat = new ArrayList<>(columns.size());
        for (Vector column : columns) {
            flat.add(column.flatten());
        }
        return flat;
    }

    /**
     * Returns the number of possible combinations of dictionary entries, including null, or 0 if a key is not
     * dictionary-encoded or there are too many.
     */
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
        Arrays.fill(slots, 0, rows, 0);
        for (Vector column : columns) {
            if (column instanceof DictionaryVector coded) {
                dictionaries.add(coded.dictionary());
                combine(coded, rows, slots);
            } else {
                dictionaries.add(((ConstantVector) column).value());
            }
        }
        if (!sameObjects(dictionaries, knownDictionaries)) {
            knownDictionaries = dictionaries;
            groupOfCombination = new int[combinations];
            Arrays.fill(groupOfCombination, -1);
        }
        assignBySlot(columns, rows, groupOfCombination, groupIds);
    }

    /** @param groupOf the group by slot; -1 if it is not known */
    private void assignBySlot(List<Vector> columns, int rows, int[] groupOf, int[] groupIds) {
        int worst = 0;
        for (int i = 0; i < rows; i++) {
            int group = groupOf[slots[i]];
            groupIds[i] = group;
            worst |= group;
        }
        if (worst < 0) {
            addUnseen(columns, rows, groupOf);
            for (int i = 0; i < rows; i++) {
                groupIds[i] = groupOf[slots[i]];
            }
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

    /** Looks up one row for each slot whose group is not known. */
    private void addUnseen(List<Vector> columns, int rows, int[] groupOf) {
        int[] unseen = new int[rows];
        int count = 0;
        for (int i = 0; i < rows; i++) {
            if (groupOf[slots[i]] == -1) {
                unseen[count++] = i;
                groupOf[slots[i]] = -2;
            }
        }
        List<Vector> selected = new ArrayList<>();
        for (Vector column : columns) {
            selected.add(column.select(unseen, count).flatten());
        }
        int[] found = new int[count];
        assignByHash(selected, count, found);
        for (int i = 0; i < count; i++) {
            groupOf[slots[unseen[i]]] = found[i];
        }
    }

    private void assignByHash(List<Vector> columns, int rows, int[] groupIds) {
        if (hashes.length < rows) {
            hashes = new long[rows];
            newRows = new int[rows];
        }
        RowHash.hash(columns, rows, hashes);
        int added = directory.assign(hashes, rows, groupIds, newRows);
        for (int i = 0; i < keys.size(); i++) {
            keys.get(i).append(columns.get(i), newRows, added);
        }
        for (int i = 0; i < keys.size(); i++) {
            if (!RowEquality.allEqual(columns.get(i), keys.get(i).view(), groupIds, rows)) {
                assignDiffering(columns, i, rows, groupIds);
            }
        }
    }

    /** Looks up again the rows that met a group with another key and the same hash bits. */
    private void assignDiffering(List<Vector> columns, int key, int rows, int[] groupIds) {
        int count = RowEquality.differing(columns.get(key), keys.get(key).view(), groupIds, rows, newRows);
        for (int i = 0; i < count; i++) {
            groupIds[newRows[i]] = find(columns, newRows[i]);
        }
    }

    private int find(List<Vector> columns, int row) {
        long hash = hashes[row];
        int slot = directory.first(hash);
        for (int group = directory.group(slot); group >= 0; group = directory.group(slot)) {
            if (directory.hasTag(slot, hash) && equalsGroup(columns, row, group)) {
                return group;
            }
            slot = directory.following(slot);
        }
        int[] one = {row};
        for (int i = 0; i < keys.size(); i++) {
            keys.get(i).append(columns.get(i), one, 1);
        }
        return directory.put(slot, hash);
    }

    private boolean equalsGroup(List<Vector> columns, int row, int group) {
        for (int i = 0; i < keys.size(); i++) {
            if (!RowEquality.equal(columns.get(i), row, keys.get(i).view(), group)) {
                return false;
            }
        }
        return true;
    }
}
