package io.skep.itests.external;

import static io.skep.itests.server.AuthorizedServer.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skep.itests.client.OlderJava;
import io.skep.itests.server.AuthorizedServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scratch. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(3600)
final class TestSparkSource {
    private AuthorizedServer site;
    private Connection root;

    @BeforeAll
    void open(@TempDir Path folder) throws Exception {
        Optional<Path> java = OlderJava.find();
        assumeTrue(java.isPresent(), "no Java 17");
        site = AuthorizedServer.start(folder, List.of("root", "ann"), "secret", Map.of("skep.flight.port", "0"));
        root = site.connect("root");
        run(root, "set role admin");
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
        run(root, "create table own (a int, b string) stored as orc");
        run(root, "insert into own values (1, 'x')");
        run(root, "grant select (a) on table own to user ann");
        run(root, "grant select on table many to user ann");
        run(root, "grant select on table kinds to user ann");
    }

    @Test
    void scratch() throws Exception {
        System.err.println("URL " + site.server().jdbcUrl());
        java.nio.file.Files.writeString(Path.of("/tmp/sp/url"), site.server().jdbcUrl());
        while (!java.nio.file.Files.exists(Path.of("/tmp/sp/stop"))) {
            Thread.sleep(500);
        }
    }

    @AfterAll
    void close() throws Exception {
        root.close();
        site.close();
    }
}
