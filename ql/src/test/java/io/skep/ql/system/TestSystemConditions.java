package io.skep.ql.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.common.vector.Datum;
import io.skep.metastore.system.RowCondition;
import io.skep.metastore.system.SystemTable;
import io.skep.metastore.system.SystemTables;
import io.skep.storage.scan.ColumnPredicate;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TestSystemConditions {
    /** tbl_id, create_time, db_id, ..., tbl_name (7), tbl_type (8), view_expanded_text (9). */
    private static final SystemTable TBLS = SystemTables.find("sys", "tbls").orElseThrow();

    private static List<RowCondition> of(ColumnPredicate... predicates) {
        return SystemConditions.of(TBLS, List.of(predicates));
    }

    private static ColumnPredicate range(int column, Datum low, boolean lowInclusive, Datum high) {
        return new ColumnPredicate.Range(column, Optional.of(low), lowInclusive, Optional.of(high), true);
    }

    @Test
    void valuesOfFieldsGoToTheDatabase() {
        assertThat(of(new ColumnPredicate.In(7, List.of(Datum.ofText("b"), Datum.ofText("a")))))
                .containsExactly(new RowCondition(7, List.of("a", "b")));
        assertThat(of(range(0, new Datum.OfLong(5), true, new Datum.OfLong(5))))
                .containsExactly(new RowCondition(0, List.of(5L)));
    }

    @Test
    void otherConditionsAreLeftToTheScan() {
        assertThat(of(
                        range(0, new Datum.OfLong(5), false, new Datum.OfLong(5)),
                        range(0, new Datum.OfLong(5), true, new Datum.OfLong(6)),
                        new ColumnPredicate.Range(0, Optional.of(new Datum.OfLong(5)), true, Optional.empty(), true),
                        new ColumnPredicate.IsNull(7),
                        new ColumnPredicate.IsNotNull(7)))
                .isEmpty();
        // A text that the database cannot compare, and a column that no table has.
        assertThat(of(
                        new ColumnPredicate.In(9, List.of(Datum.ofText("a"))),
                        new ColumnPredicate.In(TBLS.columns().size(), List.of(Datum.ofText("a")))))
                .isEmpty();
    }

    @Test
    void manyValuesAreLeftToTheScan() {
        List<Datum> values = IntStream.rangeClosed(0, RowCondition.MAX_VALUES)
                .<Datum>mapToObj(Datum.OfLong::new)
                .toList();
        assertThat(of(new ColumnPredicate.In(0, values))).isEmpty();
        assertThat(of(new ColumnPredicate.In(0, values.subList(1, values.size()))))
                .hasSize(1);
    }
}
