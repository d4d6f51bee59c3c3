package io.skep.itests.faults;

import java.sql.SQLException;
import java.sql.Statement;

/**
 * A table of groups, and queries that join all rows of a group with each other and evaluate each pair. A query takes
 * seconds. A small table is read at the homes of its files. With this number of files both of two daemons are home to
 * some, except in one of 20,000 tables.
 */
final class Pairs {
    private static final int FILES = 16;
    private static final int ROWS = 240_000;
    private static final int GROUPS = 600;
    private static final long MEMBERS = (long) ROWS / GROUPS;

    private static final String PAIRS = "FROM numbers x JOIN numbers y ON x.g = y.g WHERE x.a * y.a >= 0";

    /** The answer of both queries that return one number. */
    static final long COUNT = GROUPS * MEMBERS * MEMBERS;

    static final String COUNTED = "SELECT count(*) " + PAIRS;
    static final String GROUPED = "SELECT sum(n) FROM (SELECT x.a, count(*) n " + PAIRS + " GROUP BY x.a) t";
    static final String WRITTEN = "INSERT INTO written SELECT x.a, count(*) " + PAIRS + " GROUP BY x.a";
    static final String MANY_ROWS = "SELECT x.a, y.a " + PAIRS;

    /** A query on all daemons whose groups do not fit into little memory. */
    static final String SPILLING = "SELECT count(*) FROM (SELECT DISTINCT a, g FROM numbers) t";

    static final long ALL_ROWS = ROWS;

    /** A cheap query of which each daemon runs a part. */
    static final String SUM = "SELECT sum(a) FROM numbers";

    static final long TOTAL = ALL_ROWS * (ALL_ROWS - 1) / 2;

    private Pairs() {}

    static void load(Statement statement) throws SQLException {
        statement.execute("CREATE TABLE numbers (a BIGINT, g INT) PARTITIONED BY (part INT) STORED AS ORC");
        statement.execute("INSERT INTO numbers PARTITION (part) SELECT pos, pos % " + GROUPS + ", pos % " + FILES
                + " FROM (SELECT posexplode(split(space(" + (ROWS - 1) + "), ' '))) t");
    }
}
