package io.skep.ql.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.config.KnownSettings;
import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SecretSettings;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hive.conf.HiveConf.ConfVars;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what a session may read and change, and which of its settings are passed to tasks. */
class TestSettingRules {
    private static final KnownSettings KNOWN = new KnownSettings(
            List.of(
                    new Property<>("hive.tez.java.opts", PropertyType.text(), "", "start"),
                    new Property<>("hive.metastore.warehouse.dir", PropertyType.text(), "", "start"),
                    new Property<>("skep.commit.lease", PropertyType.text(), "30s", "start")),
            List.of(new Property<>("skep.scheduler", PropertyType.text(), "auto", "session")));

    private final SessionSettings settings = of(Map.of(
            "javax.jdo.option.ConnectionPassword", "S3CRET",
            "javax.jdo.option.ConnectionURL", "jdbc:postgresql://h/m?password=S3CRET",
            "fs.azure.account.key.x", "S3CRET",
            "my.site.secret", "S3CRET",
            "my.site.udf", "u",
            "my.other.udf", "o",
            "hive.masking.algo", "sha256",
            "hive.tez.java.opts", "-Dx=S3CRET",
            "skep.tasks.settings", "my.site.udf,my.site.secret",
            "skep.scheduler", "tez"));

    private static SessionSettings of(Map<String, String> server) {
        Map<String, String> site = new HashMap<>(server);
        site.put("hive.local.time.zone", "UTC");
        return new SessionSettings(KNOWN, site);
    }

    @Test
    void scriptsAreClosedFromTheStart() {
        refusesScripts("skep.script.enabled=true", Map.of());
        refusesScripts("skep.script.enabled=true", Map.of("skep.script.enabled", "false"));
        refusesScripts(
                "hive.security.authorization.enabled",
                Map.of("skep.script.enabled", "true", "hive.security.authorization.enabled", "true"));
        refusesScripts(
                "hive.server2.enable.doAs", Map.of("skep.script.enabled", "true", "hive.server2.enable.doAs", "true"));
        new SettingRules(KNOWN, Map.of("skep.script.enabled", "true")).checkScripts();
    }

    @Test
    void fileCommandsAreClosedFromTheStart() {
        refusesFiles("skep.dfs.enabled=true", Map.of());
        refusesFiles("skep.dfs.enabled=true", Map.of("skep.dfs.enabled", "false", "skep.script.enabled", "true"));
        refusesFiles(
                "hive.security.authorization.enabled",
                Map.of("skep.dfs.enabled", "true", "hive.security.authorization.enabled", "true"));
        refusesFiles(
                "hive.server2.enable.doAs", Map.of("skep.dfs.enabled", "true", "hive.server2.enable.doAs", "true"));
        new SettingRules(KNOWN, Map.of("skep.dfs.enabled", "true")).checkFileCommands();
    }

