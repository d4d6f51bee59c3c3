package io.skep.ql.compiler;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Names and types that random statements use. The columns that it records for a table may have changed, or may never
 * have existed: statements that are rejected are part of the test.
 */
public final class RandomSchema {
    public static final List<String> FORMATS =
            List.of("textfile", "orc", "parquet", "avro", "rcfile", "sequencefile", "jsonfile");
    private static final List<String> SIMPLE = List.of(
            "int",
            "bigint",
            "tinyint",
            "smallint",
            "double",
            "float",
            "decimal(10,2)",
            "decimal(38,18)",
            "string",
            "varchar(5)",
            "char(3)",
            "boolean",
            "date",
            "timestamp",
            "binary");
    private static final List<String> VALUES = List.of(
            "1",
            "0",
            "-7",
            "3.5",
            "1e10",
            "2147483648",
            "'a'",
            "''",
            "'12'",
            "'2024-02-29'",
            "null",
            "true",
            "date '2020-01-31'",
            "timestamp '2021-12-31 23:59:59.5'",
            "interval '3' day",
            "12L",
            "1.25BD",
            "array(1, 2)",
            "map('k', 1)",
            "named_struct('x', 1, 'y', 'b')");

    private final SplittableRandom random;
    private final List<Relation> relations = new ArrayList<>();

    RandomSchema(SplittableRandom random) {
        this.random = random;
    }

    /** A table or view as it was created. */
    record Relation(String name, List<String> columns, List<String> keys) {}

    Relation relation() {
        return relations.isEmpty() ? new Relation("t0", List.of("c0"), List.of()) : pick(relations);
    }

    Relation create(List<String> columns, List<String> keys) {
        Relation created = new Relation("t" + random.nextInt(8), List.copyOf(columns), List.copyOf(keys));
        relations.removeIf(one -> one.name().equals(created.name()));
        relations.add(created);
        return created;
    }

    String name() {
        return chance(10) ? "t" + random.nextInt(8) : relation().name();
    }

    /** Returns a column's name, usually one of that relation. */
    String column(Relation relation) {
        if (chance(25)) {
            return "c" + random.nextInt(6);
        }
        return !relation.keys().isEmpty() && chance(4) ? pick(relation.keys()) : pick(relation.columns());
    }

    String type() {
        return switch (random.nextInt(14)) {
            case 0 -> "array<" + type() + ">";
            case 1 -> "map<" + pick(SIMPLE) + "," + type() + ">";
            case 2 -> "struct<x:" + type() + ",y:" + pick(SIMPLE) + ">";
            case 3 -> chance(4) ? "uniontype<int," + pick(SIMPLE) + ">" : "string";
            default -> pick(SIMPLE);
        };
    }

    String simpleType() {
        return pick(SIMPLE);
    }

    String value() {
        return pick(VALUES);
    }

    String format() {
        return pick(FORMATS);
    }

    /** Returns a partition of a relation, sometimes an incomplete or an impossible one. */
    String partition(Relation relation) {
        List<String> keys = relation.keys().isEmpty() || chance(30) ? List.of("p0") : relation.keys();
        List<String> parts = new ArrayList<>();
        for (String key : chance(8) ? keys.subList(0, 1) : keys) {
            parts.add(key + " = " + (chance(3) ? "'" + random.nextInt(3) + "'" : chance(6) ? value() : "1"));
        }
        return "partition (" + String.join(", ", parts) + ")";
    }

    String optionalPartition(Relation relation) {
        return relation.keys().isEmpty() ? chance(20) ? " " + partition(relation) : "" : " " + partition(relation);
    }

    /** Returns true once in this number of times on average. */
    boolean chance(int times) {
        return random.nextInt(times) == 0;
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
