package io.skep.service.doctor;

import io.skep.common.error.SkepException;
import io.skep.service.server.ServerConfig;
import io.skep.storage.file.HadoopSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs the checks concurrently, each with a time limit. */
final class Doctor {
    private final Duration limit;

    /** @param limit the time limit for the response of a part */
    Doctor(Duration limit) {
        this.limit = limit;
    }

    /**
     * Returns the checks of a server with these settings. Without valid settings, returns only those that do not need
     * them.
     *
     * @param hadoopConf folder of Hadoop's site files
     * @param conf folder of the server's site files
     */
    static List<Check> checks(Path data, Map<String, String> site, Optional<String> hadoopConf, Optional<String> conf) {
        List<Check> checks =
                new ArrayList<>(List.of(new JavaCheck(), new DescriptorCheck(), new SettingsCheck(site, data)));
        ServerConfig config;
        try {
            config = ServerConfig.of(site, data);
        } catch (SkepException e) {
            // The settings check reports the error.
            checks.add(new YarnCheck(hadoopConf, conf, HadoopAccess.withoutLogin()));
            return checks;
        }
        HadoopAccess access = new HadoopAccess(config.login(), HadoopSettings.of(site));
        checks.add(new MemoryCheck(config.daemon()));
        checks.add(new DataFolderCheck(data, config.daemon().spillFolder()));
        checks.add(new CommitsCheck(data));
        checks.add(new AuditCheck(config.audit()));
        checks.add(new WarehouseCheck(config.metastore(), HadoopSettings.of(site), access));
        checks.add(new DatabaseCheck(config.metastore()));
        checks.add(new ZooKeeperCheck(config.discovery()));
        checks.add(new DaemonsCheck(config));
        checks.add(new TezCheck(config.tez(), site, access));
        checks.add(new TlsCheck("TLS", config.wire().tls(), HadoopSettings.of(site), InstantSource.system()));
        checks.add(new TlsCheck(
                "TLS of the web pages", config.pagesTls(), HadoopSettings.of(site), InstantSource.system()));
        checks.add(new KerberosCheck(config.wire().authentication().users()));
        checks.add(new HadoopLoginCheck(config.login()));
        checks.add(new LdapCheck(config.wire().authentication().users(), HadoopSettings.of(site)));
        checks.add(new JwtCheck(config.wire().authentication().users()));
        checks.add(new ServerCheck(data, config));
        checks.add(new YarnCheck(hadoopConf, conf, access));
        return checks;
    }

    List<Finding> runChecks(List<Check> checks) throws InterruptedException {
        ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().name("check-", 0).factory());
        try {
            List<Future<List<Finding>>> running = new ArrayList<>();
            for (Check check : checks) {
                running.add(threads.submit(check::run));
            }
            long deadline = System.nanoTime() + limit.toNanos();
            List<Finding> findings = new ArrayList<>();
            for (int i = 0; i < running.size(); i++) {
                findings.addAll(await(checks.get(i), running.get(i), deadline));
            }
            return findings;
        } finally {
            // A check that hangs in a library is abandoned. Its thread stops when the process exits.
            threads.shutdownNow();
        }
    }

    private List<Finding> await(Check check, Future<List<Finding>> running, long deadline) throws InterruptedException {
        try {
            return running.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return List.of(Finding.failure(
                    check.part(),
                    "did not answer within " + limit.toSeconds() + " s",
                    "see whether it is overloaded, or cut off by a network or a firewall"));
        } catch (ExecutionException e) {
            Finding finding = e.getCause() instanceof SkepException error
                    ? Finding.failure(check.part(), error, "see the message")
                    : Finding.failure(check.part(), "failed: " + e.getCause(), "see the message");
            return List.of(finding);
        }
    }
}
