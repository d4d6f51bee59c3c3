package io.skep.itests.external;

import static io.skep.itests.server.AuthorizedServer.run;

import java.sql.Connection;
import java.sql.SQLException;

/** Tables that programs outside of the server read in tests. */
final class ExternalTables {
    private ExternalTables() {}

    /** Creates {@code kinds} with columns of most types, and {@code many} with 30,000 rows. */
    static void create(Connection root) throws SQLException {
        run(
                root,
                "create table kinds (b boolean, t tinyint, s smallint, i int, l bigint, d double, x string,"
                        + " v varchar(5), c char(4), y binary, dt date, ts timestamp, p decimal(10,2), q decimal(30,5),"
                        + " a array<int>, st struct<k:int,w:string>) stored as orc");
        run(
                root,
                "insert into kinds select true, 1Y, 2S, 3, 4L, 1.5D, 'text', 'var', 'ch', cast('bin' as binary),"
                        + " date '2020-02-29', timestamp '1999-12-31 23:59:59.123456', 12.34,"
                        + " 1234567890123456789.12345, array(1, 2), named_struct('k', 7, 'w', 'seven')"
                        + " union all select null, null, null, null, null, null, null, null, null, null, null, null,"
                        + " null, null, null, null"
                        + " union all select false, -1Y, -2S, -3, -4L, -1.5D, '', 'ÄÖ', 'é', cast('' as binary),"
                        + " date '0001-01-01', timestamp '1900-01-01 00:00:00', -0.01, -0.00001,"
                        + " array(cast(null as int)), named_struct('k', -7, 'w', '')");
        run(root, "create table many (n bigint, part int, w string) stored as orc");
        run(
                root,
                "insert into many select pos, cast(pos % 7 as int), concat('w', cast(pos as string))"
                        + " from (select posexplode(split(space(29999), ' ')) as (pos, e)) s");
    }

    /**
     * Creates {@code sales.secrets} with a row filter and a mask. A user may read {@code id} and {@code name} of it.
     */
    static void createSecrets(Connection root, String user) throws SQLException {
        run(root, "create database sales");
        run(root, "create table sales.secrets (id int, ward string, name string) stored as orc");
        run(root, "insert into sales.secrets values (1, 'A', 'Ada'), (2, 'B', 'Bob'), (3, 'A', 'Abe')");
        run(root, "alter table sales.secrets set row filter (ward = 'A')");
        run(root, "alter table sales.secrets alter column name set mask (concat('*', id))");
        run(root, "grant select (id, name) on table sales.secrets to user " + user);
    }
}
