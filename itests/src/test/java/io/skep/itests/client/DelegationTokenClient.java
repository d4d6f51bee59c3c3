package io.skep.itests.client;

import java.sql.Connection;
import java.sql.DriverManager;

/**
 * The main class of a client's process: gets a delegation token through the released driver and prints it. Its class
 * path has the driver and this class only.
 */
final class DelegationTokenClient {
    private DelegationTokenClient() {}

    /** @param arguments address of the server, owner of the token, and its renewer */
    public static void main(String[] arguments) throws Exception {
        Class.forName("org.apache.hive.jdbc.HiveDriver");
        try (Connection connection = DriverManager.getConnection(arguments[0])) {
            Object token = connection
                    .getClass()
                    .getMethod("getDelegationToken", String.class, String.class)
                    .invoke(connection, arguments[1], arguments[2]);
            System.out.println("token=" + token);
        }
    }
}
