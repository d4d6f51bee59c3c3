package io.skep.tez.session;

import io.skep.common.error.SkepException;
import io.skep.llap.client.yarn.LaunchTokens;
import io.skep.llap.client.yarn.YarnCluster;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.client.api.YarnClientApplication;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.util.Records;
import org.apache.tez.client.FrameworkClient;
import org.apache.tez.dag.api.TezConfiguration;
import org.jspecify.annotations.Nullable;

/** YARN as Tez's client sees it. The connection is closed by its owner. */
final class YarnFrameworkClient extends FrameworkClient {
    private final YarnCluster yarn;
    private volatile @Nullable String host;
    private volatile int port;
    private volatile boolean running;
    private volatile Instant replacement = Instant.MAX;

    YarnFrameworkClient(YarnCluster yarn) {
        this.yarn = yarn;
    }

    @Override
    public void init(TezConfiguration configuration) {}

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public void close() {}

    @Override
    public YarnClientApplication createApplication() {
        GetNewApplicationResponse announced = yarn.announce();
        ApplicationSubmissionContext context = Records.newRecord(ApplicationSubmissionContext.class);
        context.setApplicationId(announced.getApplicationId());
        return new YarnClientApplication(announced, context);
    }

    @Override
    public ApplicationId submitApplication(ApplicationSubmissionContext context) {
        // Tez requires a shuffle service of the nodes, which they may not have. Rows go through daemons.
        context.getAMContainerSpec().getServiceData().clear();
        ByteBuffer tokens = context.getAMContainerSpec().getTokens();
        if (tokens != null && UserGroupInformation.isSecurityEnabled()) {
            replacement = LaunchTokens.replacement(tokens).orElse(Instant.MAX);
        }
        yarn.submit(context);
        return context.getApplicationId();
    }

    /** Returns when the application has to be replaced by another one, before the tokens that it was given end. */
    Instant replacement() {
        return replacement;
    }

    @Override
    public void killApplication(ApplicationId id) throws YarnException {
        try {
            yarn.kill(id);
        } catch (SkepException e) {
            throw known(e);
        }
    }

    @Override
    public ApplicationReport getApplicationReport(ApplicationId id) throws YarnException {
        try {
            ApplicationReport report = yarn.report(id);
            host = report.getHost();
            port = report.getRpcPort();
            return report;
        } catch (SkepException e) {
            throw known(e);
        }
    }

    /** Returns the exception that Tez checks for, if it is the cause of the failure. */
    private static ApplicationNotFoundException known(SkepException failure) {
        if (failure.getCause() instanceof ApplicationNotFoundException gone) {
            return gone;
        }
        throw failure;
    }

    @Override
    public @Nullable String getAmHost() {
        return host;
    }

    @Override
    public int getAmPort() {
        return port;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
