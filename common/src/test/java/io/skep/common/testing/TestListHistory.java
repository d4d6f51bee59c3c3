package io.skep.common.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.testing.ListHistory.Outcome;
import io.skep.common.testing.ListHistory.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each kind of violation is found, and a right history has none. */
final class TestListHistory {
    private static final ListChange FIRST = new ListChange(1, List.of(1, 2), 0, 0);
    private static final ListChange SECOND = new ListChange(2, List.of(1), 1002, 0);
    private static final ListChange THIRD = new ListChange(3, List.of(2), 0, 1002);

    private final ListHistory history = new ListHistory();

    @BeforeEach
    void begin() {
        committed(FIRST);
    }

    private void committed(ListChange change) {
        history.changed(change, Outcome.COMMITTED, System.nanoTime());
    }

    /** Reads a table whose other lists are empty. */
    private void read(String one, String two, int... rows) {
        List<Row> table = new ArrayList<>(List.of(new Row(1, one), new Row(2, two)));
        IntStream.rangeClosed(3, ListChange.LISTS).forEach(key -> table.add(new Row(key, "")));
        IntStream.of(rows).forEach(key -> table.add(new Row(key, "row")));
        history.read(table, System.nanoTime());
    }

    private void assertFound(String text) {
        assertThat(history.violations()).anySatisfy(found -> assertThat(found).contains(text));
    }

    @Test
    void aRightHistoryHasNone() {
        read(" 1", " 1");
        committed(SECOND);
        read(" 1 2", " 1", 1002);
        committed(THIRD);
        read(" 1 2", " 1 3");
        assertThat(history.violations()).isEmpty();
        assertThat(history.committed()).isEqualTo(3);
    }

    @Test
    void whatIsUnknownMayBeThereOrNot() {
        history.changed(SECOND, Outcome.UNKNOWN, System.nanoTime());
        history.changed(THIRD, Outcome.UNKNOWN, System.nanoTime());
        read(" 1", " 1");
        read(" 1 2", " 1", 1002);
        assertThat(history.violations()).isEmpty();
    }

    @Test
    void dirtyReads() {
        history.changed(SECOND, Outcome.FAILED, System.nanoTime());
        read(" 1 2", " 1", 1002);
        assertFound("is in a read");
    }

    @Test
    void staleReads() {
        read("", "");
        assertFound("is not in a read");
    }

    @Test
    void readsOfTheFuture() {
        read(" 1 2", " 1", 1002);
        committed(SECOND);
        assertFound("is in a read");
    }

    @Test
    void halves() {
        read(" 1", "");
        assertFound("is in a part of its lists");
    }

    @Test
    void changesThatRanTwice() {
        read(" 1 1", " 1");
        assertFound("a number twice");
    }

    @Test
    void lostUpdates() {
        history.changed(SECOND, Outcome.UNKNOWN, System.nanoTime());
        history.changed(new ListChange(4, List.of(1), 0, 0), Outcome.UNKNOWN, System.nanoTime());
        read(" 1 2", " 1", 1002);
        read(" 1 4 5", " 1");
        assertFound("the list of 1 is");
    }

    @Test
    void lostAndWrongRows() {
        committed(SECOND);
        read(" 1 2", " 1");
        read(" 1 2", " 1", 1002, 1007);
        assertFound("the rows [] instead of [1002]");
        assertFound("instead of [1002]");
    }

    @Test
    void keysThatAreThereTwice() {
        read(" 1", " 1", 1002, 1002);
        assertFound("is twice");
    }

    @Test
    void lostLists() {
        history.read(List.of(new Row(1, " 1"), new Row(2, " 1")), System.nanoTime());
        assertFound("a read has the lists of [1, 2]");
    }
}
