package io.skep.itests.hive;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tables of every kind in a database, as statements that both engines support, and the queries to run on each table.
 */
final class RoundTripTables {
    private static final List<String> FORMATS =
            List.of("textfile", "orc", "parquet", "avro", "rcfile", "sequencefile", "jsonfile");
    private static final List<String> BUCKETED_FORMATS = List.of("orc", "parquet", "textfile");
    private static final int SEEDS = 24;

    /** The columns of all tables without partitions. Hive's RCFile rejects an empty binary value. */
    private static final Map<String, String> COLUMNS = columns(
            "i int: case when n % 7 = 3 then null else cast(n * 37 as int) end",
            "b bigint: case n when 1 then 9223372036854775807L when 2 then -9223372036854775807L else n"
                    + " * 1000000007L end",
            "s string: case n % 5 when 0 then '' when 1 then 'a b' when 2 then '\u4e2d\u6587' when 3 then null"
                    + " else concat('text ', n) end",
            "v varchar(6): cast(concat('varchar ', n) as varchar(6))",
            "c char(5): cast(concat('c', n) as char(5))",
            "d decimal(10,2): case when n % 6 = 5 then null else cast(n * 1.25 as decimal(10,2)) end",
            "e decimal(38,18): cast(concat(n - 5, '.5') as decimal(38,18))",
            "dt date: date_add(cast('2020-02-20' as date), n)",
            "ts timestamp: cast(concat('2021-03-04 05:06:', lpad(cast(n as string), 2, '0'),"
                    + " '.123456789') as timestamp)",
            "f float: cast(n / 4 as float)",
            "g double: n / 8",
            "o boolean: case when n % 9 = 4 then null else n % 2 = 0 end",
            "t tinyint: cast(n - 12 as tinyint)",
            "m smallint: cast(n * 100 as smallint)",
            "x binary: cast(concat('bin', n) as binary)",
            "a array<int>: case when n % 4 != 0 then array(n, cast(null as int), n + 1) end",
            "p map<string,int>: map('k', n)",
            "r struct<x:int,y:string>: named_struct('x', n, 'y', concat('y', n))");

    /** NULL and an empty text belong to the same partition. Hive fails if they reach one task one after the other. */
    private static final String KEY = "case when s = '' then 'empty' else s end";

    private final String database;
    private final Map<String, List<String>> questions = new LinkedHashMap<>();
    private final List<String> appends = new ArrayList<>();
    private final List<String> statements = new ArrayList<>();

    /** @param file a file with lines "number,text", which is loaded */
    RoundTripTables(String database, Path file) {
        this.database = database;
        statements.addAll(List.of(
                "create database " + database,
                "use " + database,
                "set hive.exec.dynamic.partition.mode=nonstrict",
                "create table seeds (n int) stored as textfile",
                "insert into seeds values " + seeds(),
                "create table src (" + definitions() + ") stored as orc",
                "insert into src select " + String.join(", ", COLUMNS.values()) + " from seeds"));
        for (String format : FORMATS) {
            plain(format);
            partitioned(format);
        }
        for (String format : BUCKETED_FORMATS) {
            bucketed(format, 1);
            bucketed(format, 2);
        }
        loaded(file);
        others();
    }

    private static Map<String, String> columns(String... columns) {
        Map<String, String> all = new LinkedHashMap<>();
        for (String column : columns) {
            int colon = column.indexOf(": ");
            all.put(column.substring(0, colon), column.substring(colon + 2));
        }
        return all;
    }

    private static String definitions() {
        return String.join(", ", COLUMNS.keySet());
    }

    private static String seeds() {
        List<String> rows = new ArrayList<>();
        for (int n = 0; n < SEEDS; n++) {
            rows.add("(" + n + ")");
        }
        return String.join(", ", rows);
    }

