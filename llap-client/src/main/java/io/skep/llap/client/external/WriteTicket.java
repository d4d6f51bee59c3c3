package io.skep.llap.client.external;

import io.skep.common.query.QueryId;
import java.time.Instant;

/**
 * What the holder of a ticket may write: parts of one write of a session, while it is open in the server that has it.
 * It names no file and no table; the server knows them.
 *
 * @param query the statement that has asked for the ticket
 * @param user the user whose session it is
 * @param issued the server's time
 * @param expiry the time from which the ticket is refused
 * @param write the name of the write
 */
public record WriteTicket(QueryId query, String user, Instant issued, Instant expiry, String write) {}
