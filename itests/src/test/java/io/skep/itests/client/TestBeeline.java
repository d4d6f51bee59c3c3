package io.skep.itests.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.itests.server.SharedServer;
import io.skep.itests.server.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests the released Beeline as a process that is connected to a whole server. */
@ExtendWith(SharedServer.class)
final class TestBeeline {
    @Test
    void commandsAndQueries(TestServer server) throws Exception {
        ReleasedBeeline.Result result =
                ReleasedBeeline.run(server.jdbcUrl(), """
                create database beeline_test;
                use beeline_test;
                create table people (id int, name string) stored as orc;
                insert into people values (1, 'ann'), (2, null);
                select * from people order by id;
                !tables
                !describe people
                set skep.scheduler;
                select nothing from people;
                drop database beeline_test cascade;
                """, "--outputformat=csv2", "--force=true");
        assertThat(result.output())
                .contains("people.id,people.name", "1,ann", "2,NULL")
                .contains("beeline_test,people,TABLE")
                .contains("people,name,12,STRING")
                .contains("Invalid table alias or column reference 'nothing': (possible column names are: id, name)")
                .contains("state=42000,code=10004");
    }

    @Test
    void scripts(TestServer server, @TempDir Path folder) throws Exception {
        Path first = Files.writeString(folder.resolve("first.sql"), "set hivevar:greeting=good ${hivevar:part};\n");
        Path script = Files.writeString(folder.resolve("script.sql"), """
                -- what a report batch looks like
                select
                  '${greeting}' as greeting;
                select 'after; it' as semicolon;
                """);
        ReleasedBeeline.Result result = ReleasedBeeline.run(
                server.jdbcUrl(),
                "",
                "--outputformat=csv2",
                "--hivevar",
                "part=evening",
                "-i",
                first.toString(),
                "-f",
                script.toString());
        assertThat(result.output()).contains("greeting\ngood evening\n", "semicolon\nafter; it\n");
        assertThat(result.exitCode()).isZero();
    }
}
