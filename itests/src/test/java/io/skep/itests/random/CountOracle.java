package io.skep.itests.random;

import io.skep.itests.random.Expression.Call;
import io.skep.itests.random.Query.Select;
import io.skep.itests.random.Verdict.Unknown;
import java.util.List;
import java.util.Optional;

/**
 * Checks that the number of rows that pass a filter equals the number of rows for which its condition, computed for
 * each row, is true. The first form is optimized; the second leaves nothing to optimize (Rigger and Su, "Detecting
 * Optimization Bugs in Database Engines via Non-optimizing Reference Engine Construction", 2020).
 */
record CountOracle(Engine skep) implements Oracle {
    @Override
    public Verdict judge(Query query) {
        if (!(query instanceof Select select) || select.where().isEmpty()) {
            return new Unknown("no filter");
        }
        Select rows = new Select(
                false,
                List.of(new Call(Forms.COUNT_ROWS, List.of())),
                select.from(),
                select.where(),
                Optional.empty(),
                Optional.empty());
        Expression each = new Call(Forms.COUNT_TRUE, List.of(select.where().get()));
        Select counted = rows.withWhere(Optional.empty()).withItems(List.of(each));
        return Oracle.compare(Oracle.of(skep, rows), Oracle.of(skep, counted), false);
    }

    @Override
    public String toString() {
        return "count";
    }
}
