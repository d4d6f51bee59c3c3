package io.skep.service.server;

import io.skep.authentication.http.HttpTls;
import io.skep.authentication.http.PageLogin;
import io.skep.authentication.tls.TlsContext;
import io.skep.metastore.privilege.DelegationTokenStore;
import io.skep.ql.session.SettingRules;
import io.skep.service.audit.AuditLog;
import io.skep.service.audit.PageLoginLog;
import io.skep.service.audit.ServerAuditLog;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.webui.PageAccess;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How clients and users of the pages get in.
 *
 * @param authentication of both
 * @param audit takes their logins, and what clients ask for
 * @param pagesTls the key of the pages, if they are encrypted
 * @param viewers the users who may see the pages
 */
record ServerAccess(
        ClientAuthentication authentication, AuditLog audit, Optional<TlsContext> pagesTls, PageViewers viewers)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerAccess.class);

    /**
     * @param settings of the site files
     * @param site the same, with credential providers
     * @param tokenStore holds delegation tokens, where the site wants that
     * @param clock for times that are shown
     * @throws io.skep.common.error.SkepException INVALID_CONFIGURATION when a key or a file of it cannot be used, or
     *     the audit log cannot be written
     */
    static ServerAccess open(
            ServerConfig config,
            InetAddress host,
            Map<String, String> settings,
            Configuration site,
            Supplier<DelegationTokenStore> tokenStore,
            InstantSource clock) {
        ClientAuthentication authentication =
                ClientAuthentication.open(config.wire().authentication(), site, tokenStore);
        if (authentication.users().verifiesPasswords()
                && !host.isLoopbackAddress()
                && !config.wire().tls().enabled()) {
            LOG.warn("Passwords of clients can be read on the network: hive.server2.use.SSL=true encrypts them");
        }
        Optional<TlsContext> pagesTls = TlsContext.open(config.pagesTls(), site);
        AuditLog audit = ServerAuditLog.open(config.audit(), SettingRules.secrets(settings), clock);
        return new ServerAccess(authentication, audit, pagesTls, new PageViewers(config.authorizes()));
    }

    /** @param steady measures the age of logins */
    PageAccess pages(InstantSource steady) {
        return new PageAccess(
                pagesTls.map(HttpTls::of),
                PageLogin.of(authentication.users(), steady, viewers, new PageLoginLog(audit)));
    }

    @Override
    public void close() {
        authentication.close();
        audit.close();
    }

    /** Returns the scheme of the pages' URL. */
    String pageScheme() {
        return pagesTls.isPresent() ? "https" : "http";
    }
}
