package io.skep.itests.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Checks that the checkers accept valid histories and find each kind of violation. */
final class TestHistoryCheckers {
    private static final int ROWS = 3;

    private static Interval at(long invoked, long completed) {
        return new Interval(invoked, completed);
    }

    private static WriteLog.Write added(long id, long invoked, long completed) {
        return new WriteLog.Write(id, at(invoked, completed));
    }

    private static SetChecker.Read saw(long invoked, long completed, long... ids) {
        Map<Long, Long> rows = new HashMap<>();
        for (long id : ids) {
            rows.put(id, (long) ROWS);
        }
        return new SetChecker.Read(rows, at(invoked, completed));
    }

    private static List<String> set(List<WriteLog.Write> writes, SetChecker.Read... reads) {
        return SetChecker.violations(ROWS, writes, List.of(reads));
    }

    @Test
    void aGrowingSetIsAccepted() {
        List<WriteLog.Write> writes =
                List.of(added(1, 0, 10), added(2, 5, 15), added(3, 20, Interval.NEVER), added(4, 50, 60));
        assertThat(set(writes, saw(1, 2), saw(3, 12, 1), saw(8, 12, 1, 2), saw(30, 40, 1, 2), saw(41, 45, 1, 2, 3)))
                .isEmpty();
    }

    @Test
    void aLostWriteIsFound() {
        assertThat(set(List.of(added(1, 0, 10)), saw(11, 12)))
                .singleElement()
                .asString()
                .startsWith("lost");
    }

    @Test
    void aTornWriteIsFound() {
        SetChecker.Read half = new SetChecker.Read(Map.of(1L, 2L), at(11, 12));
        assertThat(set(List.of(added(1, 0, 10)), half))
                .singleElement()
                .asString()
                .startsWith("torn");
    }

    @Test
    void rowsOfNobodyAndOfLaterAreFound() {
        assertThat(set(List.of(added(1, 20, 30)), saw(0, 10, 1, 7)))
                .anySatisfy(violation -> assertThat(violation).startsWith("phantom"))
                .anySatisfy(violation -> assertThat(violation).startsWith("early"));
    }

    @Test
    void readsWithoutAnOrderAreFound() {
        List<WriteLog.Write> writes = List.of(added(1, 0, 100), added(2, 0, 100));
        assertThat(set(writes, saw(1, 50, 1), saw(1, 50, 2)))
                .singleElement()
                .asString()
                .startsWith("no order");
        assertThat(set(writes, saw(1, 10, 1, 2), saw(20, 30, 1)))
                .singleElement()
                .asString()
                .startsWith("backwards");
    }

    private static WriteLog.Write wrote(long value, long invoked, long completed) {
        return new WriteLog.Write(value, at(invoked, completed));
    }

    private static RegisterChecker.Read found(long value, long invoked, long completed) {
        return new RegisterChecker.Read(value, at(invoked, completed));
    }

    private static List<String> register(List<WriteLog.Write> writes, RegisterChecker.Read... reads) {
        return RegisterChecker.violations(writes, List.of(reads));
    }

    @Test
    void aRegisterIsAccepted() {
        List<WriteLog.Write> writes =
                List.of(wrote(1, 0, 10), wrote(2, 5, 30), wrote(3, 40, Interval.NEVER), wrote(4, 41, 60));
        assertThat(register(writes, found(1, 11, 12), found(2, 13, 14), found(2, 31, 32), found(4, 70, 80)))
                .isEmpty();
        // The write without an answer took effect late.
        assertThat(register(writes, found(4, 70, 80), found(3, 90, 95))).isEmpty();
    }

    @Test
    void aStaleReadIsFound() {
        assertThat(register(List.of(wrote(1, 0, 10), wrote(2, 20, 30)), found(1, 40, 50)))
                .singleElement()
                .asString()
                .contains("read again");
    }

    @Test
    void aRegisterThatGoesBackIsFound() {
        assertThat(register(
                        List.of(wrote(1, 0, 100), wrote(2, 0, 100)),
                        found(1, 10, 20),
                        found(2, 30, 40),
                        found(1, 50, 60),
                        found(2, 70, 80)))
                .isNotEmpty();
    }

    @Test
    void valuesOfNobodyAreFound() {
        assertThat(register(List.of(wrote(1, 20, 30)), found(1, 0, 10), found(9, 0, 10)))
                .hasSize(2);
    }
}
