package io.skep.itests.faults;

import io.skep.itests.client.ReleasedClient;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;

/**
 * A client in its own process, for tests that cut it off. It connects, reports that it is connected, and runs a
 * statement or stays idle forever.
 */
final class VanishingClient {
    /** The text that the client prints when it is connected. */
    static final String THERE = "there";

    private VanishingClient() {}

    /** @param arguments the server's URL, then a statement or nothing */
    public static void main(String[] arguments) throws Exception {
        try (ReleasedClient client = ReleasedClient.open();
                Connection connection = client.connect(arguments[0]);
                Statement statement = connection.createStatement()) {
            System.out.println(THERE);
            if (arguments.length > 1) {
                statement.execute(arguments[1]);
            } else {
                new CountDownLatch(1).await();
            }
        }
    }
}
