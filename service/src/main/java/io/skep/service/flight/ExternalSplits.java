package io.skep.service.flight;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.engine.schedule.TaskLayout;
import io.skep.llap.client.DaemonConnection;
import io.skep.llap.client.external.ExternalConfig;
import io.skep.llap.client.external.ReadTicket;
import io.skep.llap.client.external.Tickets;
import io.skep.llap.server.arrow.ArrowTypes;
import io.skep.ql.external.ExternalQuery;
import io.skep.ql.external.ExternalReads;
import io.skep.ql.external.ExternalWrites;
import io.skep.reader.ExternalSplit;
import io.skep.storage.table.Split;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Makes splits of queries, with signed tickets. Parts of a scan are read from the daemons that are the homes of their
 * files; the rows of any other query from the server, which runs it then. Thread-safe.
 */
public final class ExternalSplits implements ExternalReads {
    /** How many daemons a split names. */
    private static final int MAX_LOCATIONS = 4;

    private final BiFunction<PlanNode.Scan, List<Split>, List<DaemonConnection>> homes;
    private final Supplier<List<DaemonConnection>> daemons;
    private final Tickets tickets;
    private final Duration lifetime;
    private final ExternalWrites writes;
    private volatile Optional<URI> server = Optional.empty();

    /**
     * @param homes returns the best daemon for each split
     * @param daemons returns those that are there
     * @param lifetime of tickets
     * @param writes of the same programs
     */
    public ExternalSplits(
            BiFunction<PlanNode.Scan, List<Split>, List<DaemonConnection>> homes,
            Supplier<List<DaemonConnection>> daemons,
            Tickets tickets,
            Duration lifetime,
            ExternalWrites writes) {
        this.homes = homes;
        this.daemons = daemons;
        this.tickets = tickets;
        this.lifetime = lifetime;
        this.writes = writes;
    }

    @Override
    public ExternalWrites writes() {
        return writes;
    }

    /** Says where this server runs statements for readers. */
    void serveAt(URI location) {
        server = Optional.of(location);
    }

    /** Whether a split is read from this server. */
    boolean isHere(ExternalSplit split) {
        return server.isPresent() && split.locations().contains(server.get());
    }

    Tickets tickets() {
        return tickets;
    }

    /** A split of a table and where it is at home. */
    private record Placed(Split split, DaemonConnection daemon) {}

    @Override
    public Splits splits(ExternalQuery query, int count) {
        Schema schema = ArrowTypes.schema(query.names(), query.types());
        byte[] message = schema.serializeAsMessage();
        byte[] empty = new ExternalSplit(new byte[0], List.of(), message, false).encode();
        if (count == 0) {
            return new Splits(empty, List.of());
        }
        List<ExternalSplit> splits = query.scan()
                .flatMap(run -> ofScan(query, run, count, message))
                .orElseGet(() -> List.of(ofStatement(query, message)));
        return new Splits(empty, splits.stream().map(ExternalSplit::encode).toList());
    }

    /** Returns the splits of a scan; empty when no daemon can be read from. */
    private Optional<List<ExternalSplit>> ofScan(ExternalQuery query, StageGraphRun run, int count, byte[] schema) {
        PlanNode.Scan scan = TaskLayout.scans(run.graph().root().root()).getFirst();
        List<Split> all = run.splits().getOrDefault(scan.id(), List.of());
        List<DaemonConnection> best = homes.apply(scan, all);
        List<Placed> placed = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            placed.add(new Placed(all.get(i), best.get(i)));
        }
        if (placed.stream().anyMatch(one -> one.daemon().externalLocation().isEmpty())) {
            return Optional.empty();
        }
        // Parts of one daemon follow each other, so that most tickets are for one daemon alone.
        placed.sort(
                Comparator.comparingInt((Placed one) -> one.daemon().identity().slot())
                        .thenComparing(one -> one.split().file().path())
                        .thenComparingLong(one -> one.split().start()));
        byte[] plan = PlanCodec.encode(run.graph());
        return Optional.of(parts(placed, count).stream()
                .map(part -> split(query, run, scan, plan, part, schema))
                .toList());
    }

    /** Divides splits into at most that many parts of similar size. */
    private static List<List<Placed>> parts(List<Placed> placed, int count) {
        double total = placed.stream().mapToLong(one -> weight(one.split())).sum();
        List<List<Placed>> parts = new ArrayList<>();
        long before = 0;
        long last = -1;
        for (Placed one : placed) {
            // The middle of a split decides, so that none is cut off for its last bytes.
            long part = (long) Math.min(count - 1, (before + weight(one.split()) / 2.0) / total * count);
            if (part != last) {
                parts.add(new ArrayList<>());
                last = part;
            }
            parts.getLast().add(one);
            before += weight(one.split());
        }
        return parts;
    }

    private static long weight(Split split) {
        return Math.max(1, split.length());
    }

    private ExternalSplit split(
            ExternalQuery query, StageGraphRun run, PlanNode.Scan scan, byte[] plan, List<Placed> part, byte[] schema) {
        List<byte[]> splits =
                part.stream().map(one -> PlanCodec.encodeSplit(one.split())).toList();
        ReadTicket.Fragment work = new ReadTicket.Fragment(plan, Map.of(scan.id(), splits), run.settings());
        return new ExternalSplit(
                tickets.issue(query.id(), query.user(), lifetime, work), locations(part), schema, query.repeatable());
    }

    /** Returns the daemons with the most bytes of a part first. */
    private List<URI> locations(List<Placed> part) {
        Map<URI, Long> bytes = new LinkedHashMap<>();
        part.forEach(one -> bytes.merge(one.daemon().externalLocation().orElseThrow(), weight(one.split()), Long::sum));
        List<URI> named = new ArrayList<>(bytes.keySet());
        named.sort(Comparator.comparing((URI location) -> bytes.get(location)).reversed());
        Stream<URI> others = daemons.get().stream()
                .flatMap(daemon -> daemon.externalLocation().stream())
                .filter(other -> !bytes.containsKey(other));
        return Stream.concat(named.stream(), others).limit(MAX_LOCATIONS).toList();
    }

    private ExternalSplit ofStatement(ExternalQuery query, byte[] schema) {
        URI location = server.orElseThrow(() -> new SkepException(
                        StandardErrorCode.NOT_SUPPORTED,
                        "the rows of this query come from the server, and it has no port for external readers")
                .withHint("set " + FlightConfig.PORT.name() + ", and for reads of tables from daemons "
                        + ExternalConfig.PORT.name()));
        ExternalQuery.Statement statement = query.statement();
        if (!statement.whole()) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "external readers run this query in a session of their own, which has no temporary"
                                    + " tables, functions, macros and chosen roles")
                    .withHint("use tables and functions of the catalog, in a session without SET ROLE");
        }
        ReadTicket.Statement work =
                new ReadTicket.Statement(statement.text(), statement.database(), statement.settings(), query.names());
        return new ExternalSplit(
                tickets.issue(query.id(), query.user(), lifetime, work), List.of(location), schema, false);
    }
}
