package io.skep.llap.client.yarn;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.kerberos.KerberosFailures;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.yarn.api.ApplicationClientProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.GetApplicationReportRequest;
import org.apache.hadoop.yarn.api.protocolrecords.GetApplicationsRequest;
import org.apache.hadoop.yarn.api.protocolrecords.GetClusterMetricsRequest;
import org.apache.hadoop.yarn.api.protocolrecords.GetClusterNodesRequest;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationResponse;
import org.apache.hadoop.yarn.api.protocolrecords.GetQueueInfoRequest;
import org.apache.hadoop.yarn.api.protocolrecords.KillApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.QueueInfo;
import org.apache.hadoop.yarn.api.records.QueueState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.api.records.YarnClusterMetrics;
import org.apache.hadoop.yarn.client.ClientRMProxy;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * YARN, for code that starts applications. Every call ends within a bounded time. Thread-safe.
 *
 * <p>This class speaks the protocol itself: YARN's client class does not load without Jetty 9.4, which is kept off
 * Skep's class path.
 */
public final class YarnCluster implements AutoCloseable {
    private static final Duration LONGEST_CALL = Duration.ofSeconds(30);
    private static final Set<YarnApplicationState> ALIVE = EnumSet.of(
            YarnApplicationState.NEW,
            YarnApplicationState.NEW_SAVING,
            YarnApplicationState.SUBMITTED,
            YarnApplicationState.ACCEPTED,
            YarnApplicationState.RUNNING);

    private final ApplicationClientProtocol client;
    private final Configuration configuration;

    private YarnCluster(ApplicationClientProtocol client, Configuration configuration) {
        this.client = client;
        this.configuration = configuration;
    }

