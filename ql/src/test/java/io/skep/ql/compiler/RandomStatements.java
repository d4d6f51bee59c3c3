package io.skep.ql.compiler;

import io.skep.ql.compiler.RandomSchema.Relation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Random statements of all kinds over a schema that they change. Some are damaged. */
final class RandomStatements {
    /** Functions that wait, or that call code outside of the engine. */
    private static final Set<String> LEFT_OUT = Set.of("sleep", "reflect", "reflect2", "java_method", "in_file");

    private final SplittableRandom random;
    private final RandomSchema schema;
    private final RandomSelects selects;
    private final List<String> files;

    /**
     * @param functions the functions that queries call
     * @param files the files to load
     */
    RandomStatements(long seed, Set<String> functions, List<String> files) {
        this.files = List.copyOf(files);
        this.random = new SplittableRandom(seed);
        this.schema = new RandomSchema(random);
        Set<String> called = new TreeSet<>(functions);
        called.removeAll(LEFT_OUT);
        called.removeIf(name -> !name.matches("[a-z_][a-z_0-9]*"));
        this.selects = new RandomSelects(schema, List.copyOf(called));
    }

    String next() {
        String statement = statement();
        return schema.chance(25) ? damaged(statement) : statement;
    }

    /** Removes a word, repeats one, or swaps two. */
    private String damaged(String statement) {
        List<String> words = new ArrayList<>(Arrays.asList(statement.split(" ")));
        int at = random.nextInt(words.size());
        switch (random.nextInt(3)) {
            case 0 -> words.remove(at);
            case 1 -> words.add(at, words.get(random.nextInt(words.size())));
            default -> words.set(at, words.set(random.nextInt(words.size()), words.get(at)));
        }
        return String.join(" ", words);
    }

    private String statement() {
        return switch (random.nextInt(40)) {
            case 0, 1, 2, 3 -> createTable();
            case 4, 5 -> createView();
            case 6, 7, 8, 9, 10 -> insert();
            case 11, 12, 13, 14, 15, 16 -> alterTable();
            case 17 -> alterView();
            case 18 -> analyze();
            case 19, 20 -> explain();
            case 21, 22 -> describe();
            case 23, 24 -> show();
            case 25 -> drop();
            case 26 -> other();
            case 27 -> session();
            case 28, 29 -> load();
            default -> selects.query();
        };
    }

