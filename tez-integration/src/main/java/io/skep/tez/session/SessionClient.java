package io.skep.tez.session;

import io.skep.llap.client.yarn.YarnCluster;
import io.skep.tez.plugin.DaemonPlugins;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.security.PrivilegedExceptionAction;
import java.time.Instant;
import java.util.Map;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.tez.client.FrameworkClient;
import org.apache.tez.client.TezClient;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.TezException;
import org.jspecify.annotations.Nullable;

/** Tez's session client with Skep's own YARN protocol. Tez's own protocol code needs Jetty 9.4. */
final class SessionClient extends TezClient {
    private final @Nullable YarnCluster yarn;
    private volatile @Nullable YarnFrameworkClient framework;

    private SessionClient(
            String name,
            TezConfiguration configuration,
            Map<String, LocalResource> files,
            DaemonPlugins plugins,
            @Nullable YarnCluster yarn) {
        super(name, configuration, true, files, new Credentials(), plugins.descriptor());
        this.yarn = yarn;
    }

    /** Creates a client for a master in this process. */
    static SessionClient local(String name, TezConfiguration configuration, DaemonPlugins plugins) {
        return new SessionClient(name, configuration, Map.of(), plugins, null);
    }

    /**
     * Creates a client for a master in a container.
     *
     * @param files files for the container, by their paths in it
     */
    static SessionClient onYarn(
            String name,
            TezConfiguration configuration,
            Map<String, LocalResource> files,
            DaemonPlugins plugins,
            YarnCluster yarn) {
        return new SessionClient(name, configuration, files, plugins, yarn);
    }

    /**
     * Tez wants the folder of a session to belong to Hadoop's user. A master in this process has a local one, which
     * belongs to the user of the process, also where Hadoop knows the process by another name.
     */
    @Override
    public synchronized void start() throws TezException, IOException {
        if (yarn != null) {
            super.start();
            return;
        }
        try {
            UserGroupInformation.createRemoteUser(System.getProperty("user.name", ""))
                    .doAs((PrivilegedExceptionAction<@Nullable Void>) () -> {
                        super.start();
                        return null;
                    });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the start of a Tez session was interrupted");
        } catch (UndeclaredThrowableException e) {
            // Hadoop wraps all but errors of input and output.
            if (e.getCause() instanceof TezException cause) {
                throw cause;
            }
            throw e;
        }
    }

    @Override
    protected FrameworkClient createFrameworkClient() {
        YarnCluster cluster = yarn;
        if (cluster == null) {
            return super.createFrameworkClient();
        }
        YarnFrameworkClient client = new YarnFrameworkClient(cluster);
        framework = client;
        return client;
    }

    /** Returns when the session has to be replaced by another one. */
    Instant replacement() {
        YarnFrameworkClient client = framework;
        return client == null ? Instant.MAX : client.replacement();
    }
}
