package io.skep.itests.secure;

import io.skep.itests.server.SkepCommand;
import io.skep.itests.yarn.LlapShell;
import io.skep.itests.yarn.YarnProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.kerby.kerberos.kerb.KrbException;

/**
 * A YARN that accepts nobody without a ticket, on the HDFS of a {@link SecureSite}, and commands that start daemons on
 * it. Tickets of processes in its containers live for some seconds.
 */
final class SecureYarn implements AutoCloseable {
    private static final String PRINCIPAL = "yarn/localhost@EXAMPLE.ORG";

    private final SecureSite site;
    private final Path folder;
    private final YarnProcess yarn;

    private SecureYarn(SecureSite site, Path folder, YarnProcess yarn) {
        this.site = site;
        this.folder = folder;
        this.yarn = yarn;
    }

    /**
     * @param folder for all files of its processes
     * @param life of the tickets of processes in containers
     * @param changes settings in addition to those of the site
     */
    static SecureYarn start(SecureSite site, Path folder, Duration life, Map<String, String> changes)
            throws IOException, KrbException {
        String keytab = site.kdc().keytab("yarn", PRINCIPAL).toString();
        Map<String, String> settings = new HashMap<>(site.settings());
        settings.putAll(changes);
        for (String server : List.of("resourcemanager", "nodemanager")) {
            settings.put("yarn." + server + ".principal", PRINCIPAL);
            settings.put("yarn." + server + ".keytab", keytab);
        }
        settings.put(
                "yarn.nodemanager.admin-env",
                SecureSite.with(site.kdc().conf(life)).getLast());
        // By default it is in a folder of HDFS that somebody else would have to make.
        settings.put(
                "yarn.node-attribute.fs-store.root-dir",
                folder.resolve("attributes").toUri().toString());
        settings.put("yarn.minicluster.yarn.nodemanager.resource.memory-mb", "6144");
        YarnProcess yarn = YarnProcess.start(
                folder,
                1,
                settings,
                List.of("-Djava.security.krb5.conf=" + site.kdc().conf()));
        return new SecureYarn(site, folder, yarn);
    }

    YarnProcess processes() {
        return yarn;
    }

    /** Returns the settings of a client that YARN's servers know. */
    Map<String, String> settings() {
        return yarn.settings();
    }

    /** The outcome of a command. */
    record Outcome(int status, String output) {}

    /**
     * Runs {@code llap} with the ticket cache of a user.
     *
     * @param environment of the process, with its ticket cache
     * @param keytab the keytab of the daemons
     */
    Outcome llap(Map<String, String> environment, Path keytab, String... arguments)
            throws IOException, InterruptedException {
        Path conf = Files.createTempDirectory(folder, "conf");
        Files.copy(yarn.conf().resolve("core-site.xml"), conf.resolve("core-site.xml"));
        Map<String, String> settings = site.registered(Map.of(
                "hive.llap.daemon.service.principal",
                SecureSite.SKEP,
                "hive.llap.daemon.keytab.file",
                keytab.toString(),
                "skep.llap.bind-host",
                "127.0.0.1"));
        settings.keySet().removeIf(name -> name.startsWith("hive.server2."));
        Configuration hive = new Configuration(false);
        settings.forEach(hive::set);
        try (var out = Files.newOutputStream(conf.resolve("hive-site.xml"))) {
            hive.writeXml(out);
        }
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--conf", conf.toString()));
        return run(environment, LlapShell.classPath(), "io.skep.llap.server.yarn.LlapMain", all);
    }

    /** Runs {@code doctor} with the folder of a server's settings. */
    Outcome doctor(Path conf) throws IOException, InterruptedException, KrbException {
        return run(
                site.kdc().ticket("somebody"),
                SkepCommand.classPath(),
                "io.skep.service.doctor.DoctorMain",
                List.of("--data", folder.resolve("doctor").toString(), "--conf", conf.toString()));
    }

    private static Outcome run(
            Map<String, String> environment, List<String> classPath, String main, List<String> arguments)
            throws IOException, InterruptedException {
        ProcessBuilder command = new ProcessBuilder(SkepCommand.of(
                        classPath,
                        List.of("-Xmx256m", "-Dskep.home=" + System.getProperty("skep.home")),
                        main,
                        arguments))
                .redirectErrorStream(true);
        command.environment().putAll(environment);
        Process process = command.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output);
    }

    @Override
    public void close() {
        yarn.close();
    }
}
