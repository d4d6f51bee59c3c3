package io.skep.service.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.KnownSettings;
import io.skep.common.config.Property;
import io.skep.common.config.SettingsReference;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.authorize.AuthorizerPlugin;
import io.skep.ql.session.HiveSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hive.conf.HiveConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestServerConfig {
    private static final Path DATA = Path.of("/nowhere");

    @Test
    void referenceInConfIsThatOfTheCode() throws Exception {
        Path home = Path.of(Objects.requireNonNull(System.getProperty("skep.home"), "skep.home is not set"));
        Path current = home.resolve("service/target/server-settings.md");
        Files.createDirectories(Objects.requireNonNull(current.getParent()));
        Files.writeString(current, reference());
        assertThat(Files.readString(home.resolve("conf/server-settings.md")))
                .as("conf/server-settings.md, which must equal " + current)
                .isEqualTo(reference());
    }

    private static String reference() {
        return "# Settings of the server\n\nSet in hive-site.xml or skep-site.xml of the folder given"
                + " by `--conf`. `auto` is derived from the machine."
                + " A setting under `skep.` that is\nnot here is refused.\n\n"
                + SettingsReference.table(ServerSettings.OF_THE_START)
                + "\n# Settings of sessions\n\nSet as above for all, by `SET`,"
                + " or in the connection's URL for one session.\n\n"
                + SettingsReference.table(ServerSettings.OF_SESSIONS);
    }

    @Test
    void defaultsListenOnTheLoopback() {
        ServerConfig config = ServerConfig.of(Map.of(), DATA);
        assertThat(config.port()).isEqualTo(10000);
        assertThat(config.bindHost()).isEqualTo("127.0.0.1");
        assertThat(config.uiPort()).isEqualTo(10002);
        assertThat(config.wire().maxMessageBytes()).isEqualTo(100 << 20);
        assertThat(config.wire().sasl()).isTrue();
        assertThat(config.wire().longPoll()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.sessions().idleSession()).isEqualTo(Duration.ofHours(4));
        assertThat(config.sessions().idleOperation()).isEqualTo(Duration.ofHours(2));
        assertThat(config.metastore().warehouse()).isEqualTo("file:/nowhere/warehouse");
    }

    @Test
    void allThatIsWrongIsToldAtOnce() {
        assertThatThrownBy(() -> ServerConfig.of(
                        Map.of(
                                "hive.server2.thrift.port", "x",
                                "hive.server2.webui.port", "65536",
                                "hive.server2.authentication", "PIGEONS",
                                "hive.server2.transport.mode", "pigeon",
                                "hive.llap.daemon.num.executors", "none",
                                "datanucleus.connectionPool.maxPoolSize", "1",
                                "skep.operator.max-memroy", "7"),
                        DATA))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("hive.server2.thrift.port")
                .hasMessageContaining("hive.server2.webui.port")
                .hasMessageContaining("'PIGEONS' is not one of NONE, NOSASL")
                .hasMessageContaining("'pigeon' is not one of binary, http, all")
                .hasMessageContaining("hive.llap.daemon.num.executors")
                .hasMessageContaining("datanucleus.connectionPool.maxPoolSize")
                .hasMessageContaining("skep.operator.max-memroy: there is no such setting")
                .hasMessageContaining("did you mean skep.operator.max-memory");
    }

    @Test
    void listensBeyondTheLoopbackOnlyWhenToldTo() {
        Map<String, String> everywhere = Map.of("hive.server2.thrift.bind.host", "0.0.0.0");
        assertThatThrownBy(() -> ServerConfig.of(everywhere, DATA))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("hive.server2.thrift.bind.host is '0.0.0.0'")
                .hasMessageContaining("skep.server.insecure-listen=true");
        Map<String, String> accepted = new HashMap<>(everywhere);
        accepted.put("skep.server.insecure-listen", "true");
        assertThat(ServerConfig.of(accepted, DATA).bindHost()).isEqualTo("0.0.0.0");
        Map<String, String> verified = new HashMap<>(everywhere);
        verified.put("hive.server2.authentication", "FILE");
        assertThatThrownBy(() -> ServerConfig.of(verified, DATA))
                .hasMessageContaining("skep.authentication.user-file is missing");
        verified.put("skep.authentication.user-file", "/etc/skep/users");
        assertThat(ServerConfig.of(verified, DATA).bindHost()).isEqualTo("0.0.0.0");
        assertThat(ServerConfig.of(Map.of("hive.server2.thrift.bind.host", "localhost"), DATA)
                        .bindHost())
                .isEqualTo("localhost");
    }

    @Test
    void securityThatIsNotKeptStopsTheStart() {
        Map<String, String> secured = Map.of(
                "hive.server2.tez.queue.access.check", "TRUE",
                "hive.llap.daemon.acl", "ann",
                "hive.metastore.pre.event.listeners",
                        "x.Y,org.apache.hadoop.hive.ql.security.authorization.AuthorizationPreEventListener");
        assertThatThrownBy(() -> ServerConfig.of(secured, DATA))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> secured.keySet()
                                .forEach(name -> assertThat(e.getMessage()).contains(name + " is not kept: ")))
                .hasMessageContaining("set it to 'false'");
        ServerConfig.of(
                Map.of(
                        "hive.security.authorization.enabled", "false",
                        "hive.server2.enable.doAs", "true",
                        "hive.server2.tez.queue.access.check", " false",
                        "hive.server2.authentication.kerberos.keytab", "/k",
                        "hive.security.authenticator.manager",
                                "org.apache.hadoop.hive.ql.security.SessionStateUserAuthenticator",
                        "hadoop.security.authentication", "simple",
                        "hive.llap.daemon.acl", "*"),
                DATA);
    }

    @Test
    void aLoginToHadoopNeedsAKeytab() {
        Map<String, String> site = new HashMap<>(
                Map.of("hadoop.security.authentication", "KERBEROS", "hadoop.security.authorization", "true"));
        assertThatThrownBy(() -> ServerConfig.of(site, DATA))
                .isInstanceOf(SkepException.class)
                .hasMessageContainingAll(
                        "hive.server2.authentication.kerberos.principal is missing",
                        "hive.server2.authentication.kerberos.keytab is missing");
        site.put("hive.server2.authentication.kerberos.principal", "hive/n1@EXAMPLE.ORG");
        site.put("hive.server2.authentication.kerberos.keytab", "/k");
        ServerConfig config = ServerConfig.of(site, DATA);
        assertThat(config.login().orElseThrow().name()).isEqualTo("hive/n1@EXAMPLE.ORG");
        assertThat(config.registry().zooKeeper().login()).isEqualTo(config.login());
        assertThat(config.wire().authentication().users().kerberos())
                .as("of clients")
                .isEmpty();
        site.put("hive.zookeeper.kerberos.enabled", "false");
        assertThat(ServerConfig.of(site, DATA).discovery().zooKeeper().login()).isEmpty();
        site.put("hadoop.security.authentication", "token");
        assertThatThrownBy(() -> ServerConfig.of(site, DATA)).hasMessageContaining("'token' is not one of simple");
        assertThat(ServerConfig.of(Map.of(), DATA).login()).isEmpty();
    }

    @Test
    void authorizersOfHivesInterfaceAreAccepted() {
        String ranger = "org.apache.ranger.authorization.hive.authorizer.RangerHiveAuthorizerFactory";
        assertThat(AuthorizerPlugin.isNamed(Map.of(
                        "hive.security.authorization.enabled", "true", "hive.security.authorization.manager", ranger)))
                .isTrue();
        ServerConfig.of(Map.of("hive.security.authorization.manager", ranger), DATA);
    }

    @Test
    void sqlStandardAuthorizationIsAccepted() {
        ServerConfig.of(
                Map.of(
                        "hive.security.authorization.enabled",
                        "true",
                        "hive.security.authorization.manager",
                        "org.apache.hadoop.hive.ql.security.authorization.plugin.sqlstd.SQLStdHiveAuthorizerFactory",
                        "hive.security.authorization.sqlstd.confwhitelist.append",
                        "mapred\\..*",
                        "hive.users.in.admin.role",
                        "root"),
                DATA);
    }

    /** Hooks may check or record statements. */
    @Test
    void hooksThatAreNotRunStopTheStart() {
        Map<String, String> hooks = new HashMap<>();
        for (String name : List.of(
                "hive.server2.session.hook",
                "hive.exec.pre.hooks",
                "hive.exec.post.hooks",
                "hive.exec.failure.hooks",
                "hive.semantic.analyzer.hook")) {
            hooks.put(name, "x.Y");
        }
        hooks.put("hive.server2.tez.queue.access.check", "true");
        assertThatThrownBy(() -> ServerConfig.of(hooks, DATA))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> hooks.keySet()
                                .forEach(name -> assertThat(e.getMessage()).contains(name + " is not kept: ")));
        Map<String, String> defaults = new HashMap<>();
        hooks.keySet()
                .forEach(name -> defaults.put(name, HiveConf.getConfVars(name).getDefaultValue()));
        ServerConfig.of(defaults, DATA);
    }

    /** Distributions set these hooks for all sites. */
    @Test
    void hooksThatOnlyRecordAreNamedAsWithoutEffect() {
        Map<String, String> recording = Map.of(
                "hive.exec.pre.hooks", "org.apache.hadoop.hive.ql.hooks.ATSHook",
                "hive.exec.post.hooks",
                        "org.apache.hadoop.hive.ql.hooks.HiveProtoLoggingHook, org.apache.atlas.hive.hook.HiveHook");
        ServerConfig.of(recording, DATA);
        assertThat(IgnoredSettings.of(recording)).containsExactly("hive.exec.post.hooks", "hive.exec.pre.hooks");
        assertThatThrownBy(() -> ServerConfig.of(
                        Map.of("hive.exec.pre.hooks", "org.apache.hadoop.hive.ql.hooks.ATSHook,x.Checks"), DATA))
                .hasMessageContaining("hive.exec.pre.hooks is not kept: ");
    }

    @Test
    void aRemoteMetastoreIsRefusedUnlessItsDatabaseIsNamed() {
        Map<String, String> site = new HashMap<>(Map.of("hive.metastore.uris", "thrift://metastore:9083"));
        assertThatThrownBy(() -> ServerConfig.of(site, DATA))
                .hasMessageContaining("hive.metastore.uris names a remote metastore")
                .hasMessageContaining("javax.jdo.option.ConnectionURL");
        site.put("javax.jdo.option.ConnectionURL", "jdbc:postgresql://database/metastore");
        assertThat(ServerConfig.of(site, DATA).metastore().connectionUrl()).isPresent();
    }

    @Test
    void settingsWithoutEffectAreNamedInOneLine() {
        Map<String, String> site = new HashMap<>(Map.of(
                "hive.exec.parallel", "true",
                "hive.server2.thrift.port", "1",
                "hive.stats.autogather", "true",
                "hive.metastore.uris", "",
                "hive.security.authorization.enabled", "false",
                "fs.defaultFS", "file:///",
                "hive.vectorized.execution.enabled", "S3CRET"));
        assertThat(IgnoredSettings.line(site))
                .hasValue("Settings of Hive that have no effect here: hive.exec.parallel,"
                        + " hive.vectorized.execution.enabled");
        for (int i = 0; i < 1000; i++) {
            site.put("hive.a" + i, "");
        }
        assertThat(IgnoredSettings.line(site).orElseThrow())
                .hasSizeLessThan(1000)
                .endsWith(" and 952 more");
        assertThat(IgnoredSettings.line(Map.of())).isEmpty();
    }

    /** A setting that some code reads must not be reported as having no effect. */
    @Test
    void settingsThatTheCodeNamesAreKnown() throws Exception {
        Path home = Path.of(Objects.requireNonNull(System.getProperty("skep.home"), "skep.home is not set"));
        Pattern literal = Pattern.compile("\"(hive\\.[A-Za-z0-9.-]*[A-Za-z0-9])\"");
        Map<String, String> named = new HashMap<>();
        for (String module : List.of("ql", "engine", "llap-server", "tez-integration", "metastore", "service")) {
            try (Stream<Path> files = Files.walk(home.resolve(module).resolve("src/main/java"))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    literal.matcher(Files.readString(file))
                            .results()
                            .forEach(found -> named.put(found.group(1), file.toString()));
                }
            }
        }
        // Hive's classes read these from their configuration, clients request them, a cookie has the third name, and
        // tables of Hive's storage handler for JDBC the last one. They are not settings of a site.
        named.keySet()
                .removeAll(List.of(
                        "hive.session.id", "hive.server2.proxy.user", "hive.server2.auth", "hive.sql.database.type"));
        // These are accepted in sessions without effect.
        named.keySet().removeAll(HiveSettings.REMOVED);
        // These are only checked in order to refuse them. Accepted values have no effect.
        named.keySet().removeIf(name -> name.endsWith(".hook") || name.endsWith(".hooks"));
        assertThat(named).hasSizeGreaterThan(50);
        assertThat(IgnoredSettings.of(named)).isEmpty();
    }

    @Test
    void sizesOfTheDaemonMayBeSet() {
        ServerConfig config = ServerConfig.of(
                Map.of(
                        "hive.llap.daemon.num.executors",
                        "3",
                        "hive.llap.io.memory.size",
                        "32mb",
                        "skep.llap.quantum",
                        "5"),
                DATA);
        assertThat(config.daemon().executors()).isEqualTo(3);
        assertThat(config.daemon().cacheBytes()).isEqualTo(32 << 20);
        assertThat(config.daemon().quantumNanos()).isEqualTo(5_000_000);
        assertThat(config.daemon().maxMemoryBytes()).isPositive();
    }

    @Test
    void optionsGoBeforeSiteFiles() {
        assertThat(ServerOptions.parse("--port", "0", "--ui-port", "7").uiPort())
                .isEqualTo(7);
        assertThatThrownBy(() -> ServerOptions.parse("--port", "many")).isInstanceOf(SkepException.class);
        assertThatThrownBy(() -> ServerOptions.parse("--colour", "red")).isInstanceOf(SkepException.class);
        assertThatThrownBy(() -> ServerOptions.parse("--port")).isInstanceOf(SkepException.class);
    }

    @Test
    void hadoopsSiteFilesAreReadToo(@TempDir Path conf) throws Exception {
        Files.writeString(conf.resolve("core-site.xml"), site("fs.defaultFS", "hdfs://name:8020", "x", "core"));
        Files.writeString(conf.resolve("hdfs-site.xml"), site("dfs.replication", "1", "x", "hdfs"));
        Files.writeString(conf.resolve("hive-site.xml"), site("x", "hive"));
        assertThat(ServerOptions.parse("--conf", conf.toString()).site())
                .containsEntry("fs.defaultFS", "hdfs://name:8020")
                .containsEntry("dfs.replication", "1")
                .containsEntry("x", "hive");
    }

    private static String site(String... namesAndValues) {
        StringBuilder xml = new StringBuilder("<configuration>");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            xml.append("<property><name>").append(namesAndValues[i]).append("</name><value>");
            xml.append(namesAndValues[i + 1]).append("</value></property>");
        }
        return xml.append("</configuration>").toString();
    }

    @Test
    void modeHasHivesName() {
        assertThatThrownBy(() -> ServerSettings.KNOWN.check("skep.execution.mode", "container"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.fullMessage()).contains("hive.execution.mode"));
        assertThatThrownBy(() -> ServerConfig.of(Map.of("skep.execution.mode", "container"), DATA))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("did you mean hive.execution.mode");
    }

    @Test
    void ownSettingsOfTheServerAreRefusedInSessions() {
        List<String> own = ServerSettings.OF_THE_START.stream()
                .map(Property::name)
                .filter(name -> name.startsWith(KnownSettings.OWN))
                .toList();
        assertThat(own).contains("skep.commit.fsync", "skep.session.max-jars-size");
        for (String name : own) {
            assertThatThrownBy(() -> ServerSettings.KNOWN.check(name, "1"))
                    .as(name)
                    .isInstanceOfSatisfying(SkepException.class, e -> {
                        assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED);
                        assertThat(e.hint()).isPresent();
                    });
        }
    }

    @Test
    void modesThatDivideAQueryAreRefusedByName() {
        ServerSettings.KNOWN.check("hive.execution.mode", "container");
        ServerSettings.KNOWN.check("hive.llap.execution.mode", "none");
        ServerSettings.KNOWN.check("hive.llap.execution.mode", "auto");
        assertThatThrownBy(() -> ServerSettings.KNOWN.check("hive.llap.execution.mode", "map"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("hive.llap.execution.mode");
        assertThatThrownBy(() -> ServerSettings.KNOWN.check("hive.tez.container.size", "100"))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("hive.tez.container.size");
    }
}
