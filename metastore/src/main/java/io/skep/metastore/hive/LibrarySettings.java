package io.skep.metastore.hive;

import io.skep.metastore.MetastoreConfig;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/** The settings of Hive's library: the site's settings, the database, and switches that disable its background work. */
final class LibrarySettings {
    private static final String URL = "javax.jdo.option.ConnectionURL";
    private static final String DRIVER = "javax.jdo.option.ConnectionDriverName";
    private static final String USER = "javax.jdo.option.ConnectionUserName";
    private static final String PASSWORD = "javax.jdo.option.ConnectionPassword";

    private static final String BATCH_SIZE = "metastore.direct.sql.batch.size";

    /** Derby compiles long IN lists recursively and overflows its stack. */
    private static final int DERBY_BATCH = 100;

    private static final int BATCH = 1000;

    private static final long CONNECTION_MILLIS = 10_000;

    /** The setting of the statement that each new connection of the library's pool runs. */
    private static final String FIRST_STATEMENT = "hikaricp.connectionInitSql";

    /**
     * A process that is suspended inside a transaction keeps its locks, and all servers that change the catalog wait
     * for them. No pause between two statements of a transaction is this long.
     */
    private static final Duration IDLE_TRANSACTION = Duration.ofSeconds(20);

    private LibrarySettings() {}

    static Configuration of(MetastoreConfig config, String connectionUrl) {
        Configuration settings = new Configuration(false);
        config.properties().forEach(settings::set);
        settings.set(URL, connectionUrl);
        settings.set(DRIVER, config.driver().orElseGet(() -> driver(connectionUrl)));
        config.user().ifPresent(user -> settings.set(USER, user));
        config.password().ifPresent(password -> settings.set(PASSWORD, password));
        settings.set("metastore.warehouse.dir", config.warehouse());
        settings.set("metastore.warehouse.external.dir", config.externalWarehouse());
        settings.setInt("datanucleus.connectionPool.maxPoolSize", config.connections());
        settings.set("metastore.expression.proxy", "org.apache.hadoop.hive.metastore.DefaultPartitionExpressionProxy");
        settings.setInt(BATCH_SIZE, isDerby(connectionUrl) ? DERBY_BATCH : BATCH);
        settings.setBoolean("metastore.schema.verification", false);
        settings.setBoolean("metastore.metrics.enabled", false);
        settings.setBoolean("metastore.stats.fetch.bitvector", true);
        settings.setBoolean("metastore.stats.fetch.kll", true);
        settings.set("datanucleus.autoStartMechanismMode", "ignored");
        // A caller that waits for an unreachable database should get an error.
        settings.setIfUnset("hikaricp.connectionTimeout", Long.toString(CONNECTION_MILLIS));
        if (isPostgres(connectionUrl)) {
            settings.setIfUnset(FIRST_STATEMENT, idleLimit(IDLE_TRANSACTION));
        }
        // The pool rejects the library's default value with a warning.
        settings.set("hikaricp.leakDetectionThreshold", "0");
        return settings;
    }

    private static String idleLimit(Duration limit) {
        return "SET idle_in_transaction_session_timeout = '" + limit.toSeconds() + "s'";
    }

    /** Sets another limit for connections that keep a row locked. A first statement of the site is kept. */
    static void limitIdleTransactions(Configuration settings, Duration limit) {
        if (idleLimit(IDLE_TRANSACTION).equals(settings.get(FIRST_STATEMENT))) {
            settings.set(FIRST_STATEMENT, idleLimit(limit));
        }
    }

    /**
     * Returns the maximum number of names in one library call that loads objects by name. The library splits longer
     * lists incorrectly: each part requests all of the names again.
     */
    static int batchSize(Configuration settings) {
        return settings.getInt(BATCH_SIZE, BATCH);
    }

    static boolean isDerby(Configuration settings) {
        return isDerby(settings.get(URL, ""));
    }

    static boolean isDerby(String url) {
        return url.startsWith("jdbc:derby:");
    }

    private static boolean isPostgres(String url) {
        return url.startsWith("jdbc:postgresql:");
    }

    private static String driver(String url) {
        return isPostgres(url) ? "org.postgresql.Driver" : "org.apache.derby.jdbc.EmbeddedDriver";
    }
}