    private void add(String table, List<String> made, String append, List<String> asked) {
        statements.addAll(made);
        if (!append.isEmpty()) {
            appends.add(append);
        }
        List<String> all = new ArrayList<>(List.of("select * from " + named(table)));
        all.addAll(asked);
        questions.put(table, List.copyOf(all));
    }

    private String named(String table) {
        return database + "." + table;
    }

    private void plain(String format) {
        String table = "t_" + format;
        add(
                table,
                List.of(
                        "create table " + table + " (" + definitions() + ") stored as " + format,
                        "insert into " + table + " select * from src",
                        "insert into " + table + " select * from src where i < 100",
                        "analyze table " + table + " compute statistics",
                        "analyze table " + table + " compute statistics for columns i, b, s, d, dt, f, g, o"),
                "insert into " + named(table) + " select * from " + named("src") + " where t < -5",
                List.of(
                        "select count(*), sum(i), max(s), min(dt), max(ts) from " + named(table),
                        "describe formatted " + named(table) + " i",
                        "describe formatted " + named(table) + " s",
                        "describe formatted " + named(table) + " d",
                        "describe formatted " + named(table) + " dt",
                        "describe formatted " + named(table) + " g",
                        "describe formatted " + named(table) + " o"));
    }

    private void partitioned(String format) {
        String table = "p_" + format;
        add(
                table,
                List.of(
                        "create table " + table + " (i int, d decimal(10,2), r struct<x:int,y:string>)"
                                + " partitioned by (k string, j int) stored as " + format,
                        "insert into " + table + " partition (k, j) select i, d, r, " + KEY
                                + ", cast(t % 2 as int) from src",
                        "insert into " + table
                                + " partition (k = 'x y/z:1', j = 5) select i, d, r from src where i < 300",
                        "insert overwrite table " + table
                                + " partition (k = 'x y/z:1', j) select i, d, r, cast(5 as int) from src where i < 200",
                        "insert overwrite table " + table + " partition (k = 'a b', j) select i, d, r, cast(1 as int)"
                                + " from src where s = 'a b'",
                        "analyze table " + table + " compute statistics for columns"),
                "insert into " + named(table) + " partition (k, j) select i, d, r, " + KEY
                        + ", cast(t % 2 as int) from " + named("src") + " where t < -5",
                List.of(
                        "show partitions " + named(table),
                        "select count(*), sum(i), min(d) from " + named(table) + " where k = 'a b'",
                        "select k, j, count(*) from " + named(table) + " where k is null or j = 5 group by k, j",
                        "describe formatted " + named(table) + " d",
                        "describe formatted " + named(table) + " i"));
    }

    /** Adds tables that are bucketed by one column, by two columns with sorting, and within partitions. */
    private void bucketed(String format, int version) {
        String suffix = format + version;
        String properties = " stored as " + format + " tblproperties ('bucketing_version' = '" + version + "')";
        for (String by : List.of("i", "s", "d")) {
            String table = "b_" + by + "_" + suffix;
            add(
                    table,
                    List.of(
                            "create table " + table + " (i int, s string, d decimal(10,2)) clustered by (" + by
                                    + ") into 4 buckets" + properties,
                            "insert into " + table + " select i, s, d from src"),
                    "insert into " + named(table) + " select i, s, d from " + named("src") + " where t < -5",
                    asked(table));
        }
        String sorted = "bs_" + suffix;
        add(
                sorted,
                List.of(
                        "create table " + sorted
                                + " (i int, s string, d decimal(10,2)) clustered by (i, s) sorted by (i) into 3 buckets"
                                + properties,
                        "insert overwrite table " + sorted + " select i, s, d from src"),
                "",
                asked(sorted));
        String partitioned = "bp_" + suffix;
        add(
                partitioned,
                List.of(
                        "create table " + partitioned + " (i int, d decimal(10,2)) partitioned by (s string)"
                                + " clustered by (i) sorted by (i desc) into 2 buckets" + properties,
                        "insert into " + partitioned + " partition (s) select i, d, " + KEY + " from src",
                        "insert overwrite table " + partitioned + " partition (s = 'a b') select i, d from src"),
                "insert into " + named(partitioned) + " partition (s) select i, d, " + KEY + " from " + named("src")
                        + " where t < -5",
                asked(partitioned));
    }

