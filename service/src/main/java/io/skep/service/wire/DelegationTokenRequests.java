package io.skep.service.wire;

import static io.skep.service.wire.Handles.given;
import static io.skep.service.wire.ThriftStatus.attempt;

import io.skep.authentication.AuthenticationConfig;
import io.skep.authentication.AuthenticationException;
import io.skep.authentication.UserNames;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.service.audit.AuditEvent;
import io.skep.service.audit.AuditLog;
import io.skep.service.authentication.ClientAuthentication;
import io.skep.service.authentication.ClientLogin;
import io.skep.service.authentication.DelegationTokens;
import io.skep.service.session.ClientSession;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hive.service.rpc.thrift.TCancelDelegationTokenReq;
import org.apache.hive.service.rpc.thrift.TCancelDelegationTokenResp;
import org.apache.hive.service.rpc.thrift.TGetDelegationTokenReq;
import org.apache.hive.service.rpc.thrift.TGetDelegationTokenResp;
import org.apache.hive.service.rpc.thrift.TRenewDelegationTokenReq;
import org.apache.hive.service.rpc.thrift.TRenewDelegationTokenResp;
import org.apache.hive.service.rpc.thrift.TSessionHandle;
import org.jspecify.annotations.Nullable;

/**
 * The calls for delegation tokens. As in Hadoop, only clients with a ticket of Kerberos get and renew tokens, and
 * owners cancel them by any login.
 */
abstract class DelegationTokenRequests extends UnsupportedCalls {
    private final ClientAuthentication authentication;
    private final AuditLog audit;
    private final ClientLogin login;

    DelegationTokenRequests(WireServices services, ClientLogin login) {
        this.authentication = services.authentication();
        this.audit = services.audit();
        this.login = login;
    }

    /** Returns the session of a handle. */
    abstract ClientSession session(@Nullable TSessionHandle handle);

    @Override
    public TGetDelegationTokenResp GetDelegationToken(TGetDelegationTokenReq request) {
        TGetDelegationTokenResp response = new TGetDelegationTokenResp();
        response.setStatus(attempt(() -> {
            ClientSession session = session(request.getSessionHandle());
            String owner = UserNames.checked(given(request.getOwner(), "owner"));
            String renewer = UserNames.checked(given(request.getRenewer(), "renewer"));
            Map<String, String> arguments = Map.of("owner", owner, "renewer", renewer);
            String who = decided(session, "GET_DELEGATION_TOKEN", arguments, () -> {
                requireTicket();
                if (owner.isEmpty()) {
                    throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, "a delegation token needs an owner");
                }
                if (!owner.equals(session.user())) {
                    authentication.proxyUsers().check(session.user(), owner, login.address());
                }
                return renewer(renewer);
            });
            response.setDelegationToken(tokens().issue(owner, who, session.user()));
        }));
        return response;
    }

    @Override
    public TRenewDelegationTokenResp RenewDelegationToken(TRenewDelegationTokenReq request) {
        return new TRenewDelegationTokenResp(attempt(() -> {
            ClientSession session = session(request.getSessionHandle());
            String token = given(request.getDelegationToken(), "delegation token");
            var _ = decided(session, "RENEW_DELEGATION_TOKEN", Map.of(), () -> {
                requireTicket();
                return tokens().renew(token, session.user());
            });
        }));
    }

    @Override
    public TCancelDelegationTokenResp CancelDelegationToken(TCancelDelegationTokenReq request) {
        return new TCancelDelegationTokenResp(attempt(() -> {
            ClientSession session = session(request.getSessionHandle());
            String token = given(request.getDelegationToken(), "delegation token");
            var _ = decided(session, "CANCEL_DELEGATION_TOKEN", Map.of(), () -> tokens().cancel(token, session.user()));
        }));
    }

    /** Runs what decides about a call, and records its outcome. */
    private <T> T decided(
            ClientSession session, String operation, Map<String, String> arguments, Supplier<T> decision) {
        T decided;
        try {
            decided = decision.get();
        } catch (SkepException e) {
            audit.recordRefusal(AuditEvent.token(session.audited(), operation, arguments, e));
            throw e;
        }
        audit.record(AuditEvent.token(session.audited(), operation, arguments, null));
        return decided;
    }

    private DelegationTokens tokens() {
        return authentication
                .delegationTokens()
                .orElseThrow(() -> new SkepException(
                                StandardErrorCode.NOT_SUPPORTED,
                                "Delegation token only supported over kerberos authentication")
                        .withHint("this server has " + AuthenticationConfig.MODES.name() + "="
                                + authentication.users().config().text()));
    }

    private void requireTicket() {
        DelegationTokens _ = tokens();
        if (login.byToken()) {
            throw new SkepException(
                            StandardErrorCode.ACCESS_DENIED,
                            "Delegation tokens can be issued and renewed only with kerberos authentication")
                    .withHint("this client has logged in by a delegation token");
        }
    }

    private String renewer(String name) {
        try {
            return authentication.users().kerberos().orElseThrow().renewer(name);
        } catch (AuthenticationException e) {
            throw new SkepException(StandardErrorCode.INVALID_ARGUMENT, String.valueOf(e.getMessage()), e);
        }
    }
}
