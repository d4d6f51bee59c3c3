package io.skep.itests.secure;

import io.skep.itests.client.TicketOffice;
import io.skep.itests.hdfs.HadoopProcess;
import io.skep.itests.hdfs.HadoopProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kerby.kerberos.kerb.KrbException;

/** A KDC in this process, and an HDFS and a ZooKeeper in others that accept nobody without a ticket. */
final class SecureSite implements AutoCloseable {
    /** The principal of servers and daemons. */
    static final String SKEP = TicketOffice.SERVER;

    private static final String HDFS = "hdfs/localhost@EXAMPLE.ORG";
    private static final String HTTP = "HTTP/localhost@EXAMPLE.ORG";
    private static final String ZOOKEEPER = "zookeeper/localhost@EXAMPLE.ORG";

    private final TicketOffice kdc;
    private final HadoopProcess hadoop;
    private final HadoopProgram zooKeeper;

    private SecureSite(TicketOffice kdc, HadoopProcess hadoop, HadoopProgram zooKeeper) {
        this.kdc = kdc;
        this.hadoop = hadoop;
        this.zooKeeper = zooKeeper;
    }

    static SecureSite start(Path folder) throws IOException, KrbException {
        return start(folder, Map.of());
    }

    /** @param nameNode further settings of HDFS */
    static SecureSite start(Path folder, Map<String, String> nameNode) throws IOException, KrbException {
        TicketOffice kdc = new TicketOffice(folder);
        try {
            HadoopProcess hadoop = hadoop(kdc, nameNode);
            try {
                hadoop.command("give /user/warehouse hive");
                hadoop.command("give /user/hive hive");
                return new SecureSite(kdc, hadoop, zooKeeper(kdc, folder));
            } catch (IOException | KrbException e) {
                hadoop.close();
                throw e;
            }
        } catch (IOException | KrbException e) {
            kdc.close();
            throw e;
        }
    }

    private static HadoopProcess hadoop(TicketOffice kdc, Map<String, String> nameNode)
            throws IOException, KrbException {
        String keytab = kdc.keytab("hdfs", HDFS, HTTP).toString();
        Map<String, String> settings = new HashMap<>(clients());
        settings.putAll(nameNode);
        settings.put("dfs.namenode.keytab.file", keytab);
        settings.put("dfs.datanode.kerberos.principal", HDFS);
        settings.put("dfs.datanode.keytab.file", keytab);
        settings.put("dfs.web.authentication.kerberos.principal", HTTP);
        settings.put("dfs.web.authentication.kerberos.keytab", keytab);
        settings.put("dfs.block.access.token.enable", "true");
        settings.put("ignore.secure.ports.for.testing", "true");
        return HadoopProcess.start(1, settings, List.of("-Djava.security.krb5.conf=" + kdc.conf()));
    }

    /** Returns what clients of this HDFS have in common with it. */
    private static Map<String, String> clients() {
        return Map.of(
                "hadoop.security.authentication", "kerberos",
                "hadoop.security.authorization", "true",
                "hadoop.rpc.protection", "privacy",
                "dfs.namenode.kerberos.principal", HDFS,
                "dfs.data.transfer.protection", "integrity",
                "dfs.replication", "1");
    }

    private static HadoopProgram zooKeeper(TicketOffice kdc, Path folder) throws IOException, KrbException {
        Path jaas = Files.writeString(
                folder.resolve("zookeeper.jaas"), """
                Server {
                  com.sun.security.auth.module.Krb5LoginModule required
                  useKeyTab=true keyTab="%s" principal="%s" storeKey=true doNotPrompt=true;
                };
                """.formatted(kdc.keytab("zookeeper", ZOOKEEPER), ZOOKEEPER));
        List<String> flags = List.of(
                "-Djava.security.krb5.conf=" + kdc.conf(),
                "-Djava.security.auth.login.config=" + jaas,
                "-Dzookeeper.authProvider.1=org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
                "-Dzookeeper.kerberos.removeHostFromPrincipal=true",
                "-Dzookeeper.kerberos.removeRealmFromPrincipal=true",
                "-Dzookeeper.admin.enableServer=false");
        Path home = Files.createDirectories(folder.resolve("zookeeper"));
        List<String> arguments = List.of(home.resolve("data").toString());
        return HadoopProgram.start("HadoopZooKeeper", 128, home, flags, arguments);
    }

    TicketOffice kdc() {
        return kdc;
    }

    HadoopProcess hadoop() {
        return hadoop;
    }

    /** Returns the address of ZooKeeper. */
    String zooKeeper() {
        return zooKeeper.ready();
    }

    /** Returns the settings that servers and daemons have, without their keys. */
    Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(clients());
        settings.put("fs.defaultFS", hadoop.uri());
        settings.put("fs.trash.interval", "60");
        settings.put("hive.metastore.warehouse.dir", "/user/warehouse");
        // Each statement connects anew, with a ticket that has to be valid.
        settings.put("ipc.client.connection.maxidletime", "200");
        return settings;
    }

    /** Returns the settings of a server that has these keys. */
    Map<String, String> server(Path keytab) {
        Map<String, String> settings = new HashMap<>(settings());
        settings.put("hive.server2.authentication.kerberos.principal", SKEP);
        settings.put("hive.server2.authentication.kerberos.keytab", keytab.toString());
        return settings;
    }

    /** Returns the settings of processes that find each other in ZooKeeper. */
    Map<String, String> registered(Map<String, String> others) {
        Map<String, String> settings = new HashMap<>(others);
        settings.put("hive.zookeeper.quorum", zooKeeper());
        settings.put("hive.zookeeper.session.timeout", "5s");
        settings.put("hive.llap.daemon.service.hosts", "@secure");
        settings.put("hive.server2.support.dynamic.service.discovery", "true");
        return settings;
    }

    /** Returns the command around a process's command that gives its JVM a {@code krb5.conf}. */
    static List<String> with(Path conf) {
        return List.of(
                "env",
                "JDK_JAVA_OPTIONS=-Djava.security.krb5.conf=" + conf
                        // ZooKeeper's client would not renew a ticket of less than a minute.
                        + " -Dzookeeper.kerberos.minReLoginTimeMs=1000");
    }

    @Override
    public void close() throws IOException {
        try {
            zooKeeper.close();
        } finally {
            hadoop.close();
            kdc.close();
        }
    }
}
