package io.skep.bench;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** The released Hive JDBC driver in a separate class loader, so that measurements show what a client sees. */
final class HiveJdbc implements AutoCloseable {
    /** The user of all connections. */
    static final String USER = "bench";

    private final URLClassLoader loader;
    private final Driver driver;

    private HiveJdbc(URLClassLoader loader, Driver driver) {
        this.loader = loader;
        this.driver = driver;
    }

    /** @param jars folder with the released client's class path */
    static HiveJdbc open(Path jars) throws IOException, ReflectiveOperationException {
        URLClassLoader loader = new URLClassLoader(urls(jars), ClassLoader.getPlatformClassLoader());
        Class<?> type = Class.forName("org.apache.hive.jdbc.HiveDriver", true, loader);
        return new HiveJdbc(loader, (Driver) type.getDeclaredConstructor().newInstance());
    }

    private static URL[] urls(Path folder) throws IOException {
        List<URL> urls = new ArrayList<>();
        try (Stream<Path> jars = Files.list(folder)) {
            for (Path jar : jars.sorted().toList()) {
                urls.add(url(jar));
            }
        }
        return urls.toArray(URL[]::new);
    }

    private static URL url(Path jar) throws MalformedURLException {
        return jar.toUri().toURL();
    }

    /** Connects. The driver's libraries load classes through the thread's context class loader. */
    Connection connect(String url) throws SQLException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            Properties properties = new Properties();
            properties.setProperty("user", USER);
            Connection connection = driver.connect(url, properties);
            if (connection == null) {
                throw new SQLException("the Hive driver does not take " + url);
            }
            return connection;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
