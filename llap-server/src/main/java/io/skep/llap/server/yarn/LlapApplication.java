package io.skep.llap.server.yarn;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.yarn.PackageUpload;
import io.skep.llap.client.yarn.YarnCluster;
import io.skep.llap.server.yarn.MasterReport.ReportedDaemon;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnClusterMetrics;

/** Implements the commands on the daemons of one name on YARN. Used by one thread. */
final class LlapApplication implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,100}");
    private static final Duration LONGEST_KILL = Duration.ofSeconds(60);
    private static final long PAUSE_MILLIS = 250;
    private static final String QUEUE_HINT = "choose one with --queue or hive.llap.daemon.queue.name";

    private final String name;
    private final YarnCluster yarn;
    private final ApplicationFolder folder;
    private final Consumer<String> out;

    private LlapApplication(String name, YarnCluster yarn, ApplicationFolder folder, Consumer<String> out) {
        this.name = name;
        this.yarn = yarn;
        this.folder = folder;
        this.out = out;
    }

    /** @param out receives lines for people */
    static LlapApplication connect(String name, Configuration configuration, Consumer<String> out) {
        if (!NAME.matcher(name).matches()) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    "'" + name + "' is no name: letters, digits, '_', '.' and '-', 100 at most");
        }
        YarnCluster yarn = YarnCluster.connect(configuration, "LLAP");
        try {
            Path home = FileSystem.get(configuration).getHomeDirectory();
            Path path = new Path(home, ".skep/llap/" + name);
            return new LlapApplication(name, yarn, new ApplicationFolder(path, configuration), out);
        } catch (IOException e) {
            yarn.close();
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR,
                    "the cluster's file system does not answer: " + e.getMessage(),
                    e);
        }
    }

    /** Starts the application. */
    void start(DaemonLaunchSpec spec, int instances, String queue, int waitSeconds) {
        yarn.find(MasterSubmission.TYPE, name).ifPresent(running -> {
            throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            "LLAP " + name + " runs already, as " + running.getApplicationId())
                    .withHint("change it with resize or restart --rolling, end it with stop, or give another --name");
        });
        GetNewApplicationResponse announced = yarn.announce();
        MasterSubmission.check(YarnCluster.largest(announced), spec.memory(), spec.cores());
        yarn.checkQueue(queue, QUEUE_HINT);
        folder.delete();
        folder.create();
        ApplicationId id = announced.getApplicationId();
        DaemonPackage contents = send(spec, 1);
        folder.want(new DesiredState(id.toString(), instances, 1, spec.memory(), spec.cores(), false));
        yarn.submit(MasterSubmission.of(
                id,
                name,
                queue,
                folder.withTokens(contents.master(
                        MasterSubmission.MASTER_HEAP_MEGABYTES, folder.path().toString()))));
        out.accept("submitted " + id + " to queue " + queue);
        out.accept("each daemon: " + spec.memory().text() + "; " + spec.cores() + " cores");
        awaitReady(id, instances, 1, waitSeconds);
    }

    private DaemonPackage send(DaemonLaunchSpec spec, long generation) {
        PackageUpload upload = folder.upload();
        DaemonPackage contents = spec.contents(upload);
        folder.contents(generation, contents);
        out.accept(upload.text());
        return contents;
    }

    void resize(int instances, int waitSeconds) {
        DesiredState wanted = wanted();
        folder.want(wanted.withInstances(instances));
        out.accept("from " + wanted.instances() + " to " + instances + " daemons");
        awaitReady(ApplicationId.fromString(wanted.application()), instances, 0, waitSeconds);
    }

    /** Replaces the daemons one after the other with daemons of the current package, settings and size. */
    void restart(DaemonLaunchSpec spec, int waitSeconds) {
        DesiredState wanted = wanted();
        MasterSubmission.check(yarn.largest(), spec.memory(), spec.cores());
        long generation = wanted.generation() + 1;
        DaemonPackage contents = send(spec, generation);
        folder.want(new DesiredState(
                wanted.application(), wanted.instances(), generation, spec.memory(), spec.cores(), false));
        out.accept("restarting " + wanted.instances() + " daemons one by one with "
                + contents.files().size() + " files");
        awaitReady(ApplicationId.fromString(wanted.application()), wanted.instances(), generation, waitSeconds);
    }

    /**
     * Stops the application and removes its leftovers. Has no effect when it does not run.
     *
     * @param longest how long its daemons may take to finish their queries before they are killed
     */
    void stop(Duration longest) {
        Optional<ApplicationReport> running = yarn.find(MasterSubmission.TYPE, name);
        running.ifPresent(report -> end(report.getApplicationId(), longest));
        folder.delete();
        out.accept(
                running.map(report -> "stopped " + report.getApplicationId()).orElse("LLAP " + name + " does not run"));
    }

    private void end(ApplicationId id, Duration longest) {
        Optional<DesiredState> wanted =
                folder.wanted().filter(one -> one.application().equals(id.toString()));
        wanted.ifPresent(one -> folder.want(one.stopped()));
        boolean ended = wanted.isPresent() && await(longest, () -> !YarnCluster.isAlive(yarn.report(id)));
        if (!ended) {
            yarn.kill(id);
            await(LONGEST_KILL, () -> !YarnCluster.isAlive(yarn.report(id)));
        }
    }

    /** Prints the status of the application. */
    void status() {
        Optional<ApplicationReport> running = yarn.find(MasterSubmission.TYPE, name);
        if (running.isEmpty()) {
            out.accept("LLAP " + name + " does not run");
            return;
        }
        ApplicationReport application = running.get();
        out.accept("LLAP " + name + ": " + application.getApplicationId() + " in queue " + application.getQueue() + ", "
                + application.getYarnApplicationState().name().toLowerCase(Locale.ROOT));
        DesiredState wanted = wanted();
        out.accept("each daemon: " + wanted.memory().text() + "; " + wanted.cores() + " cores");
        Optional<MasterReport> report =
                folder.report().filter(one -> one.application().equals(wanted.application()));
        int ready = report.map(one -> one.ready(0)).orElse(0);
        out.accept(ready + " of " + wanted.instances() + " daemons ready, generation " + wanted.generation());
        report.ifPresent(this::show);
    }

    /** Returns the status of the application, and whether more daemons could be started. */
    YarnState state(LlapYarnConfig config) {
        YarnClusterMetrics metrics = yarn.metrics();
        Optional<ApplicationReport> running = yarn.find(MasterSubmission.TYPE, name);
        Optional<String> id = running.map(one -> one.getApplicationId().toString());
        Optional<DesiredState> wanted = folder.wanted()
                .filter(one -> id.filter(one.application()::equals).isPresent());
        Optional<MasterReport> report = folder.report()
                .filter(one -> id.filter(one.application()::equals).isPresent());
        return new YarnState(
                yarn.address(),
                metrics.getNumActiveNodeManagers(),
                metrics.getNumUnhealthyNodeManagers() + metrics.getNumLostNodeManagers(),
                refusals(config),
                name,
                id,
                wanted.map(DesiredState::instances).orElse(0),
                report.map(one -> one.ready(0)).orElse(0),
                report.map(MasterReport::failures)
                        .filter(failures -> !failures.isEmpty())
                        .map(List::getLast));
    }

    private List<SkepException> refusals(LlapYarnConfig config) {
        List<SkepException> refusals = new ArrayList<>();
        List<Runnable> checks = List.of(
                () -> MasterSubmission.check(
                        yarn.largest(),
                        ContainerMemory.divide(config.container(), config.heap(), config.cache()),
                        config.cores()),
                () -> yarn.checkQueue(config.queue(), QUEUE_HINT));
        for (Runnable check : checks) {
            try {
                check.run();
            } catch (SkepException e) {
                refusals.add(e);
            }
        }
        return refusals;
    }

    private void show(MasterReport report) {
        for (ReportedDaemon daemon : report.daemons()) {
            DaemonContainer container = daemon.container();
            DaemonAddress address = daemon.address();
            String where = address.host().isEmpty()
                    ? ""
                    : ", at " + address.host() + ":" + address.port() + ", pages " + address.uiPort() + ", process "
                            + address.pid();
            out.accept("  " + container.id() + " "
                    + container.phase().name().toLowerCase(Locale.ROOT) + " on " + container.node() + where
                    + ", generation " + container.generation());
        }
        report.failures().forEach(failure -> out.accept("  failed: " + failure));
    }

    private DesiredState wanted() {
        ApplicationReport running = yarn.find(MasterSubmission.TYPE, name)
                .orElseThrow(() -> new SkepException(
                                StandardErrorCode.INVALID_CONFIGURATION, "LLAP " + name + " does not run")
                        .withHint("start it with llap start --instances N"));
        return folder.wanted()
                .filter(one ->
                        one.application().equals(running.getApplicationId().toString()))
                .orElseThrow(() -> new SkepException(
                                StandardErrorCode.MISSING_FILE,
                                running.getApplicationId() + " runs without its folder " + folder.path())
                        .withHint("end it with llap stop and start it again"));
    }

    private void awaitReady(ApplicationId id, int instances, long generation, int waitSeconds) {
        boolean done = await(Duration.ofSeconds(waitSeconds), () -> {
            Optional<MasterReport> report =
                    folder.report().filter(one -> one.application().equals(id.toString()));
            if (report.isPresent()
                    && report.get().ready(generation) == instances
                    && report.get().daemons().size() == instances) {
                return true;
            }
            ApplicationReport application = yarn.report(id);
            if (!YarnCluster.isAlive(application)) {
                throw new SkepException(
                                StandardErrorCode.YARN_ERROR, id + " has ended: " + application.getDiagnostics())
                        .withHint("if YARN's nodes have another Java as JAVA_HOME, name a JDK 25 of theirs with "
                                + "skep.llap.yarn.java-home");
            }
            return false;
        });
        if (done) {
            out.accept(instances + " daemons are ready");
        } else if (waitSeconds > 0) {
            List<String> failures = folder.report().map(MasterReport::failures).orElse(List.of());
            throw new SkepException(
                            StandardErrorCode.TIME_LIMIT_EXCEEDED,
                            "not all " + instances + " daemons are ready after " + waitSeconds + " s"
                                    + (failures.isEmpty() ? "" : "; last failure: " + failures.getLast()))
                    .withHint("it goes on; llap status tells more, llap stop ends it");
        }
    }

    private static boolean await(Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        yarn.close();
    }
}
