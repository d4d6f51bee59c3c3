package io.skep.itests.random;

import io.skep.itests.random.Expression.Call;
import io.skep.itests.random.Expression.Literal;
import io.skep.itests.random.Expression.Reference;
import io.skep.itests.random.Query.Select;
import io.skep.itests.random.Relation.Scan;
import io.skep.itests.random.Table.Column;
import io.skep.itests.random.Verdict.Unknown;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks that an expression has the same value over a row's columns at run time as over the row's values at compile
 * time.
 */
record ConstantOracle(Engine skep) implements Oracle {
    @Override
    public Verdict judge(Query query) {
        if (!(query instanceof Select select)
                || !(select.from() instanceof Scan scan)
                || scan.table().rows() == 0
                || !select.items().stream().allMatch(ConstantOracle::ofOneRow)) {
            return new Unknown("not of one row");
        }
        int id = Math.floorMod(select.sql(Dialect.HIVE).hashCode(), scan.table().rows());
        Select row =
                new Select(false, select.items(), scan, Optional.of(is(scan, id)), Optional.empty(), Optional.empty());
        return Oracle.compare(() -> constant(row, scan), Oracle.of(skep, row), false);
    }

    private static Expression is(Scan scan, int id) {
        return new Call(
                Forms.equal(Kind.INTEGER),
                List.of(scan.columns().getFirst(), new Literal(Kind.INTEGER, Integer.toString(id))));
    }

    private static boolean ofOneRow(Expression expression) {
        return switch (expression) {
            case Reference column -> true;
            case Literal literal -> true;
            case Call call -> call.operands().stream().allMatch(ConstantOracle::ofOneRow);
            default -> false;
        };
    }

    private Rows constant(Select row, Scan scan) throws SQLException {
        Map<String, String> literals = literals(row, scan);
        return Oracle.of(
                        skep,
                        row.withItems(row.items().stream()
                                .map(item -> replace(item, literals))
                                .toList()))
                .get();
    }

    private Map<String, String> literals(Select row, Scan scan) throws SQLException {
        String values =
                Oracle.of(skep, row.withItems(scan.columns())).get().rows().getFirst();
        String[] fields = values.split("\\|", -1);
        Map<String, String> literals = new HashMap<>();
        for (int i = 0; i < fields.length; i++) {
            Column column = scan.table().columns().get(i);
            String value =
                    fields[i].equals("NULL") || column.kind() == Kind.BOOLEAN ? fields[i] : "'" + fields[i] + "'";
            literals.put(column.name(), "CAST(" + value + " AS " + column.type() + ")");
        }
        return literals;
    }

    private static Expression replace(Expression expression, Map<String, String> literals) {
        return switch (expression) {
            case Reference column ->
                new Literal(column.kind(), literals.getOrDefault(column.column(), column.column()));
            case Call call ->
                new Call(
                        call.form(),
                        call.operands().stream()
                                .map(operand -> replace(operand, literals))
                                .collect(Collectors.toList()));
            default -> expression;
        };
    }

    @Override
    public String toString() {
        return "constant";
    }
}
