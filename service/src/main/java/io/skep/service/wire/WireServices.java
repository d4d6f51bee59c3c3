package io.skep.service.wire;

import io.skep.authentication.tls.TlsContext;
import io.skep.metastore.Catalog;
import io.skep.service.audit.AuditLog;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.session.ClientSessions;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** What the transports of a server share: sessions, settings, authentication, memory and the key for TLS. */
public final class WireServices {
    private final ClientSessions sessions;
    private final Catalog catalog;
    private final ThriftConfig config;
    private final WireMemory memory;
    private final ClientAuthentication authentication;
    private final Optional<TlsContext> tls;

    /**
     * @param site all settings of the site, with its credential providers
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION when the key for TLS cannot be used
     */
    public WireServices(
            ClientSessions sessions,
            Catalog catalog,
            ThriftConfig config,
            ClientAuthentication authentication,
            Configuration site) {
        this.sessions = sessions;
        this.catalog = catalog;
        this.config = config;
        this.memory = WireMemory.of(config);
        this.authentication = authentication;
        this.tls = TlsContext.open(config.tls(), site);
    }

    ClientSessions sessions() {
        return sessions;
    }

    /** Returns the log of logins and of what clients ask for. */
    public AuditLog audit() {
        return sessions.audit();
    }

    Catalog catalog() {
        return catalog;
    }

    public ThriftConfig config() {
        return config;
    }

    /** Returns how clients are authenticated. */
    public ClientAuthentication authentication() {
        return authentication;
    }

    WireMemory memory() {
        return memory;
    }

    /** Returns the bytes that active requests hold together, beyond what each may use without a reservation. */
    public long requestBytes() {
        return memory.requests().reserved();
    }

    /** Present when clients have to use TLS. */
    public Optional<TlsContext> tls() {
        return tls;
    }
}
