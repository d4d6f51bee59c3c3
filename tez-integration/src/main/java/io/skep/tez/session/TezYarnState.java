package io.skep.tez.session;

import io.skep.common.error.SkepException;
import io.skep.llap.client.yarn.LargestContainer;
import io.skep.llap.client.yarn.NodeSettings;
import io.skep.llap.client.yarn.YarnCluster;
import io.skep.llap.client.yarn.YarnNode;
import io.skep.tez.wire.ContainerConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * Whether YARN provides what a site's Tez needs.
 *
 * @param refusals why it would not start application masters, or containers of tasks
 * @param shuffle how nodes pass rows on; empty when the site's tasks do not run in containers
 */
public record TezYarnState(List<SkepException> refusals, Optional<Shuffle> shuffle) {
    /** The number of nodes that are asked in parallel. */
    private static final int ASKED_AT_ONCE = 32;

    public TezYarnState {
        refusals = List.copyOf(refusals);
    }

    /**
     * The availability of the shuffle service on the nodes.
     *
     * @param service that the site names
     * @param with how many nodes have it
     * @param without names of the nodes that do not have it
     * @param silent the errors of nodes that did not answer
     */
    public record Shuffle(String service, int with, List<String> without, List<SkepException> silent) {
        public Shuffle {
            without = List.copyOf(without);
            silent = List.copyOf(silent);
        }
    }

    /**
     * Asks YARN and, when tasks run in containers, its nodes. Takes seconds when some do not answer.
     *
     * @param site settings of the server
     * @throws SkepException YARN_ERROR when YARN does not answer, INVALID_CONFIGURATION
     */
    public static TezYarnState check(Map<String, String> site, TezConfig config) throws InterruptedException {
        Configuration cluster = YarnMasters.cluster(site);
        try (YarnCluster yarn = YarnMasters.connect(cluster)) {
            List<SkepException> refusals = new ArrayList<>();
            for (String queue : config.queues()) {
                note(refusals, () -> YarnMasters.checkQueue(yarn, queue));
            }
            LargestContainer largest = yarn.largest();
            note(refusals, () -> YarnMasters.checkSize(largest, cluster));
            if (!ContainerConfig.isUsed(site)) {
                return new TezYarnState(refusals, Optional.empty());
            }
            ContainerConfig containers = ContainerConfig.of(site);
            List<YarnNode> nodes = yarn.nodes();
            note(refusals, () -> {
                containers.check(largest);
                containers.checkRoom(YarnNode.megabytes(nodes), YarnMasters.megabytes(cluster));
            });
            return new TezYarnState(refusals, Optional.of(shuffle(nodes, cluster)));
        }
    }

    private static void note(List<SkepException> refusals, Runnable check) {
        try {
            check.run();
        } catch (SkepException e) {
            refusals.add(e);
        }
    }

    private static Shuffle shuffle(List<YarnNode> nodes, Configuration cluster) throws InterruptedException {
        String service = YarnMasters.shuffleService(cluster);
        List<String> without = new ArrayList<>();
        List<SkepException> silent = new ArrayList<>();
        try (NodeSettings settings = new NodeSettings(cluster);
                ExecutorService threads = Executors.newFixedThreadPool(
                        ASKED_AT_ONCE, Thread.ofVirtual().name("node-", 0).factory())) {
            List<Future<Boolean>> answers = nodes.stream()
                    .map(node -> threads.submit(() -> has(settings, node, service)))
                    .toList();
            for (int i = 0; i < nodes.size(); i++) {
                try {
                    if (!answers.get(i).get()) {
                        without.add(nodes.get(i).name());
                    }
                } catch (ExecutionException e) {
                    silent.add(told(e));
                }
            }
        }
        return new Shuffle(service, nodes.size() - without.size() - silent.size(), without, silent);
    }

    private static SkepException told(ExecutionException failure) {
        if (failure.getCause() instanceof SkepException known) {
            return known;
        }
        throw new IllegalStateException(failure.getCause());
    }

    private static boolean has(NodeSettings settings, YarnNode node, String service) {
        return settings.find(node, YarnConfiguration.NM_AUX_SERVICES).stream()
                .flatMap(services -> Arrays.stream(services.split(",", -1)))
                .anyMatch(one -> one.strip().equals(service));
    }
}
