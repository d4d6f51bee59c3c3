package io.skep.itests.client;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A released Hive JDBC driver in its own class loader. It shares only the JDK with a server in the same JVM, and
 * communicates with it only over the wire.
 *
 * <p>All clients of the run with one driver share a class loader. The driver registers itself with the JDK, which never
 * releases its classes. A loader for each client would cost 10 MB of metaspace and 2 MB of heap until the run ends.
 */
public final class ReleasedClient implements AutoCloseable {
    /** Guarded by itself. */
    private static final Map<ReleasedDriver, ClassLoader> SHARED = new EnumMap<>(ReleasedDriver.class);

    private final ClassLoader loader;
    private final Driver driver;

    private ReleasedClient(ClassLoader loader, Driver driver) {
        this.loader = loader;
        this.driver = driver;
    }

    /** Opens the newest driver. */
    public static ReleasedClient open() throws IOException, ReflectiveOperationException {
        return open(ReleasedDriver.HIVE_4_2);
    }

    public static ReleasedClient open(ReleasedDriver driver) throws IOException, ReflectiveOperationException {
        ClassLoader loader = loader(driver);
        Class<?> type = Class.forName("org.apache.hive.jdbc.HiveDriver", true, loader);
        return new ReleasedClient(loader, (Driver) type.getDeclaredConstructor().newInstance());
    }

    private static ClassLoader loader(ReleasedDriver driver) throws IOException {
        synchronized (SHARED) {
            ClassLoader loader = SHARED.get(driver);
            if (loader == null) {
                loader = new URLClassLoader(
                        "hive-jdbc-" + driver.version(), urls(driver.jars()), ClassLoader.getPlatformClassLoader());
                SHARED.put(driver, loader);
            }
            return loader;
        }
    }

    public Driver driver() {
        return driver;
    }

    public Connection connect(String url) throws SQLException {
        return connect(url, new Properties());
    }

    /**
     * Opens a connection. The driver uses some of Hadoop's classes, and those load other classes through the thread's
     * context class loader.
     */
    public Connection connect(String url, Properties properties) throws SQLException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            Connection connection = driver.connect(url, properties);
            if (connection == null) {
                throw new SQLException("the Hive driver does not take " + url);
            }
            return connection;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /**
     * Returns the driver's identifier of a statement. It is null until the server's answer arrives; until then the
     * driver's cancel does nothing.
     */
    public static @Nullable Object queryId(Statement statement) {
        try {
            return statement.getClass().getMethod("getQueryId").invoke(statement);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no HiveStatement: " + statement, e);
        }
    }

    /** Returns how many rows a query returns; fetches all of them. */
    public static int countRows(Statement statement, String sql) throws SQLException {
        int count = 0;
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                count++;
            }
        }
        return count;
    }

    /** Does nothing: the classes stay for the next client. Callers must close connections first. */
    @Override
    public void close() throws IOException {}

    private static URL[] urls(List<Path> jars) throws MalformedURLException {
        URL[] urls = new URL[jars.size()];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = jars.get(i).toUri().toURL();
        }
        return urls;
    }
}
