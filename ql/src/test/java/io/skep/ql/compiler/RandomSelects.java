package io.skep.ql.compiler;

import io.skep.ql.compiler.RandomSchema.Relation;
import java.util.ArrayList;
import java.util.List;

/** Random queries with all clauses, most of which are valid. */
final class RandomSelects {
    private static final int DEPTH = 3;
    private static final List<String> JOINS =
            List.of("join", "left join", "right join", "full join", "left semi join", "cross join");
    private static final List<String> COMPARISONS = List.of("=", "<", ">", "<=", ">=", "<>", "<=>");
    private static final List<String> OPERATORS = List.of("+", "-", "*", "/", "%", "||", "div", "&", "|", "^");
    private static final List<String> AGGREGATES = List.of(
            "count",
            "sum",
            "min",
            "max",
            "avg",
            "stddev",
            "collect_set",
            "collect_list",
            "variance",
            "approx_distinct");
    private static final List<String> WINDOWS =
            List.of("row_number()", "rank()", "dense_rank()", "ntile(3)", "percent_rank()", "cume_dist()");

    private final RandomSchema schema;
    private final List<String> functions;

    RandomSelects(RandomSchema schema, List<String> functions) {
        this.schema = schema;
        this.functions = functions;
    }

    String query() {
        return query(DEPTH);
    }

    private String query(int depth) {
        if (depth > 0 && schema.chance(8)) {
            String operation = schema.pick(List.of("union all", "union", "intersect", "except", "except all"));
            return select(depth - 1, 2) + " " + operation + " " + select(depth - 1, 2);
        }
        if (depth > 0 && schema.chance(12)) {
            return "with w as (" + select(depth - 1, 2) + ") select * from w join w v on w.c = v.c";
        }
        return select(depth, 1 + schema.number(3));
    }

