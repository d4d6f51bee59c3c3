package io.skep.tez.container;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.OutputSource;
import io.skep.llap.client.PageStream;
import io.skep.llap.client.TaskAttemptId;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.tez.common.security.JobTokenSecretManager;
import org.apache.tez.http.BaseHttpConnection;
import org.apache.tez.http.HttpConnectionParams;
import org.apache.tez.runtime.api.ProcessorContext;
import org.apache.tez.runtime.library.common.TezRuntimeUtils;
import org.apache.tez.runtime.library.common.shuffle.ShuffleUtils;

/**
 * The shuffle services of the cluster's nodes, from which a container fetches. They authorize fetches by the session's
 * token, which Tez gives to its containers and to them. Thread-safe.
 */
final class ShuffleService implements Function<DaemonIdentity, OutputSource> {
    private final String application;
    private final HttpConnectionParams connectionParams;
    private final JobTokenSecretManager secrets;
    private final ExecutorService readers = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("shuffle-", 0).factory());

    /** @param context of any task of the session */
    ShuffleService(ProcessorContext context) throws IOException {
        Configuration configuration = context.getContainerConfiguration();
        this.application = context.getApplicationId().toString();
        this.connectionParams = TezRuntimeUtils.getHttpConnectionParams(configuration);
        this.secrets = new JobTokenSecretManager(
                ShuffleUtils.getJobTokenSecretFromTokenBytes(
                        context.getServiceConsumerMetaData(ShuffleFiles.service(configuration))),
                configuration);
    }

    /** Returns the output of one attempt on one node. */
    @Override
    public OutputSource apply(DaemonIdentity attempt) {
        return new Holder(attempt);
    }

    private final class Holder implements OutputSource {
        private final DaemonIdentity attempt;

        Holder(DaemonIdentity attempt) {
            this.attempt = attempt;
        }

        @Override
        public PageStream open(QueryId query, TaskAttemptId output, int partition, long windowBytes) {
            return new ShuffleStream(
                    () -> connect(url(attempt, partition)), attempt.incarnation(), partition, readers, lost(output));
        }

        /** Files do not count their readers. */
        @Override
        public void releaseReader(QueryId query, TaskAttemptId output) {}

        private Function<IOException, SkepException> lost(TaskAttemptId output) {
            return cause -> new SkepException(
                            StandardErrorCode.OUTPUT_LOST,
                            "the rows of task " + output.task() + " of fragment " + output.fragment()
                                    + " cannot be fetched from the shuffle service at "
                                    + attempt.endpoint()
                                            .map(DaemonEndpoint::toString)
                                            .orElse("") + ": "
                                    + cause.getMessage(),
                            cause)
                    .about(attempt.incarnation());
        }
    }

    private URL url(DaemonIdentity attempt, int partition) throws MalformedURLException {
        DaemonEndpoint node = attempt.endpoint().orElseThrow();
        return URI.create(ShuffleUtils.constructBaseURIForShuffleHandler(
                                node.host(),
                                node.port(),
                                partition,
                                1,
                                application,
                                attempt.slot(),
                                connectionParams.isSslShuffle())
                        .append(attempt.incarnation())
                        .toString())
                .toURL();
    }

    private BaseHttpConnection connect(URL url) throws IOException {
        BaseHttpConnection connection =
                TezRuntimeUtils.getHttpConnection(false, url, connectionParams, url.toString(), secrets);
        try {
            connection.connect();
            connection.validate();
            return connection;
        } catch (IOException | InterruptedException e) {
            connection.cleanup(true);
            throw e instanceof IOException failed ? failed : new IOException("interrupted", e);
        }
    }
}
