package io.skep.service.audit;

import io.skep.authentication.http.LoginLog;
import io.skep.service.authentication.Transport;
import java.util.Optional;

/** Records the logins to a server's web pages in its audit log. */
public record PageLoginLog(AuditLog audit) implements LoginLog {
    @Override
    public void loggedIn(String address, String user) {
        audit.record(AuditEvent.login(client(address, Optional.of(user))));
    }

    @Override
    public void refused(String address, Optional<String> user, String why) {
        audit.recordRefusal(AuditEvent.refusedLogin(client(address, user), why));
    }

    private static AuditedClient client(String address, Optional<String> user) {
        return AuditedClient.unknown(Transport.WEB_PAGES, address, user);
    }
}
