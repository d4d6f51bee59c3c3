package io.skep.llap.client.external;

import io.skep.common.query.QueryId;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What the holder of a ticket may read.
 *
 * @param query the statement that the server has authorized and planned
 * @param user the user whose rights it had
 * @param issued the server's time
 * @param expiry the time from which the ticket is refused
 */
public record ReadTicket(QueryId query, String user, Instant issued, Instant expiry, Work work) {
    /** The work that produces the rows. */
    public sealed interface Work permits Fragment, Statement {}

    /**
     * Some splits of a scan, which any daemon of the site runs.
     *
     * @param plan a stage graph of one fragment, encoded
     * @param splits encoded splits, by scan id
     * @param settings see StageGraphRun
     */
    public record Fragment(byte[] plan, Map<Integer, List<byte[]>> splits, Map<String, String> settings)
            implements Work {
        public Fragment {
            splits = Map.copyOf(splits);
            settings = Map.copyOf(settings);
        }
    }

    /**
     * A statement that the server compiles, checks and runs for the user when the ticket is read.
     *
     * @param database the current database of its session
     * @param settings the settings that its session has set
     * @param columns the names that its columns have for the reader
     */
    public record Statement(String text, String database, Map<String, String> settings, List<String> columns)
            implements Work {
        public Statement {
            columns = List.copyOf(columns);
            settings = Map.copyOf(settings);
        }
    }
}
