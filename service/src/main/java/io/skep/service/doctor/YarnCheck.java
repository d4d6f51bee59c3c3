package io.skep.service.doctor;

import io.skep.common.error.SkepException;
import io.skep.llap.server.yarn.YarnState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks YARN in the configuration of {@code bin/skep llap}: whether it responds, accepts daemons of the configured
 * size, and runs the requested ones.
 *
 * @param hadoopConf folder of Hadoop's site files
 * @param conf folder of the server's site files, which may also contain Hadoop's
 * @param access the server's login, whose user's daemons are looked for where Hadoop has Kerberos
 */
record YarnCheck(Optional<String> hadoopConf, Optional<String> conf, HadoopAccess access) implements Check {
    @Override
    public String part() {
        return "YARN";
    }

    @Override
    public List<Finding> run() {
        Optional<Finding> problem = access.problem(part());
        if (problem.isPresent()) {
            return List.of(problem.get());
        }
        Optional<YarnState> found;
        try {
            found = YarnState.query(hadoopConf, conf);
        } catch (SkepException e) {
            return List.of(Finding.failure(part(), e, "see that YARN is up"));
        }
        return found.map(this::judge)
                .orElse(List.of(Finding.note(part(), "not used: no yarn-site.xml names a resource manager")));
    }

    List<Finding> judge(YarnState yarn) {
        List<Finding> findings = new ArrayList<>();
        findings.add(
                yarn.nodes() > 0
                        ? Finding.ok(part(), yarn.address() + " answers, with " + yarn.nodes() + " nodes")
                        : Finding.failure(
                                part(),
                                yarn.address() + " answers, and has no node",
                                "start NodeManagers, and see why those that run are not active"));
        if (yarn.badNodes() > 0) {
            findings.add(Finding.warning(
                    part(),
                    yarn.badNodes() + " nodes are unhealthy or lost",
                    "yarn node -list -all names them, and what is wrong with each"));
        }
        yarn.refusals().forEach(refusal -> findings.add(Finding.failure(part(), refusal, "see the message")));
        findings.add(daemons(yarn));
        return findings;
    }

    private static Finding daemons(YarnState yarn) {
        String part = "LLAP on YARN";
        if (yarn.application().isEmpty()) {
            return Finding.note(part, yarn.name() + " does not run");
        }
        String text = yarn.name() + ": " + yarn.ready() + " of " + yarn.wanted() + " daemons are ready, "
                + yarn.application().get();
        return yarn.ready() >= yarn.wanted()
                ? Finding.ok(part, text)
                : Finding.warning(
                        part,
                        text
                                + yarn.failure()
                                        .map(last -> "; last failure: " + last)
                                        .orElse(""),
                        "bin/skep llap status tells where they are; YARN's logs why they are not ready");
    }
}
