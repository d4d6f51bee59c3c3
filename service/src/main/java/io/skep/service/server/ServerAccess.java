package io.skep.service.server;

import io.skep.service.audit.AuditLog;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.http.HttpTls;
import io.skep.service.http.PageLogin;
import io.skep.service.wire.TlsContext;
import io.skep.webui.PageAccess;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How clients and users of the pages get in.
 *
 * @param authentication of both
 * @param pagesTls the key of the pages, if they are encrypted
 * @param viewers the users who may see the pages
 */
record ServerAccess(ClientAuthentication authentication, Optional<TlsContext> pagesTls, PageViewers viewers) {
    private static final Logger LOG = LoggerFactory.getLogger(ServerAccess.class);

    /**
     * @param site all settings of the site, with its credential providers
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION when a key or a file of it cannot be used
     */
    static ServerAccess open(ServerConfig config, InetAddress host, Configuration site) {
        ClientAuthentication authentication =
                ClientAuthentication.open(config.wire().authentication(), site);
        boolean passwords =
                authentication.config().verifies() && authentication.passwords().isPresent();
        if (passwords && !host.isLoopbackAddress() && !config.wire().tls().enabled()) {
            LOG.warn("Passwords of clients can be read on the network: hive.server2.use.SSL=true encrypts them");
        }
        return new ServerAccess(
                authentication, TlsContext.open(config.pagesTls(), site), new PageViewers(config.authorizes()));
    }

    /**
     * @param steady measures the age of logins
     * @param audit takes them
     */
    PageAccess pages(InstantSource steady, AuditLog audit) {
        return new PageAccess(pagesTls.map(HttpTls::of), PageLogin.of(authentication, steady, viewers, audit));
    }

    /** Returns the scheme of the pages' URL. */
    String pageScheme() {
        return pagesTls.isPresent() ? "https" : "http";
    }
}
