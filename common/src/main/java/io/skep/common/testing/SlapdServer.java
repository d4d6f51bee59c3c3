package io.skep.common.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * OpenLDAP's slapd on free ports of the loopback, with its configuration and its entries in a folder of a test. It
 * accepts logins without a password as nobody, as directories may. Everyone who has logged in may read all but
 * {@code ou=Closed}, which is for {@code cn=service}.
 */
public final class SlapdServer implements AutoCloseable {
    /** Set to {@code required} where a missing slapd is an error. */
    private static final String REQUIRED = "SKEP_SLAPD";

    private static final Path PROGRAM = Path.of("/usr/sbin/slapd");
    private static final Path LOADER = Path.of("/usr/sbin/slapadd");
    private static final Path SCHEMAS = Path.of("/etc/ldap/schema");
    private static final Path MODULES = Path.of("/usr/lib/ldap");
    private static final int ATTEMPTS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path folder;
    private Process process;
    private int port;
    private int tlsPort;

    private SlapdServer(Path folder) throws IOException {
        this.folder = folder;
        this.process = restarted();
    }

    /**
     * Whether slapd is installed.
     *
     * @throws IllegalStateException when it is missing where the environment requires it
     */
    public static boolean isInstalled() {
        boolean installed = Files.isExecutable(PROGRAM) && Files.isDirectory(SCHEMAS);
        if (!installed && "required".equals(System.getenv(REQUIRED))) {
            throw new IllegalStateException(PROGRAM + " is missing, and " + REQUIRED + "=required");
        }
        return installed;
    }

    /**
     * @param folder an empty folder
     * @param suffix the name of the uppermost entry
     * @param entries in LDIF
     */
    public static SlapdServer start(Path folder, String suffix, String entries)
            throws IOException, InterruptedException {
        Path database = Files.createDirectory(folder.resolve("db"));
        SelfSigned certificate = SelfSigned.makeRsa(folder.resolve("slapd.p12"));
        try {
            certificate.writePem(folder.resolve("slapd.key"), folder.resolve("slapd.crt"));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
        Files.writeString(folder.resolve("slapd.conf"), """
                include %1$s/core.schema
                include %1$s/cosine.schema
                include %1$s/nis.schema
                include %1$s/inetorgperson.schema
                modulepath %2$s
                moduleload back_mdb
                pidfile %3$s/slapd.pid
                allow bind_anon_cred
                TLSCertificateFile %3$s/slapd.crt
                TLSCertificateKeyFile %3$s/slapd.key
                database mdb
                suffix %4$s
                directory %5$s
                access to attrs=userPassword by anonymous auth by * none
                access to dn.subtree="ou=Closed,%4$s"
                    by dn.exact="cn=service,%4$s" read by anonymous auth by * none
                access to * by users read by * none
                """.formatted(SCHEMAS, MODULES, folder, suffix, database));
        Path ldif = Files.writeString(folder.resolve("entries.ldif"), entries);
        Process loader = new ProcessBuilder(
                        LOADER.toString(), "-f", folder.resolve("slapd.conf").toString(), "-l", ldif.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(loader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (loader.waitFor() != 0) {
            throw new IOException("slapadd failed: " + output);
        }
        return new SlapdServer(folder);
    }

    /** Another process may take a port that was free a moment ago, so this tries a few times. */
    private Process restarted() throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            List<Integer> ports = freePorts();
            Process started = new ProcessBuilder(
                            PROGRAM.toString(),
                            "-d",
                            "0",
                            "-f",
                            folder.resolve("slapd.conf").toString(),
                            "-h",
                            "ldap://127.0.0.1:" + ports.getFirst() + "/ ldaps://127.0.0.1:" + ports.getLast() + "/")
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("slapd.log").toFile())
                    .start();
            port = ports.getFirst();
            tlsPort = ports.getLast();
            if (Polling.comesTrue(PATIENCE, () -> !started.isAlive() || accepts(port)) && started.isAlive()) {
                return started;
            }
            started.destroyForcibly();
        }
        throw new IOException("slapd did not start: " + Files.readString(folder.resolve("slapd.log")));
    }

    private static List<Integer> freePorts() throws IOException {
        try (ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket two = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new ArrayList<>(List.of(one.getLocalPort(), two.getLocalPort()));
        }
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    public String url() {
        return "ldap://127.0.0.1:" + port;
    }

    public String tlsUrl() {
        return "ldaps://127.0.0.1:" + tlsPort;
    }

    /** Returns the file with the certificate of {@link #tlsUrl}. */
    public SelfSigned certificate() {
        return new SelfSigned(folder.resolve("slapd.p12"));
    }

    /** Ends the process. Its port refuses connections from then on. */
    public void stop() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
        stop();
    }
}
