package io.skep.itests.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.authentication.PasswordHash;
import io.skep.authentication.UserFile;
import io.skep.itests.client.ReleasedClient;
import io.skep.service.server.ServerOptions;
import io.skep.service.server.SkepServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Places a secret in every setting that may contain one, and checks that no client can read it. */
final class TestSecrets {
    private static final String SECRET = "pl4nted";

    private static final List<String> NAMES = List.of(
            "hive.server2.keystore.password",
            "hive.server2.webui.keystore.password",
            "hive.druid.metadata.password",
            "fs.s3a.access.key",
            "fs.s3a.secret.key",
            "fs.s3a.session.token",
            "fs.s3a.proxy.password",
            "fs.s3a.bucket.b.access.key",
            "fs.s3a.encryption.key",
            "fs.azure.account.key.store.blob.core.windows.net",
            "fs.azure.account.oauth2.client.secret",
            "fs.azure.sas.c.store.blob.core.windows.net",
            "fs.gs.auth.service.account.private.key",
            "dfs.adls.oauth2.credential",
            "hive.zookeeper.ssl.keystore.password",
            "hive.server2.authentication.ldap.bindpw",
            "ssl.server.keystore.keypassword",
            "some.vendors.apikey",
            "some.vendors.passphrase");

    @TempDir
    private Path folder;

    private static Map<String, String> planted() {
        Map<String, String> site = new LinkedHashMap<>();
        NAMES.forEach(name -> site.put(name, SECRET));
        site.put("some.vendors.url", "jdbc:postgresql://h/db?user=u&password=" + SECRET);
        site.put("other.vendors.url", "postgresql://u:" + SECRET + "@h/db");
        site.put("hive.tez.java.opts", "-Djavax.net.ssl.keyStorePassword=" + SECRET);
        return site;
    }

    @Test
    void noClientReadsThem() throws Exception {
        Map<String, String> site = planted();
        try (ReleasedClient client = ReleasedClient.open();
                SkepServer server = SkepServer.start(new ServerOptions(0, 0, folder.resolve("data"), site));
                Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            assertThat(all(statement, "set")).contains("some.vendors.url").doesNotContain(SECRET);
            assertThat(all(statement, "set -v")).doesNotContain(SECRET);
            for (String name : site.keySet()) {
                assertThat(all(statement, "set " + name)).doesNotContain(SECRET);
                assertThat(all(statement, "set hiveconf:" + name)).doesNotContain(SECRET);
                assertThat(all(statement, "select 'x${hiveconf:" + name + "}'")).doesNotContain(SECRET);
            }
            assertThat(all(statement, "set fs.s3a.secret.key")).isEqualTo("fs.s3a.secret.key is a hidden config\n");
            for (String page : List.of("api/settings", "api/queries", "api/sessions", "api/overview")) {
                assertThat(get(server.uiUrl() + page)).doesNotContain(SECRET);
            }
            assertThat(get(server.uiUrl() + "api/settings")).contains("fs.s3a.secret.key", "(hidden)");
        }
    }

