package io.skep.itests.client;

import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Map;

/**
 * Gets, renews or cancels a delegation token through the released driver, as the main class of a client's process. The
 * class path of the process has the driver and this class only.
 */
final class DelegationTokenClient {
    private static final String PRINTED = "token=";

    private DelegationTokenClient() {}

    /** Gets a token in a process with this environment. */
    static String get(Map<String, String> environment, String url, String owner, String renewer) throws Exception {
        String output = ReleasedBeeline.run(environment, DelegationTokenClient.class, url, owner, renewer)
                .output();
        return output.lines()
                .filter(line -> line.startsWith(PRINTED))
                .findFirst()
                .orElseThrow(() -> new AssertionError(output))
                .substring(PRINTED.length());
    }

    /** Returns the address by which a client with a token connects, from that for clients with tickets. */
    static String urlOf(String url) {
        return url.replaceFirst(";principal=.*", ";auth=delegationToken");
    }

    /**
     * @param arguments address of the server; then the owner of a new token, which is printed, and its renewer, or
     *     {@code renew} or {@code cancel} and a token
     */
    public static void main(String[] arguments) throws Exception {
        Class.forName("org.apache.hive.jdbc.HiveDriver");
        try (Connection connection = DriverManager.getConnection(arguments[0])) {
            switch (arguments[1]) {
                case "renew", "cancel" -> {
                    connection
                            .getClass()
                            .getMethod(arguments[1] + "DelegationToken", String.class)
                            .invoke(connection, arguments[2]);
                    System.out.println("done");
                }
                default -> {
                    Object token = connection
                            .getClass()
                            .getMethod("getDelegationToken", String.class, String.class)
                            .invoke(connection, arguments[1], arguments[2]);
                    System.out.println(PRINTED + token);
                }
            }
        }
    }
}
