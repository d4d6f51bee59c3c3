package io.skep.ql.system;

import io.skep.common.vector.Datum;
import io.skep.metastore.system.RowCondition;
import io.skep.metastore.system.SystemTable;
import io.skep.storage.scan.ColumnPredicate;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the conditions of a scan that the metastore's database can check. The scan checks all of them itself. */
final class SystemConditions {
    private SystemConditions() {}

    static List<RowCondition> of(SystemTable table, List<ColumnPredicate> predicates) {
        return predicates.stream()
                .filter(predicate -> predicate.column() < table.columns().size()
                        && table.columns().get(predicate.column()).comparable())
                .flatMap(predicate -> condition(predicate).stream())
                .toList();
    }

    private static Optional<RowCondition> condition(ColumnPredicate predicate) {
        return switch (predicate) {
            case ColumnPredicate.In in -> condition(in.column(), in.values());
            case ColumnPredicate.Range range
            when isOneValue(range) ->
                condition(range.column(), List.of(range.low().orElseThrow()));
            case ColumnPredicate.Range _, ColumnPredicate.IsNull _, ColumnPredicate.IsNotNull _ -> Optional.empty();
        };
    }

    private static boolean isOneValue(ColumnPredicate.Range range) {
        return range.lowInclusive()
                && range.highInclusive()
                && range.low().isPresent()
                && range.low().equals(range.high());
    }

    private static Optional<RowCondition> condition(int column, List<Datum> values) {
        List<Object> found = values.stream().flatMap(SystemConditions::value).toList();
        return found.size() == values.size() && found.size() <= RowCondition.MAX_VALUES
                ? Optional.of(new RowCondition(column, found))
                : Optional.empty();
    }

    private static Stream<Object> value(Datum value) {
        return switch (value) {
            case Datum.OfLong number -> Stream.of(number.value());
            case Datum.OfBytes text -> Stream.of(new String(text.value(), StandardCharsets.UTF_8));
            default -> Stream.empty();
        };
    }
}
