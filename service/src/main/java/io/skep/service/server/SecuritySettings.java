package io.skep.service.server;

import io.skep.common.config.SettingsReader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Security settings of Hive and Hadoop that Skep does not support. A site that sets one relies on it, so the server
 * does not start. A server that is open must not appear to be protected.
 */
final class SecuritySettings {
    private static final String NO_HOOKS = "Skep runs no hooks of others, which may check what is done";

    /** Hooks that distributions of Hadoop set and that only record operations. They restrict no user. */
    private static final List<String> RECORDING_HOOKS = List.of(
            "org.apache.hadoop.hive.ql.hooks.ATSHook",
            "org.apache.hadoop.hive.ql.hooks.HiveProtoLoggingHook",
            "org.apache.hadoop.hive.ql.hooks.LineageLogger",
            "org.apache.atlas.hive.hook.HiveHook");

    private static final String PAGES_LOGIN = "Skep's pages have the login of hive.server2.authentication";
    private static final String NO_STORAGE_CHECKS = "Skep checks statements, not calls of the metastore";
    private static final String HADOOP_AUTHENTICATOR = "org.apache.hadoop.hive.ql.security.HadoopDefaultAuthenticator";

    /**
     * A setting that is not supported.
     *
     * @param name the name of the setting, or a prefix of names when it ends with a dot
     * @param harmless values that change nothing; empty values are always harmless
     * @param reason what Skep does not do
     * @param isHooks whether the value lists hooks, each of which must be harmless
     */
    private record UnsupportedSetting(String name, List<String> harmless, String reason, boolean isHooks) {
        UnsupportedSetting(String name, List<String> harmless, String reason) {
            this(name, harmless, reason, false);
        }

        static UnsupportedSetting hooks(String name) {
            return new UnsupportedSetting(name, RECORDING_HOOKS, NO_HOOKS, true);
        }

        static UnsupportedSetting flag(String name, String reason) {
            return new UnsupportedSetting(name, List.of("false"), reason);
        }

        boolean concerns(String setting) {
            return name.endsWith(".") ? setting.startsWith(name) : setting.equals(name);
        }

        boolean isHarmless(String value) {
            return isHooks
                    ? Arrays.stream(value.split(",", -1)).allMatch(this::isHarmlessValue)
                    : isHarmlessValue(value);
        }

        private boolean isHarmlessValue(String value) {
            String stripped = value.strip();
            return stripped.isEmpty() || harmless.stream().anyMatch(stripped::equalsIgnoreCase);
        }

        String remedy() {
            return isHooks || harmless.isEmpty() || harmless.getFirst().isEmpty()
                    ? "remove it"
                    : "remove it or set it to '" + harmless.getFirst() + "'";
        }
    }

    private static final List<UnsupportedSetting> UNKEPT = List.of(
            new UnsupportedSetting("hive.security.metastore.authorization.manager", List.of(), NO_STORAGE_CHECKS),
            new UnsupportedSetting(
                    "hive.security.authenticator.manager",
                    List.of(HADOOP_AUTHENTICATOR, "org.apache.hadoop.hive.ql.security.SessionStateUserAuthenticator"),
                    "Skep knows users by their logins, and no groups"),
            UnsupportedSetting.flag("hive.metastore.authorization.storage.checks", NO_STORAGE_CHECKS),
            new UnsupportedSetting(
                    "hive.exec.query.redactor.hooks", List.of(), "Skep does not redact the texts of statements"),
            UnsupportedSetting.hooks("hive.server2.session.hook"),
            UnsupportedSetting.hooks("hive.exec.pre.hooks"),
            UnsupportedSetting.hooks("hive.exec.post.hooks"),
            UnsupportedSetting.hooks("hive.exec.failure.hooks"),
            UnsupportedSetting.hooks("hive.exec.driver.run.hooks"),
            UnsupportedSetting.hooks("hive.query.lifetime.hooks"),
            UnsupportedSetting.hooks("hive.semantic.analyzer.hook"),
            UnsupportedSetting.flag(
                    "hive.server2.tez.queue.access.check", "Skep does not ask YARN who may use a queue"),
            new UnsupportedSetting(
                    "hive.server2.custom.authentication.class",
                    List.of(),
                    "Skep runs no classes of others that authenticate clients"),
            UnsupportedSetting.flag(
                    "hive.server2.authentication.jwt.jwks.skip.ssl.cert",
                    "the certificates of servers with keys are always verified"),
            UnsupportedSetting.flag("hive.server2.webui.use.spnego", PAGES_LOGIN),
            UnsupportedSetting.flag("hive.server2.webui.use.pam", PAGES_LOGIN),
            new UnsupportedSetting("hive.server2.webui.auth.method", List.of("NONE"), PAGES_LOGIN),
            UnsupportedSetting.flag("hive.metastore.sasl.enabled", "Skep works on the metastore's database"),
            new UnsupportedSetting("hive.llap.daemon.acl", List.of("*"), "Skep's daemons have no lists of users"),
            new UnsupportedSetting("hive.llap.daemon.acl.blocked", List.of(), "Skep's daemons have no lists of users"),
            new UnsupportedSetting("hive.llap.management.acl", List.of("*"), "Skep's daemons have no lists of users"),
            new UnsupportedSetting(
                    "hive.llap.management.acl.blocked", List.of(), "Skep's daemons have no lists of users"));

    private SecuritySettings() {}

    /** Reports each unsupported security setting to the reader. */
    static void refuseUnsupported(Map<String, String> settings, SettingsReader reader) {
        new TreeMap<>(settings).forEach((name, value) -> {
            UNKEPT.stream()
                    .filter(unkept -> unkept.concerns(name) && !unkept.isHarmless(value))
                    .findFirst()
                    .ifPresent(
                            unkept -> reader.refuse(name, "is not kept: " + unkept.reason() + "; " + unkept.remedy()));
        });
        authorizationListener(settings.getOrDefault("hive.metastore.pre.event.listeners", ""))
                .ifPresent(listener -> reader.refuse(
                        "hive.metastore.pre.event.listeners",
                        "is not kept: " + NO_STORAGE_CHECKS + "; remove " + listener + " from it"));
    }

    private static Optional<String> authorizationListener(String listeners) {
        return Arrays.stream(listeners.split(",", -1))
                .map(String::strip)
                .filter(listener -> listener.contains("Authoriz"))
                .findFirst();
    }

    /**
     * Whether a setting of a site has an effect only because unsupported values are refused. Hook settings that are
     * accepted have no effect and do not count.
     */
    static boolean isRefusable(String name) {
        return UNKEPT.stream().anyMatch(unkept -> unkept.concerns(name) && !unkept.isHooks());
    }
}
