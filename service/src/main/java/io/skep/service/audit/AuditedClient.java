package io.skep.service.audit;

import io.skep.service.authentication.Transport;
import java.util.Optional;
import java.util.UUID;

/**
 * The client of an audited event.
 *
 * @param address the client's address
 * @param session the id of its session, once it has one
 * @param login the user that has logged in, or whose name a refused login has
 * @param user the user whose rights count, if they are decided
 */
public record AuditedClient(
        Transport transport, String address, Optional<UUID> session, Optional<String> login, Optional<String> user) {
    /** Returns a client whose login was refused. */
    public static AuditedClient unknown(Transport transport, String address, Optional<String> login) {
        return new AuditedClient(transport, address, Optional.empty(), login, Optional.empty());
    }
}
