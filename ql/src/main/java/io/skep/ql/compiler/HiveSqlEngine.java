package io.skep.ql.compiler;

import io.skep.common.config.KnownSettings;
import io.skep.ql.SqlEngine;
import io.skep.ql.SqlSession;
import io.skep.ql.session.Session;
import io.skep.ql.session.SessionSettings;
import io.skep.ql.session.SettingRules;
import io.skep.ql.statement.StatementServices;
import java.util.HashMap;
import java.util.Map;

/** The SQL engine: sessions over shared services. Thread-safe. */
public final class HiveSqlEngine implements SqlEngine {
    private final StatementServices services;
    /** The user of the server's own sessions. */
    private static final String SERVER = "skep";

    private final SettingRules rules;
    private final SettingRules serverRules;

    /**
     * @param known settings that sessions may set, in addition to Hive's settings
     * @param serverSettings settings of the site files, including {@code hive.metastore.warehouse.dir}
     */
    public HiveSqlEngine(StatementServices services, KnownSettings known, Map<String, String> serverSettings) {
        this.services = services;
        this.rules = new SettingRules(known, serverSettings);
        this.serverRules = rules.authorizes() ? new SettingRules(known, unchecked(serverSettings)) : rules;
    }

    /** Returns the settings of sessions that are not checked. */
    private static Map<String, String> unchecked(Map<String, String> settings) {
        Map<String, String> unchecked = new HashMap<>(settings);
        unchecked.remove(SettingRules.AUTHORIZATION.name());
        return unchecked;
    }

    @Override
    public SqlSession openSession(String user, Map<String, String> settings) {
        return open(user, settings, rules);
    }

    @Override
    public SqlSession openServerSession(Map<String, String> settings) {
        return open(SERVER, settings, serverRules);
    }

    private SqlSession open(String user, Map<String, String> settings, SettingRules applied) {
        Session session = new Session(user, services.catalog(), new SessionSettings(applied));
        try {
            settings.forEach((key, value) -> initialSetting(session, key, value));
        } catch (RuntimeException | Error e) {
            session.close();
            throw e;
        }
        return new HiveSqlSession(session, services);
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
