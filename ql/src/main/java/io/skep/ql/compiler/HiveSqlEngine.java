package io.skep.ql.compiler;

import io.skep.common.config.KnownSettings;
import io.skep.common.config.SecurityProperties;
import io.skep.metastore.hive.CatalogClient;
import io.skep.ql.SqlEngine;
import io.skep.ql.SqlSession;
import io.skep.ql.authorize.AuthorizerPlugin;
import io.skep.ql.authorize.PathPrivileges;
import io.skep.ql.authorize.PluginAuthorizer;
import io.skep.ql.authorize.SessionFiles;
import io.skep.ql.session.Session;
import io.skep.ql.session.SessionSettings;
import io.skep.ql.session.SettingRules;
import io.skep.ql.statement.StatementServices;
import io.skep.storage.file.FilePermissions;
import io.skep.storage.file.HadoopSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The SQL engine: sessions over shared services. Thread-safe. */
public final class HiveSqlEngine implements SqlEngine {
    private static final Logger LOG = LoggerFactory.getLogger(HiveSqlEngine.class);

    /** The user of the server's own sessions. */
    private static final String SERVER = "skep";

    private final StatementServices services;
    private final SettingRules rules;
    private final SettingRules serverRules;
    private final Optional<AuthorizerPlugin> plugin;
    private final PathPrivileges paths;
    private final Optional<FilePermissions> permissions;

    /**
     * @param known settings that sessions may set, in addition to Hive's settings
     * @param serverSettings settings of the site files, including {@code hive.metastore.warehouse.dir}
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION when the authorizer of the site cannot be loaded
     */
    public HiveSqlEngine(StatementServices services, KnownSettings known, Map<String, String> serverSettings) {
        this.services = services;
        this.rules = new SettingRules(known, serverSettings);
        this.serverRules = rules.authorizes() ? new SettingRules(known, unchecked(serverSettings)) : rules;
        this.plugin = rules.authorizes()
                ? AuthorizerPlugin.of(serverSettings, () -> CatalogClient.of(services.catalog()))
                : Optional.empty();
        this.paths = new PathPrivileges(serverSettings);
        this.permissions = rules.impersonates()
                ? Optional.of(new FilePermissions(HadoopSettings.of(serverSettings)))
                : Optional.empty();
        if (!rules.authorizes() && AuthorizerPlugin.isNamed(serverSettings)) {
            LOG.warn(
                    "{} is set and {} is not true: statements are not checked",
                    AuthorizerPlugin.MANAGER.name(),
                    SecurityProperties.AUTHORIZATION.name());
        }
    }

    /** Returns the settings of sessions that are not checked. */
    private static Map<String, String> unchecked(Map<String, String> settings) {
        Map<String, String> unchecked = new HashMap<>(settings);
        unchecked.remove(SecurityProperties.AUTHORIZATION.name());
        return unchecked;
    }

    @Override
    public SqlSession openSession(String user, Optional<String> address, Map<String, String> settings) {
        Optional<SessionFiles.Impersonated> impersonated = permissions
                .filter(known -> !known.isOwn(user))
                .map(known -> new SessionFiles.Impersonated(user, known));
        return open(user, settings, rules, plugin.map(known -> known.open(user, address)), impersonated);
    }

    @Override
    public SqlSession openServerSession(Map<String, String> settings) {
        return open(SERVER, settings, serverRules, Optional.empty(), Optional.empty());
    }

    private SqlSession open(
            String user,
            Map<String, String> settings,
            SettingRules applied,
            Optional<PluginAuthorizer> authorizer,
            Optional<SessionFiles.Impersonated> impersonated) {
        Session session = new Session(user, services.catalog(), new SessionSettings(applied));
        try {
            settings.forEach((key, value) -> initialSetting(session, key, value));
        } catch (RuntimeException | Error e) {
            session.close();
            throw e;
        }
        SessionFiles files = new SessionFiles(impersonated, services.files(), services.warehouse());
        return new HiveSqlSession(session, services, authorizer, paths, files);
    }

    /**
     * Applies a setting of the connection: {@code set:hiveconf:x}, {@code set:hivevar:x}, {@code use:database}, or a
     * plain key.
     */
    private static void initialSetting(Session session, String key, String value) {
        if (key.equals("use:database")) {
            session.useDatabase(value);
        } else {
            session.set(key.startsWith("set:") ? key.substring("set:".length()) : key, value);
        }
    }
}
