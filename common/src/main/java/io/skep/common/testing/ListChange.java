package io.skep.common.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A change of a table of lists, which tests of snapshot isolation make ({@link ListHistory}). Each row of a key up to
 * {@link #LISTS} is a list of numbers. A change appends its number to one or two of them, and may insert a row of its
 * own or delete one.
 *
 * @param lists the keys of the lists to which it appends
 * @param added the key of the row that it inserts, or 0
 * @param removed the key of the row that it deletes, or 0
 */
public record ListChange(int number, List<Integer> lists, int added, int removed) {
    public static final int LISTS = 5;

    /** Keys from here on are rows that one change inserts and a later one may delete. */
    static final int FIRST_ROW = 1000;

    /**
     * Returns a random change.
     *
     * @param own the keys of rows of the same client, of which it may delete the first
     */
    public static ListChange random(int number, Random random, List<Integer> own) {
        List<Integer> lists = List.copyOf(new TreeSet<>(List.of(1 + random.nextInt(LISTS), 1 + random.nextInt(LISTS))));
        int kind = random.nextInt(4);
        return new ListChange(
                number, lists, kind == 1 ? FIRST_ROW + number : 0, kind == 2 && !own.isEmpty() ? own.getFirst() : 0);
    }

    /** Returns the rows of a table whose lists are empty, for VALUES. Its columns are an INT and a STRING. */
    public static String emptyLists() {
        return IntStream.rangeClosed(1, LISTS)
                .mapToObj(key -> "(" + key + ", '')")
                .collect(Collectors.joining(", "));
    }

    /** Returns the statement, for a table with the columns k and v. */
    public String sql(String table) {
        if (added == 0 && removed == 0) {
            String keys = lists.stream().map(String::valueOf).collect(Collectors.joining(", "));
            return "update " + table + " set v = concat(v, ' " + number + "') where k in (" + keys + ")";
        }
        List<Integer> all = new ArrayList<>(lists);
        all.add(Math.max(added, removed));
        String source = all.stream().map(key -> "select " + key + " as k").collect(Collectors.joining(" union all "));
        return "merge into " + table + " using (" + source + ") s on " + table + ".k = s.k"
                + (removed > 0 ? " when matched and " + table + ".k >= " + FIRST_ROW + " then delete" : "")
                + " when matched then update set v = concat(" + table + ".v, ' " + number + "')"
                + (added > 0 ? " when not matched then insert values (s.k, 'row')" : "");
    }
}
