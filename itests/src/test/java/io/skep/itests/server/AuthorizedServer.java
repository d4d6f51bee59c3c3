package io.skep.itests.server;

import io.skep.authentication.PasswordHash;
import io.skep.authentication.UserFile;
import io.skep.itests.client.ReleasedClient;
import io.skep.service.server.ServerOptions;
import io.skep.service.server.SkepServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * A server that checks statements, and the released driver. Users log in with one password, and root is in the role
 * admin.
 */
public final class AuthorizedServer implements AutoCloseable {
    private final ReleasedClient client;
    private final SkepServer server;
    private final String password;

    private AuthorizedServer(ReleasedClient client, SkepServer server, String password) {
        this.client = client;
        this.server = server;
        this.password = password;
    }

    /**
     * @param folder for the file of users, and for data in the folder data
     * @param more further settings
     */
    public static AuthorizedServer start(Path folder, List<String> users, String password, Map<String, String> more)
            throws Exception {
        Path file = folder.resolve("users");
        for (String name : users) {
            new UserFile(file).change(known -> known.put(name, PasswordHash.of(password)));
        }
        Map<String, String> site = new HashMap<>(Map.of(
                "hive.security.authorization.enabled",
                "true",
                "hive.users.in.admin.role",
                "root",
                "hive.server2.authentication",
                "FILE",
                "skep.authentication.user-file",
                file.toString()));
        site.putAll(more);
        ReleasedClient client = ReleasedClient.open();
        return new AuthorizedServer(
                client, SkepServer.start(new ServerOptions(0, 0, folder.resolve("data"), site)), password);
    }

    public SkepServer server() {
        return server;
    }

    public Connection connect(String user) throws SQLException {
        return connect(server.jdbcUrl(), user);
    }

    /** Connects with another address, such as one with settings. */
    public Connection connect(String url, String user) throws SQLException {
        return connect(url, user, password);
    }

    public Connection connect(String url, String user, String secret) throws SQLException {
        Properties properties = new Properties();
        properties.put("user", user);
        properties.put("password", secret);
        return client.connect(url, properties);
    }

    public static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        client.close();
    }
}