    private String createTable() {
        List<String> columns = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
            names.add("c" + i);
            columns.add("c" + i + " " + schema.type() + (schema.chance(8) ? " comment 'why'" : ""));
        }
        List<String> keys = schema.chance(2) ? List.of() : schema.chance(3) ? List.of("p0", "p1") : List.of("p0");
        List<String> typedKeys =
                keys.stream().map(key -> key + " " + schema.simpleType()).toList();
        String source = schema.name();
        String name = schema.create(names, keys).name();
        if (schema.chance(8)) {
            schema.create(List.of("c"), List.of());
            return "create table " + name + " stored as " + schema.format() + " as " + selects.query();
        }
        if (schema.chance(8)) {
            return "create table " + name + " like " + source;
        }
        return "create " + schema.pick(List.of("", "", "", "temporary ", "external ")) + "table "
                + schema.pick(List.of("", "if not exists ")) + name + " (" + String.join(", ", columns) + ")"
                + (keys.isEmpty() ? "" : " partitioned by (" + String.join(", ", typedKeys) + ")")
                + (schema.chance(8) ? " clustered by (c0) into 2 buckets" : "")
                + " stored as " + schema.format()
                + (schema.chance(8) ? " tblproperties ('k' = 'v', 'skip.header.line.count' = '1')" : "");
    }

    private String createView() {
        String query = selects.query();
        return "create " + schema.pick(List.of("", "or replace ")) + "view "
                + schema.create(List.of("c", "d1"), List.of()).name() + " as " + query;
    }

    private String insert() {
        Relation target = schema.relation();
        String start = "insert " + schema.pick(List.of("into ", "overwrite ")) + "table " + target.name();
        List<String> rows = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(2); i++) {
            List<String> values = new ArrayList<>();
            int width =
                    target.columns().size() + (schema.chance(3) ? target.keys().size() : 0);
            for (int column = 0; column < width; column++) {
                values.add(schema.value());
            }
            rows.add("(" + String.join(", ", values) + ")");
        }
        return switch (random.nextInt(6)) {
            case 0 -> start + " " + selects.query();
            case 1 -> start + schema.optionalPartition(target) + " " + selects.query();
            case 2 ->
                "from " + schema.name() + " x " + start + schema.optionalPartition(target) + " select x.* insert into "
                        + schema.name() + " select x.c0";
            case 3 -> start + " partition (p0) select *, 1 from " + schema.name();
            case 4 -> start + " values " + String.join(", ", rows);
            default -> start + schema.optionalPartition(target) + " values " + String.join(", ", rows);
        };
    }

    private String alterTable() {
        Relation table = schema.relation();
        String partition = schema.optionalPartition(table);
        String column = schema.column(table);
        return "alter table " + table.name()
                + switch (random.nextInt(18)) {
                    case 0 -> " add columns (c" + random.nextInt(6) + " " + schema.type() + ")";
                    case 1 -> " replace columns (c0 " + schema.type() + ", c1 " + schema.type() + ")";
                    case 2, 3, 4 ->
                        " change " + column + " " + column + " " + schema.type() + schema.pick(List.of("", " first"));
                    case 5 -> " change " + column + " c" + random.nextInt(6) + " " + schema.type() + " after c0";
                    case 6 -> " rename to t" + random.nextInt(8);
                    case 7 -> " set tblproperties ('a' = 'b', 'numRows' = '5')";
                    case 8 -> partition + " set fileformat " + schema.format();
                    case 9, 10 -> " add if not exists " + schema.partition(table);
                    case 11 -> " drop if exists " + schema.partition(table);
                    case 12 -> " " + schema.partition(table) + " rename to " + schema.partition(table);
                    case 13 -> " exchange " + schema.partition(table) + " with table " + schema.name();
                    case 14 -> partition + " set serdeproperties ('field.delim' = ',')";
                    case 15 ->
                        partition
                                + schema.pick(List.of(" concatenate", " touch", " compact 'major'", " enable no_drop"));
                    case 16 -> " partition column (p0 " + schema.simpleType() + ")";
                    default -> partition + " change " + column + " " + column + " " + schema.type();
                };
    }

    private String alterView() {
        return "alter view " + schema.name()
                + schema.pick(List.of(" as " + selects.query(), " set tblproperties ('a' = 'b')", " rename to t1"));
    }

    private String analyze() {
        Relation table = schema.relation();
        return "analyze table " + table.name() + (schema.chance(2) ? schema.optionalPartition(table) : "")
                + " compute statistics"
                + schema.pick(List.of("", " noscan", " for columns", " for columns " + schema.column(table)));
    }

    private String explain() {
        String kind = schema.pick(
                List.of("", "extended ", "formatted ", "dependency ", "authorization ", "cbo ", "ast ", "locks "));
        return "explain " + kind + (schema.chance(4) ? insert() : selects.query());
    }

    private String describe() {
        Relation table = schema.relation();
        String start = "describe " + schema.pick(List.of("", "formatted ", "extended "));
        return switch (random.nextInt(5)) {
            case 0 -> start + table.name() + " " + schema.column(table);
            case 1 -> start + table.name() + schema.optionalPartition(table);
            case 2 -> "describe function " + schema.pick(List.of("extended upper", "nothing", "sum"));
            case 3 -> "describe database extended default";
            default -> start + table.name();
        };
    }

    private String show() {
        Relation table = schema.relation();
        return "show "
                + schema.pick(List.of(
                        "tables like 't*'",
                        "views",
                        "partitions " + table.name(),
                        "partitions " + table.name() + " where p0 > 0",
                        "columns in " + table.name(),
                        "create table " + table.name(),
                        "tblproperties " + table.name(),
                        "table extended like '" + table.name() + "'" + schema.optionalPartition(table),
                        "functions like 'a*'",
                        "databases",
                        "materialized views",
                        "create database default",
                        "locks " + table.name()));
    }

    private String drop() {
        return schema.pick(List.of("drop table if exists ", "drop view if exists ", "drop table ")) + schema.name();
    }

    private String other() {
        Relation table = schema.relation();
        String name = table.name();
        return schema.pick(List.of(
                "truncate table " + name + schema.optionalPartition(table),
                "msck repair table " + name + schema.pick(List.of("", " sync partitions", " drop partitions")),
                "lock table " + name + " shared",
                "unlock table " + name,
                "create temporary macro twice(x int) x * 2",
                "select twice(" + schema.value() + ")",
                "drop temporary macro if exists twice",
                "create temporary function f as 'no.such.Class'",
                "drop temporary function if exists f",
                "reload functions",
                "create database if not exists d comment 'd'",
                "alter database d set dbproperties ('a' = 'b')",
                "drop database if exists d cascade",
                "insert overwrite directory '/nowhere' " + selects.query(),
                "delete from " + name + " where c0 = 1",
                "update " + name + " set c0 = 1"));
    }

    /** Returns a LOAD, usually of a file with another format than the table's. */
    private String load() {
        Relation table = schema.relation();
        return "load data " + schema.pick(List.of("", "local ", "local ")) + "inpath '"
                + (schema.chance(12) ? "/nowhere" : schema.pick(files)) + "' "
                + schema.pick(List.of("", "overwrite ")) + "into table " + table.name()
                + schema.optionalPartition(table);
    }

    private String session() {
        return "set "
                + schema.pick(List.of(
                        "hive.exec.dynamic.partition.mode=nonstrict",
                        "hive.exec.dynamic.partition.mode=strict",
                        "hive.optimize.shared.work=false",
                        "hive.tez.dynamic.semijoin.reduction=false",
                        "hive.transpose.aggr.join=false",
                        "hive.groupby.position.alias=true",
                        "hive.support.quoted.identifiers=none",
                        "hive.mapred.mode=strict",
                        "hive.stats.autogather=false",
                        "hive.stats.column.autogather=false"));
    }
}
