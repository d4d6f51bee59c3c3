package io.skep.ql.compiler;

import io.skep.common.config.KnownSettings;
import io.skep.ql.SqlEngine;
import io.skep.ql.SqlSession;
import io.skep.ql.session.Session;
import io.skep.ql.session.SessionSettings;
import io.skep.ql.session.SettingRules;
import io.skep.ql.statement.StatementServices;
import java.util.Map;

/** The SQL engine: sessions over shared services. Thread-safe. */
public final class HiveSqlEngine implements SqlEngine {
    private final StatementServices services;
    private final SettingRules rules;

    /**
     * @param known settings that sessions may set, in addition to Hive's settings
     * @param serverSettings settings of the site files, including {@code hive.metastore.warehouse.dir}
     */
    public HiveSqlEngine(StatementServices services, KnownSettings known, Map<String, String> serverSettings) {
        this.services = services;
        this.rules = new SettingRules(known, serverSettings);
    }

    @Override
    public SqlSession openSession(String user, Map<String, String> settings) {
        Session session = new Session(user, services.catalog(), new SessionSettings(rules));
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
