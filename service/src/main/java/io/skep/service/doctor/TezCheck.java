package io.skep.service.doctor;

import io.skep.common.error.SkepException;
import io.skep.tez.session.TezConfig;
import io.skep.tez.session.TezYarnState;
import io.skep.tez.wire.ContainerConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks whether YARN meets the requirements of Tez, when application masters or tasks run in YARN containers. These
 * are the queues, containers of the configured sizes, and the shuffle service for the tasks' rows on each node.
 */
record TezCheck(TezConfig config, Map<String, String> site, HadoopAccess access) implements Check {
    private static final int MAX_NAMES = 5;

    @Override
    public String part() {
        return "Tez";
    }

    @Override
    public List<Finding> run() throws InterruptedException {
        if (config.local()) {
            return List.of(
                    ContainerConfig.isUsed(site)
                            ? Finding.failure(
                                    part(),
                                    "tasks are to run in containers of YARN, and tez.local.mode is true",
                                    "set tez.local.mode=false, or hive.execution.mode=llap,"
                                            + " hive.llap.execution.mode=all and"
                                            + " skep.tez.containers-when-full=false")
                            : Finding.note(part(), "in the server's own process: tez.local.mode is true"));
        }
        Optional<Finding> problem = access.problem(part());
        if (problem.isPresent()) {
            return List.of(problem.get());
        }
        try {
            return judge(TezYarnState.check(site, config));
        } catch (SkepException e) {
            return List.of(Finding.failure(part(), e, "see that YARN is up"));
        }
    }

    List<Finding> judge(TezYarnState state) {
        List<Finding> findings = new ArrayList<>();
        state.refusals().forEach(refusal -> findings.add(Finding.failure(part(), refusal, "see the message")));
        if (findings.isEmpty()) {
            findings.add(Finding.ok(part(), "YARN takes application masters in " + String.join(", ", config.queues())));
        }
        state.shuffle().ifPresent(shuffle -> add(findings, shuffle));
        return findings;
    }

    private void add(List<Finding> findings, TezYarnState.Shuffle shuffle) {
        String remedy =
                "set yarn.nodemanager.aux-services=" + shuffle.service() + " there, with yarn.nodemanager.aux-services."
                        + shuffle.service() + ".class, and start the NodeManager again";
        if (!shuffle.without().isEmpty()) {
            findings.add(Finding.failure(
                    part(),
                    "nodes without the service " + shuffle.service() + ", where no task's container starts: "
                            + names(shuffle.without()),
                    remedy));
        }
        if (!shuffle.silent().isEmpty()) {
            findings.add(Finding.warning(
                    part(),
                    "whether they have the service " + shuffle.service() + ", nodes do not tell: "
                            + names(shuffle.silent().stream()
                                    .map(why -> String.valueOf(why.getMessage()))
                                    .toList()),
                    "see in the yarn-site.xml of each that yarn.nodemanager.aux-services has it"));
        }
        if (shuffle.with() > 0) {
            findings.add(Finding.ok(part(), shuffle.with() + " nodes have the service " + shuffle.service()));
        }
    }

    private static String names(List<String> all) {
        String first = String.join(", ", all.subList(0, Math.min(MAX_NAMES, all.size())));
        return all.size() > MAX_NAMES ? first + " and " + (all.size() - MAX_NAMES) + " more" : first;
    }
}