    private String select(int depth, int columns) {
        Relation relation = schema.relation();
        String from = relation.name() + " x" + (depth > 0 ? more(relation, depth) : "");
        boolean grouped = schema.chance(4);
        String group = "x." + schema.column(relation);
        List<String> items = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            String item = grouped ? i > 0 ? aggregate(relation, depth) : group : item(relation, depth);
            items.add(item + (i == 0 ? " as c" : " as d" + i));
        }
        String text = "select " + (schema.chance(8) ? "distinct " : "")
                + (schema.chance(8) ? "*" : String.join(", ", items)) + " from " + from;
        text += schema.chance(2) ? " where " + condition(relation, depth) : "";
        if (grouped) {
            text += " group by " + grouping(relation, group);
            text += schema.chance(3) ? " having " + aggregate(relation, 0) + " > 1" : "";
        }
        text += depth == DEPTH && schema.chance(3) ? order() : "";
        return text + (depth == DEPTH && schema.chance(4) ? " limit " + schema.number(4) : "");
    }

    private String order() {
        return schema.pick(List.of(" order by 1", " order by c desc nulls last", " sort by c", " distribute by c"));
    }

    private String grouping(Relation relation, String column) {
        return schema.pick(List.of(
                column,
                "1",
                column + " with rollup",
                column + ", x." + schema.column(relation) + " grouping sets ((" + column + "), ())",
                "cube(" + column + ")"));
    }

    private String item(Relation relation, int depth) {
        if (schema.chance(12)) {
            String function = schema.chance(2) ? schema.pick(WINDOWS) : aggregate(relation, 0);
            return function + " over (partition by x." + schema.column(relation) + " order by x."
                    + schema.column(relation) + schema.pick(List.of("", " rows 1 preceding", " range 2 preceding"))
                    + ")";
        }
        return value(relation, depth);
    }

    /** Returns more sources after the first one. */
    private String more(Relation relation, int depth) {
        return switch (schema.number(7)) {
            case 0, 1 -> {
                Relation other = schema.relation();
                yield " " + schema.pick(JOINS) + " " + other.name() + " y on " + joinCondition(relation, other, depth);
            }
            case 2 ->
                " lateral view " + schema.pick(List.of("", "outer ")) + "explode(" + collection(relation) + ") e as ec";
            case 3 -> " join (" + select(depth - 1, 2) + ") y on x." + schema.column(relation) + " = y.c";
            case 4 -> schema.chance(3) ? " tablesample(bucket 1 out of 2 on x." + schema.column(relation) + ") z" : "";
            default -> "";
        };
    }

    private String joinCondition(Relation relation, Relation other, int depth) {
        String equal = "x." + schema.column(relation) + " " + (schema.chance(5) ? schema.pick(COMPARISONS) : "=")
                + " y." + schema.column(other);
        return schema.chance(3) ? equal + schema.pick(List.of(" and ", " or ")) + condition(relation, depth) : equal;
    }

    private String collection(Relation relation) {
        return schema.chance(3) ? "x." + schema.column(relation) : schema.pick(List.of("array(1, 2)", "map(1, 'a')"));
    }

    String condition(Relation relation, int depth) {
        String value = value(relation, depth - 1);
        return switch (schema.number(12)) {
            case 0 -> value + " is " + schema.pick(List.of("", "not ")) + "null";
            case 1 -> value + schema.pick(List.of("", " not")) + " in (" + schema.value() + ", " + schema.value() + ")";
            case 2 -> value + " between " + schema.value() + " and " + schema.value();
            case 3 -> value + schema.pick(List.of(" like ", " rlike ", " not like ")) + "'%a_'";
            case 4 ->
                depth > 0 ? value + schema.pick(List.of("", " not")) + " in (" + select(depth - 1, 1) + ")" : value;
            case 5 -> depth > 0 ? exists(relation, depth) : value;
            case 6 ->
                depth > 0
                        ? value + " " + schema.pick(COMPARISONS) + " " + schema.pick(List.of("", "any ", "all ")) + "("
                                + select(depth - 1, 1) + ")"
                        : value;
            case 7 ->
                depth > 0
                        ? "(" + condition(relation, depth - 1) + schema.pick(List.of(" and ", " or "))
                                + condition(relation, depth - 1) + ")"
                        : value;
            case 8 -> depth > 0 ? "not (" + condition(relation, depth - 1) + ")" : value;
            default -> value + " " + schema.pick(COMPARISONS) + " " + value(relation, depth - 1);
        };
    }

    private String exists(Relation relation, int depth) {
        Relation other = schema.relation();
        return schema.pick(List.of("", "not ")) + "exists (select 1 from " + other.name() + " o where o."
                + schema.column(other) + " = x." + schema.column(relation)
                + (schema.chance(3) ? " and " + condition(relation, depth - 1) : "") + ")";
    }

    private String aggregate(Relation relation, int depth) {
        return schema.chance(6)
                ? "count(*)"
                : schema.pick(AGGREGATES) + "(" + (schema.chance(5) ? "distinct " : "") + value(relation, depth - 1)
                        + ")";
    }

    String value(Relation relation, int depth) {
        if (depth <= 0 || schema.chance(2)) {
            return schema.chance(4) ? schema.value() : "x." + schema.column(relation);
        }
        String first = value(relation, depth - 1);
        return switch (schema.number(9)) {
            case 0 -> "cast(" + first + " as " + schema.simpleType() + ")";
            case 1 -> "case when " + condition(relation, 0) + " then " + first + " else " + schema.value() + " end";
            case 2 -> "(" + first + " " + schema.pick(OPERATORS) + " " + value(relation, depth - 1) + ")";
            case 3 -> schema.pick(List.of("-", "~", "not ", "+")) + first;
            case 4 -> first + schema.pick(List.of("[0]", "['k']", ".x", "[1].y"));
            case 5 -> schema.chance(3) ? "(select max(c0) from " + schema.name() + ")" : first;
            case 6 -> function(relation, first, depth);
            default -> first;
        };
    }

    private String function(Relation relation, String first, int depth) {
        List<String> arguments = new ArrayList<>(List.of(first));
        int count = schema.number(4);
        while (arguments.size() < count) {
            arguments.add(value(relation, depth - 1));
        }
        return schema.pick(functions) + "(" + (count == 0 ? "" : String.join(", ", arguments)) + ")";
    }
}