    private static void refusesFiles(String hint, Map<String, String> site) {
        SettingRules rules = new SettingRules(KNOWN, site);
        assertThatThrownBy(rules::checkFileCommands).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED);
            assertThat(e.hint().orElse("")).contains(hint);
        });
    }

    private static void refusesScripts(String hint, Map<String, String> site) {
        SettingRules rules = new SettingRules(KNOWN, site);
        assertThatThrownBy(rules::checkScripts).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED);
            assertThat(e.hint().orElseThrow()).contains(hint);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"hive.nosuch", "hive.metastore.nosuch", "hive.server2.nosuch"})
    void settingsThatHiveDoesNotHaveAreRefused(String name) {
        assertThatThrownBy(() -> settings.set(name, "1")).isInstanceOfSatisfying(SkepException.class, e -> {
            assertThat(e.code()).isEqualTo(StandardErrorCode.INVALID_CONFIGURATION);
            assertThat(e).hasMessage("hive configuration " + name + " does not exists.");
        });
        settings.set("hive.conf.validation", "false");
        settings.set(name, "1");
        assertThat(settings.get(name)).contains("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hive.exec.parallel",
                "hive.enforce.bucketing",
                "hive.metastore.integral.jdo.pushdown",
                "hive.arrow.batch.size",
                "mapred.nosuch",
                "tez.nosuch",
                "nosuch"
            })
    void settingsOfHiveAndOfOthersAreAccepted(String name) {
        settings.set(name, "true");
        assertThat(settings.get(name)).contains("true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hive.security.authorization.enabled",
                "hive.conf.restricted.list",
                "hive.conf.hidden.list",
                "hive.conf.internal.variable.list",
                "hikaricp.anything",
                "hive.added.jars.path",
                "hive.tez.java.opts",
                "hive.server2.builtin.udf.blacklist",
                "hive.server2.proxy.user",
                "hive.security.command.whitelist"
            })
    void restrictedSettingsStay(String name) {
        assertThatThrownBy(() -> settings.set(name, "x"))
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED))
                .hasMessage(
                        "Cannot modify " + name + " at runtime. It is in the list of parameters that can't be modified"
                                + " at runtime or is prefixed by a restricted variable");
        assertThat(settings.overrides()).isEmpty();
    }

    @Test
    void hivesRestrictedListIsRefused() {
        List<String> names = SecretSettings.names(ConfVars.HIVE_CONF_RESTRICTED_LIST.getDefaultValue());
        assertThat(names).hasSizeGreaterThan(20);
        for (String name : names) {
            assertRefused(name);
        }
    }

    private void assertRefused(String name) {
        assertThatThrownBy(() -> settings.set(name, "x"))
                .as(name)
                .isInstanceOfSatisfying(
                        SkepException.class, e -> assertThat(e.code()).isEqualTo(StandardErrorCode.ACCESS_DENIED))
                .hasMessageContaining("Cannot modify " + name + " at runtime");
        assertThat(settings.overrides()).isEmpty();
    }

    @Test
    void settingsOfTheServerAreRefused() {
        assertRefused("skep.commit.lease");
        assertThat(settings.get("skep.commit.lease")).contains("30s");
        assertThatThrownBy(() -> settings.set("skep.commit.lease", "1s"))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.hint().orElseThrow()).contains("skep-site.xml"));
    }

    /** Hive accepts its own settings of a server in a session, and so do scripts that set them. */
    @Test
    void settingsThatScriptsOfHiveMakeStay() {
        Map<String, String> routine = Map.of(
                "hive.execution.engine", "tez",
                "hive.exec.dynamic.partition", "true",
                "hive.exec.dynamic.partition.mode", "nonstrict",
                "hive.vectorized.execution.enabled", "true",
                "hive.metastore.warehouse.dir", "/w",
                "mapreduce.job.reduces", "4",
                "tez.queue.name", "etl");
        routine.forEach(settings::set);
        assertThat(settings.overrides()).isEqualTo(routine);
    }

    @Test
    void aSiteHasItsOwnRestrictedList() {
        SessionSettings own = of(Map.of("hive.conf.restricted.list", "hive.exec.parallel, x."));
        assertThatThrownBy(() -> own.set("hive.exec.parallel", "true")).hasMessageContaining("Cannot modify");
        assertThatThrownBy(() -> own.set("x.y", "true")).hasMessageContaining("Cannot modify");
        assertThatThrownBy(() -> own.set("hive.conf.restricted.list", "")).hasMessageContaining("Cannot modify");
        own.set("hive.query.max.length", "1kb");
    }

    @Test
    void onlyWhatTasksReadGoesToThem() {
        settings.set("my.session.udf", "s");
        settings.set("my.session.password", "S3CRET");
        settings.set("hive.exec.parallel", "true");
        assertThat(settings.forRun())
                .containsOnly(
                        Map.entry("hive.local.time.zone", "UTC"),
                        Map.entry("hive.masking.algo", "sha256"),
                        Map.entry("my.session.udf", "s"),
                        Map.entry("my.site.udf", "u"),
                        Map.entry("skep.scheduler", "tez"));
        assertThat(settings.forRun()).isSameAs(settings.forRun());
    }

    @Test
    void hiddenValuesAreEmptyInStatements() {
        VariableSubstitution substitution = new VariableSubstitution(settings);
        assertThat(substitution.substitute("[${hiveconf:javax.jdo.option.ConnectionPassword}]"
                        + "[${hiveconf:fs.azure.account.key.x}][${hiveconf:my.site.secret}]"))
                .isEqualTo("[][][]");
        assertThat(substitution.substitute("${hiveconf:javax.jdo.option.ConnectionURL}"))
                .isEqualTo("jdbc:postgresql://h/m?password=***");
        // A script may read its own variable, whatever its name, but not Hive's hidden ones.
        settings.set("my.token", "mine");
        settings.set("javax.jdo.option.ConnectionPassword", "mine");
        assertThat(substitution.substitute("${hiveconf:my.token}${hiveconf:javax.jdo.option.ConnectionPassword}"))
                .isEqualTo("mine");
    }

    @Test
    void littleOfTheProcessCanBeRead() {
        VariableSubstitution substitution = new VariableSubstitution(settings);
        assertThat(substitution.substitute("${system:java.class.path}${env:PATH}${env:HOME}"))
                .isEqualTo("${system:java.class.path}${env:PATH}${env:HOME}");
        assertThat(substitution.substitute("${system:user.name}")).isEqualTo(System.getProperty("user.name"));
        VariableSubstitution wider = new VariableSubstitution(
                of(Map.of("skep.variables.env", "PATH", "skep.variables.system", "java.home")));
        assertThat(wider.substitute("${env:PATH}")).isEqualTo(System.getenv("PATH"));
        assertThat(wider.substitute("${system:java.home}")).isEqualTo(System.getProperty("java.home"));
        assertThat(wider.substitute("${system:user.name}")).isEqualTo("${system:user.name}");
    }

    @Test
    void commandsOfTheWhitelist() {
        settings.rules().checkCommand("ADD");
        SettingRules few = new SettingRules(KNOWN, Map.of("hive.security.command.whitelist", "set,reset"));
        few.checkCommand("set");
        assertThatThrownBy(() -> few.checkCommand("add")).hasMessage("Insufficient privileges to execute add");
    }
}