    @Test
    void errorsOfStatementsDoNotTellThem() throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                SkepServer server = SkepServer.start(new ServerOptions(0, 0, folder.resolve("data"), planted()));
                Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("create table t (a int)");
            for (String sql : List.of(
                    "load data inpath 's3a://AKIA:" + SECRET + "@bucket/x' into table t",
                    "create external table e (a int) location 'none://u:" + SECRET + "@h/x'",
                    "add jar hdfs://u:" + SECRET + "@h/x.jar",
                    "select cast(1 as int) from `x?password=" + SECRET + "`",
                    "set skep.query.max-memory=x?password=" + SECRET)) {
                assertThatThrownBy(() -> statement.execute(sql))
                        .isInstanceOf(SQLException.class)
                        .satisfies(
                                e -> assertThat(String.valueOf(e.getMessage())).doesNotContain(SECRET));
            }
        }
    }

    @Test
    void theLogOfAServerWithoutItsDatabaseDoesNotTellThem() throws Exception {
        Map<String, String> site = planted();
        site.put("javax.jdo.option.ConnectionURL", "jdbc:postgresql://127.0.0.1:1/m?user=u&password=" + SECRET);
        site.put("javax.jdo.option.ConnectionDriverName", "org.postgresql.Driver");
        site.put("javax.jdo.option.ConnectionPassword", SECRET);
        assertThatThrownBy(() -> ServerProcess.start(folder.resolve("data"), site))
                .isInstanceOf(IOException.class);
        assertThat(Files.readString(folder.resolve("data.log")))
                .contains("jdbc:postgresql://127.0.0.1:1/m")
                .doesNotContain(SECRET);
    }

    @Test
    void theLogOfAServerThatWorksDoesNotTellThem() throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                ServerProcess server = ServerProcess.start(folder.resolve("data"), planted());
                Connection connection = client.connect(server.url());
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute(
                            "create external table e (a int) location 's3a://u:" + SECRET + "@none.invalid/x'"))
                    .isInstanceOf(SQLException.class);
            String conf = folder.resolve("data.conf").toString();
            for (String closed : List.of(conf, conf + "/hive-site.xml")) {
                assertThatThrownBy(() -> statement.execute("create external table e (a int) location '" + closed + "'"))
                        .hasMessageContaining("statements may not use the path");
            }
        }
        assertThat(Files.readString(folder.resolve("data.log"))).isNotEmpty().doesNotContain(SECRET);
    }

    /** Looks at the log, at all files of the server and at its command line, after good and bad logins. */
    @Test
    void passwordsOfClientsAreLeftNowhere() throws Exception {
        Path users = folder.resolve("users");
        new UserFile(users).change(file -> file.put("ann", PasswordHash.of(SECRET)));
        Map<String, String> site = Map.of(
                "hive.server2.authentication",
                "FILE",
                "skep.authentication.user-file",
                users.toString(),
                "hive.server2.transport.mode",
                "all",
                "hive.server2.thrift.http.port",
                "0");
        Path data = folder.resolve("data");
        try (ReleasedClient client = ReleasedClient.open();
                ServerProcess server = ServerProcess.start(data, site)) {
            try (Connection connection = client.connect(server.url() + ";user=ann;password=" + SECRET);
                    Statement statement = connection.createStatement()) {
                statement.execute("create table t (a int)");
                assertThat(all(statement, "set")).doesNotContain(SECRET);
            }
            assertThatThrownBy(() -> client.connect(server.url() + ";user=ann;password=no" + SECRET)
                            .close())
                    .isInstanceOf(SQLException.class)
                    .hasStackTraceContaining("Error validating the login");
            assertThat(get(server.uiUrl() + "api/queries")).doesNotContain("create table");
            Path commandLine = Path.of("/proc/" + server.process().pid() + "/cmdline");
            if (Files.exists(commandLine)) {
                assertThat(Files.readString(commandLine)).doesNotContain(SECRET);
            }
        }
        assertThat(Files.readString(folder.resolve("data.log")))
                .contains("the login of ann from 127.0.0.1 is refused")
                .doesNotContain(SECRET);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(SECRET);
            }
        }
    }

    @Test
    void functionsThatRunAnyCodeAreOff() throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                SkepServer server = SkepServer.start(new ServerOptions(0, 0, folder.resolve("data"), Map.of()));
                Connection connection = client.connect(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            for (String call : List.of(
                    "reflect('java.lang.System', 'getenv', 'PATH')",
                    "reflect2(1, 'toString')",
                    "java_method('java.lang.Math', 'max', 1, 2)",
                    "in_file('x', '/etc/passwd')")) {
                String name = call.substring(0, call.indexOf('('));
                assertThatThrownBy(() -> statement.execute("select " + call))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("UDF " + name + " is not allowed");
            }
            assertThatThrownBy(() -> statement.execute("create temporary function r as"
                            + " 'org.apache.hadoop.hive.ql.udf.generic.GenericUDFReflect'"))
                    .hasMessageContaining("UDF r is not allowed");
            assertThatThrownBy(() -> statement.execute("set hive.tez.java.opts=-XX:OnOutOfMemoryError=id"))
                    .hasMessageContaining("Cannot modify hive.tez.java.opts at runtime");
            String restricted = server.jdbcUrl() + "?hive.security.authorization.enabled=true";
            assertThatThrownBy(() -> client.connect(restricted).close())
                    .hasStackTraceContaining("Cannot modify hive.security.authorization.enabled at runtime");
            String ofServer = server.jdbcUrl() + "?skep.commit.fsync=false";
            assertThatThrownBy(() -> client.connect(ofServer).close())
                    .hasStackTraceContaining("Cannot modify skep.commit.fsync at runtime");
            assertThat(all(statement, "show functions like 'reflect'")).isEqualTo("reflect\n");
        }
    }

    private static String all(Statement statement, String sql) throws SQLException {
        StringBuilder rows = new StringBuilder();
        try (ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                rows.append(result.getString(1)).append('\n');
            }
        }
        return rows.toString();
    }

    private static String get(String uri) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString())
                    .body();
        }
    }
}
