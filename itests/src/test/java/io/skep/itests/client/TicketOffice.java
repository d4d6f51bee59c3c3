package io.skep.itests.client;

import io.skep.authentication.testing.LocalKdc;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.kerby.kerberos.kerb.KrbException;

/** A {@link LocalKdc} for clients in other processes. */
public final class TicketOffice implements AutoCloseable {
    /** The principal of the server. */
    public static final String SERVER = LocalKdc.SERVER;

    private final Path folder;
    private final LocalKdc kdc;

    public TicketOffice(Path folder) throws KrbException {
        this.folder = folder;
        this.kdc = LocalKdc.start(folder);
    }

    /** Returns the settings of a server that accepts the users of the realm. */
    public Map<String, String> server() throws KrbException, IOException {
        Path keytab = keytab("server", SERVER);
        return Map.of(
                "hive.server2.authentication",
                "KERBEROS",
                "hive.server2.authentication.kerberos.principal",
                SERVER,
                "hive.server2.authentication.kerberos.keytab",
                keytab.toString(),
                // Without the default realm, which this JVM does not have.
                "hadoop.security.auth_to_local",
                "RULE:[1:$1@$0](.*@EXAMPLE\\.ORG)s/@.*//");
    }

    /** Returns a private file with the keys of principals, which are created if they do not exist. */
    public Path keytab(String name, String... principals) throws KrbException, IOException {
        return kdc.keytab(name, principals);
    }

    /** Returns the file with which the JVM of another process finds this KDC. */
    public Path conf() {
        return kdc.conf();
    }

    /** Returns a file like {@link #conf} with which a process gets tickets of a short life. */
    public Path conf(Duration life) throws IOException {
        String text = Files.readString(conf())
                .replaceFirst("\\[libdefaults\\]", "[libdefaults]\n    ticket_lifetime = " + life.toSeconds() + "s");
        return Files.writeString(folder.resolve("krb5-" + life.toSeconds() + ".conf"), text);
    }

    /** Returns the environment of a process of a user who has a ticket, as after {@code kinit}. */
    public Map<String, String> ticket(String user) throws KrbException {
        Path tickets = folder.resolve(user + ".tickets");
        kdc.writeTicket(user, tickets);
        return environment(tickets);
    }

    /** Returns the environment of a process of a user who has no ticket. */
    Map<String, String> noTicket() {
        return environment(folder.resolve("none"));
    }

    /** Returns the environment of a task of Hadoop that has a delegation token and no ticket. */
    Map<String, String> task(String text) throws IOException {
        Token<TokenIdentifier> token = new Token<>();
        token.decodeFromUrlString(text);
        Credentials credentials = new Credentials();
        credentials.addToken(new Text("hive"), token);
        Path file = Files.createTempFile(folder, "job", ".tokens");
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
            credentials.writeTokenStorageToStream(out);
        }
        Map<String, String> environment = new HashMap<>(noTicket());
        environment.put("HADOOP_TOKEN_FILE_LOCATION", file.toString());
        return environment;
    }

    private Map<String, String> environment(Path tickets) {
        return Map.of("KRB5CCNAME", tickets.toString(), "JDK_JAVA_OPTIONS", "-Djava.security.krb5.conf=" + conf());
    }

    @Override
    public void close() {
        kdc.close();
    }
}
