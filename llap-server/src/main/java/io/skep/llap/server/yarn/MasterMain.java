package io.skep.llap.server.yarn;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.kerberos.ServicePrincipal;
import io.skep.common.lifecycle.Closer;
import io.skep.common.time.SteadyClock;
import io.skep.llap.client.yarn.PackagedFile;
import io.skep.llap.server.yarn.MasterReport.ReportedDaemon;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.ApplicationAttemptNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of the application master, in a container of its own. It may be killed at any time: YARN starts the next
 * one, and the daemons stay. Its argument is the application's folder.
 */
public final class MasterMain {
    private static final Logger LOG = LoggerFactory.getLogger(MasterMain.class);
    private static final long TURN_MILLIS = 250;
    private static final long LOOK_MILLIS = 500;
    /** In addition to the time of its daemons. */
    private static final Duration LONGEST_END = Duration.ofSeconds(30);

    private final YarnConfiguration configuration;
    private final ApplicationFolder folder;
    private final String application;
    private final int attempt;
    private final Map<String, String> settings;
    private final DaemonTimeouts times;
    private final Fleet fleet = new Fleet();

    private MasterMain(
            YarnConfiguration configuration,
            Map<String, String> settings,
            ApplicationFolder folder,
            ApplicationAttemptId id) {
        this.configuration = configuration;
        this.folder = folder;
        this.application = id.getApplicationId().toString();
        this.attempt = id.getAttemptId();
        this.settings = settings;
        this.times = DaemonTimeouts.of(settings);
    }

    public static void main(String[] arguments) {
        ClusterSettings site = ClusterSettings.read(Optional.empty(), Optional.of(PackagedFile.CONF));
        YarnConfiguration configuration = site.configuration();
        // A node that does not answer is abandoned soon, and its container goes elsewhere.
        configuration.setLong(YarnConfiguration.CLIENT_NM_CONNECT_MAX_WAIT_MS, 10_000);
        configuration.setLong(YarnConfiguration.CLIENT_NM_CONNECT_RETRY_INTERVAL_MS, 1000);
        ContainerId container =
                ContainerId.fromString(System.getenv(ApplicationConstants.Environment.CONTAINER_ID.key()));
        try (Closer login = new Closer()) {
            Optional<ServicePrincipal> principal = site.login();
            if (principal.isPresent()) {
                login.own(MasterLogin.start(principal.get(), configuration));
            }
            ApplicationFolder folder = new ApplicationFolder(new Path(arguments[0]), configuration);
            new MasterMain(configuration, site.skep(), folder, container.getApplicationAttemptId()).run();
            System.exit(0);
        } catch (IOException | YarnException | SkepException | InterruptedException e) {
            LOG.error("the application master ends", e);
            System.exit(1);
        }
    }

    private void run() throws IOException, YarnException, InterruptedException {
        DesiredState first = folder.wanted()
                .orElseThrow(() -> new SkepException(
                        StandardErrorCode.MISSING_FILE, folder.path() + " does not say what is wanted"));
        Map<String, Long> generations = restoreState();
        InstantSource clock = SteadyClock.start();
        FolderWatch watch = new FolderWatch(folder, fleet, first, application, attempt, clock);
        try (AMRMClient<ContainerRequest> manager = AMRMClient.createAMRMClient();
                NMClient nodes = NMClient.createNMClient();
                DaemonContacts contacts = new DaemonContacts(settings, fleet);
                ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor()) {
            manager.init(configuration);
            manager.start();
            nodes.cleanupRunningContainersOnStop(false);
            nodes.init(configuration);
            nodes.start();
            ApplicationMaster master = new ApplicationMaster(
                    manager,
                    new DaemonLauncher(nodes, folder),
                    fleet,
                    contacts,
                    times,
                    nodeNames(),
                    generations,
                    clock);
            String host = InetAddress.getLocalHost().getHostName();
            master.adopt(manager.registerApplicationMaster(host, -1, "").getContainersFromPreviousAttempts());
            var _ = looking.scheduleWithFixedDelay(watch::poll, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
            serve(master, watch, clock);
            looking.shutdownNow();
            manager.unregisterApplicationMaster(FinalApplicationStatus.SUCCEEDED, "stopped", "");
        }
    }

    /** Restores the state of an earlier master of the application: the generations of its daemons, and the failures. */
    private Map<String, Long> restoreState() {
        Optional<MasterReport> earlier =
                folder.report().filter(report -> report.application().equals(application));
        earlier.ifPresent(report -> fleet.restoreFailures(report.failures()));
        return earlier.map(MasterReport::daemons).orElse(List.of()).stream()
                .map(ReportedDaemon::container)
                .collect(Collectors.toMap(DaemonContainer::id, DaemonContainer::generation));
    }

    /** Runs rounds until the application must stop and no container is left, or the time for stopping has passed. */
    private void serve(ApplicationMaster master, FolderWatch watch, InstantSource clock)
            throws YarnException, InterruptedException {
        Instant endBy = Instant.MAX;
        while (clock.instant().isBefore(endBy)) {
            DesiredState read = watch.wanted();
            // Another application with the same name has taken over the folder.
            DesiredState wanted = read.application().equals(application) ? read : read.stopped();
            turn(master, wanted);
            if (wanted.stop() && endBy.equals(Instant.MAX)) {
                endBy = clock.instant().plus(times.end()).plus(LONGEST_END);
            }
            if (wanted.stop() && fleet.containers().isEmpty()) {
                return;
            }
            Thread.sleep(TURN_MILLIS);
        }
    }

    private static void turn(ApplicationMaster master, DesiredState wanted) throws YarnException {
        try {
            master.runRound(wanted);
        } catch (ApplicationAttemptNotFoundException e) {
            // YARN has abandoned this master and started another one.
            throw e;
        } catch (IOException | YarnException e) {
            LOG.warn("the resource manager does not answer: {}", e.toString());
        }
    }

    private Function<NodeId, String> nodeNames() {
        boolean withPort = configuration.getBoolean(
                YarnConfiguration.RM_SCHEDULER_INCLUDE_PORT_IN_NODE_NAME,
                YarnConfiguration.DEFAULT_RM_SCHEDULER_USE_PORT_FOR_NODE_NAME);
        return withPort ? NodeId::toString : NodeId::getHost;
    }
}