    /**
     * Returns queries for the file in which each row is, and for rows that Hive searches only in the files of one
     * bucket.
     */
    private List<String> asked(String table) {
        return List.of(
                "select distinct regexp_extract(input__file__name, '/0*([0-9]+)_0[^/]*$', 1), i, s, d from "
                        + named(table),
                "select count(*) from " + named(table) + " where i = 37",
                "select count(*) from " + named(table) + " where i = 185 and s = ''",
                "select count(*) from " + named(table) + " where s = 'a b'",
                "select count(*) from " + named(table) + " where d = 5");
    }

    private void loaded(Path file) {
        add(
                "loaded",
                List.of(
                        "create table loaded (n int, w string) row format delimited fields terminated by ','",
                        "load data local inpath '" + file + "' into table loaded",
                        "load data local inpath '" + file + "' into table loaded"),
                "load data local inpath '" + file + "' into table " + named("loaded"),
                List.of());
        add(
                "loadedp",
                List.of(
                        "create table loadedp (n int, w string) partitioned by (k date)"
                                + " row format delimited fields terminated by ','",
                        "load data local inpath '" + file + "' into table loadedp partition (k = '2020-01-01')",
                        "load data local inpath '" + file
                                + "' overwrite into table loadedp partition (k = '2020-01-01')"),
                "load data local inpath '" + file + "' overwrite into table " + named("loadedp")
                        + " partition (k = '2020-01-02')",
                List.of("show partitions " + named("loadedp")));
    }

    private void others() {
        add(
                "ext",
                List.of(
                        "create external table ext (i int, s string) row format delimited fields terminated by '|'",
                        "insert into ext select i, s from src"),
                "insert into " + named("ext") + " select i, s from " + named("src") + " where t > 5",
                List.of());
        add(
                "ctas",
                List.of("create table ctas stored as parquet as select i, s, d, a from src where i is not null"),
                "insert overwrite table " + named("ctas") + " select i, s, d, a from " + named("ctas")
                        + " where i > 100",
                List.of("select sum(i) from " + named("ctas")));
        add(
                "ctasp",
                List.of("create table ctasp partitioned by (s) stored as orc as select i, d, " + KEY + " s from src"),
                "",
                List.of("show partitions " + named("ctasp")));
        add(
                "grown",
                List.of(
                        "create table grown (i int) stored as orc",
                        "insert into grown select i from src where i < 100",
                        "alter table grown add columns (s string)",
                        "insert into grown select i, s from src where i > 300"),
                "insert into " + named("grown") + " select i, 'more' from " + named("src") + " where i = 37",
                List.of());
        add(
                "emptied",
                List.of(
                        "create table emptied (i int) partitioned by (k int) stored as orc",
                        "from src insert into emptied partition (k = 1) select i insert into emptied partition (k = 2)"
                                + " select i where i > 100",
                        "truncate table emptied partition (k = 1)"),
                "truncate table " + named("emptied") + " partition (k = 2)",
                List.of("show partitions " + named("emptied")));
        add(
                "seen",
                List.of("create view seen as select s, count(*) c, sum(d) t from " + named("t_orc") + " group by s"),
                "",
                List.of());
    }

    /** Returns the statements that create the tables and fill them. */
    List<String> statements() {
        return List.copyOf(statements);
    }

    /** Returns one additional write to each table, which may run from any database. */
    List<String> appends() {
        return List.copyOf(appends);
    }

    /** Returns the queries by table. */
    Map<String, List<String>> questions() {
        return Map.copyOf(questions);
    }
}