    /**
     * Connects to the resource manager that the settings name. Where Hadoop has Kerberos, the process has to be logged
     * in.
     *
     * @param what needs YARN, for people
     * @throws SkepException INVALID_CONFIGURATION when no settings name one
     */
    public static YarnCluster connect(Configuration site, String what) {
        Configuration configuration = new Configuration(site);
        if (!isNamed(configuration)) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            what + " needs YARN: " + YarnConfiguration.RM_HOSTNAME + " is not set")
                    .withHint("point --conf at a folder with the cluster's yarn-site.xml and core-site.xml");
        }
        configuration.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, 5000);
        configuration.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, 1000);
        // The proxy above retries.
        configuration.setInt("ipc.client.connect.max.retries", 0);
        try {
            ApplicationClientProtocol client =
                    ClientRMProxy.createRMProxy(configuration, ApplicationClientProtocol.class);
            return new YarnCluster(client, configuration);
        } catch (IOException e) {
            throw new SkepException(StandardErrorCode.YARN_ERROR, "YARN cannot be reached: " + e.getMessage(), e);
        }
    }

    /** Whether the settings name a resource manager. */
    public static boolean isNamed(Configuration configuration) {
        return configuration.getBoolean(YarnConfiguration.RM_HA_ENABLED, false)
                || !address(configuration).startsWith("0.0.0.0:");
    }

    /** Returns the address of the resource manager. */
    public String address() {
        return address(configuration);
    }

    /** Returns metrics such as the number of nodes. */
    public YarnClusterMetrics metrics() {
        return call(() -> client.getClusterMetrics(GetClusterMetricsRequest.newInstance()))
                .getClusterMetrics();
    }

    /** Returns the nodes that run containers. */
    public List<YarnNode> nodes() {
        GetClusterNodesRequest request = GetClusterNodesRequest.newInstance(EnumSet.of(NodeState.RUNNING));
        return call(() -> client.getClusterNodes(request)).getNodeReports().stream()
                .map(node -> new YarnNode(
                        node.getNodeId().toString(),
                        Objects.requireNonNullElse(node.getHttpAddress(), ""),
                        node.getCapability().getMemorySize()))
                .toList();
    }

    /** Returns the memory for containers of all running nodes. */
    public long memoryMegabytes() {
        return YarnNode.megabytes(nodes());
    }

    /** Returns the size of the largest container. */
    public LargestContainer largest() {
        return largest(announce());
    }

    /** Returns the largest container that YARN reported when an application was {@link #announce announced}. */
    public static LargestContainer largest(GetNewApplicationResponse announced) {
        Resource largest = announced.getMaximumResourceCapability();
        return new LargestContainer(largest.getMemorySize(), largest.getVirtualCores());
    }

    private static String address(Configuration configuration) {
        return NetUtils.getHostPortString(configuration.getSocketAddr(
                YarnConfiguration.RM_ADDRESS, YarnConfiguration.DEFAULT_RM_ADDRESS, YarnConfiguration.DEFAULT_RM_PORT));
    }

    /** Returns the application of that type and name that is starting or running. */
    public Optional<ApplicationReport> find(String type, String name) {
        GetApplicationsRequest request = GetApplicationsRequest.newInstance(Set.of(type), EnumSet.copyOf(ALIVE));
        return call(() -> client.getApplications(request)).getApplicationList().stream()
                .filter(report -> report.getName().equals(name))
                .findFirst();
    }

    /** Lists all applications that are starting or running, of any type: type, name and number of each. */
    public List<String> running() {
        GetApplicationsRequest request = GetApplicationsRequest.newInstance(EnumSet.copyOf(ALIVE));
        return call(() -> client.getApplications(request)).getApplicationList().stream()
                .map(report -> report.getApplicationType() + " " + report.getName() + " " + report.getApplicationId())
                .toList();
    }

    /** Requests a number for an application. The response also contains the size of the largest container. */
    public GetNewApplicationResponse announce() {
        return call(() -> client.getNewApplication(GetNewApplicationRequest.newInstance()));
    }

    /**
     * Checks a queue.
     *
     * @param hint how to choose another queue
     * @throws SkepException INVALID_CONFIGURATION when YARN has no such queue, or it accepts no applications
     */
    public void checkQueue(String queue, String hint) {
        Map<String, QueueState> queues = new TreeMap<>();
        addQueues(
                call(() -> client.getQueueInfo(GetQueueInfoRequest.newInstance("root", false, true, true)))
                        .getQueueInfo(),
                queues);
        QueueState state = queues.get(queue);
        if (state != QueueState.RUNNING) {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            state == null
                                    ? "YARN has no queue " + queue + "; queues are "
                                            + String.join(", ", queues.keySet())
                                    : "YARN's queue " + queue + " takes no applications, it is " + state)
                    .withHint(hint);
        }
    }

    /** Adds the leaf queues below a queue, by short name and by path. */
    private static void addQueues(QueueInfo queue, Map<String, QueueState> queues) {
        if (queue.getChildQueues().isEmpty()) {
            queues.put(queue.getQueueName(), queue.getQueueState());
            queues.put(queue.getQueuePath(), queue.getQueueState());
        }
        queue.getChildQueues().forEach(child -> addQueues(child, queues));
    }

    /** Submits an application whose number was {@link #announce announced}. */
    public void submit(ApplicationSubmissionContext application) {
        call(() -> client.submitApplication(SubmitApplicationRequest.newInstance(application)));
    }

    /** Returns the report of an application, which may have ended. */
    public ApplicationReport report(ApplicationId id) {
        return call(() -> client.getApplicationReport(GetApplicationReportRequest.newInstance(id)))
                .getApplicationReport();
    }

    public static boolean isAlive(ApplicationReport report) {
        return ALIVE.contains(report.getYarnApplicationState());
    }

    public void kill(ApplicationId id) {
        call(() -> client.forceKillApplication(KillApplicationRequest.newInstance(id)));
    }

    private interface Call<T> {
        T run() throws IOException, YarnException;
    }

    private <T> T call(Call<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().daemon().name("yarn-call").start(() -> {
            try {
                result.complete(call.run());
            } catch (IOException | YarnException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return result.get(LONGEST_CALL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw failed(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(e);
        } finally {
            thread.interrupt();
        }
    }

    private SkepException failed(Throwable cause) {
        if (KerberosFailures.lacksTicket(cause)) {
            return new SkepException(
                            StandardErrorCode.KERBEROS_ERROR,
                            "YARN's resource manager at " + address(configuration)
                                    + " takes no ticket of this process: " + cause.getMessage(),
                            cause)
                    .withHint("check " + YarnConfiguration.RM_PRINCIPAL + ", which is '"
                            + configuration.get(YarnConfiguration.RM_PRINCIPAL, "")
                            + "', and the log of this process for its own login");
        }
        boolean unreachable = cause instanceof TimeoutException || cause instanceof IOException;
        String what = unreachable
                ? "YARN's resource manager at " + address(configuration) + " does not answer"
                : "YARN refuses: " + cause.getMessage();
        SkepException error = new SkepException(StandardErrorCode.YARN_ERROR, what, cause);
        return unreachable
                ? error.withHint("check yarn.resourcemanager.hostname, and that the resource manager runs")
                : error;
    }

    @Override
    public void close() {
        RPC.stopProxy(client);
    }
}
