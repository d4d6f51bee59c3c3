package io.skep.itests.faults;

import java.sql.SQLException;
import java.sql.Statement;

/**
 * A table of groups, and queries in which the rows of one group meet all others of it and each pair is looked at: seconds of work. A
 * small table is read where its files are at home; of so many files two daemons both have some, but in one of 20,000 tables.
 */
final class Pairs {
    private static final int FILES = 16;
    private static final int ROWS = 240_000;
    private static final int GROUPS = 600;
    private static final long MEMBERS = (long) ROWS / GROUPS;

    private static final String PAIRS = "FROM numbers x JOIN numbers y ON x.g = y.g WHERE x.a * y.a >= 0";

    /** What both queries for one number give. */
    static final long COUNT = GROUPS * MEMBERS * MEMBERS;

    static final String COUNTED = "SELECT count(*) " + PAIRS;
    static final String GROUPED = "SELECT sum(n) FROM (SELECT x.a, count(*) n " + PAIRS + " GROUP BY x.a) t";
    static final String WRITTEN = "INSERT INTO written SELECT x.a, count(*) " + PAIRS + " GROUP BY x.a";
    static final String MANY_ROWS = "SELECT x.a, y.a " + PAIRS;

    /** Groups that do not fit into little memory, on all daemons. */
    static final String SPILLING = "SELECT count(*) FROM (SELECT DISTINCT a, g FROM numbers) t";

    static final long ALL_ROWS = ROWS;

    /** Little work, of which each daemon has a part. */
    static final String SUM = "SELECT sum(a) FROM numbers";

    static final long TOTAL = ALL_ROWS * (ALL_ROWS - 1) / 2;

    private Pairs() {}

    static void load(Statement statement) throws SQLException {
        statement.execute("CREATE TABLE numbers (a BIGINT, g INT) PARTITIONED BY (part INT) STORED AS ORC");
        statement.execute("INSERT INTO numbers PARTITION (part) SELECT pos, pos % " + GROUPS + ", pos % " + FILES
                + " FROM (SELECT posexplode(split(space(" + (ROWS - 1) + "), ' '))) t");
    }
}
