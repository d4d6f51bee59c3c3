package io.skep.llap.server.external;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.InsecureServerCredentials;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.testing.Polling;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.plan.Expression;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.llap.client.external.ExternalConfig;
import io.skep.llap.client.external.ReadTicket;
import io.skep.llap.client.external.TicketKeys;
import io.skep.llap.client.external.Tickets;
import io.skep.llap.client.rpc.RpcThreads;
import io.skep.llap.server.LlapDaemon;
import io.skep.llap.server.arrow.ArrowTypes;
import io.skep.llap.server.testing.SmallDaemon;
import io.skep.reader.ExternalReader;
import io.skep.reader.ExternalSplit;
import io.skep.reader.ReadErrorCode;
import io.skep.reader.ReadException;
import io.skep.reader.SplitRows;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Daemons with a port for external readers, in this process. */
@Timeout(120)
final class TestExternalReads {
    private static final QueryId QUERY = new QueryId("q1");
    private static final int MAX_READS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** A client's transport takes a few megabytes that nobody reads. */
    private static final int WIDE_BYTES = 20_000;

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    private Path folder;

    private Instant now = Instant.now();
    private final TicketKeys keys = TicketKeys.ofProcess();
    private final Tickets tickets = new Tickets(keys, () -> now);
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final List<LlapDaemon> daemons = new ArrayList<>();
    private final List<ExternalPort> ports = new ArrayList<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private volatile Optional<SkepException> logFailure = Optional.empty();
    private final RootAllocator memory = new RootAllocator();
    private final ExternalReader reader = new ExternalReader(memory, Optional.empty());

    @BeforeEach
    void start() {
        serve(0);
        serve(1);
    }

    private void serve(int slot) {
        RpcThreads threads = own(new RpcThreads("test"));
        LlapDaemon daemon = own(SmallDaemon.start(slot, folder.resolve("spill" + slot), peer -> {
            throw new IllegalStateException("no peers");
        }));
        ExternalConfig config = new ExternalConfig(
                Optional.of(0),
                Optional.empty(),
                Duration.ofHours(1),
                MAX_READS,
                64 << 20,
                PATIENCE,
                Duration.ofHours(1),
                1);
        FlightPort.Place place = new FlightPort.Place(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                InsecureServerCredentials.create(),
                false,
                ExternalPort.maxMessageBytes());
        daemons.add(daemon);
        ports.add(own(new ExternalPort(place, daemon, tickets, new ExternalStreams(config, threads), this::record)));
    }

    private void record(Optional<ReadTicket> ticket, String address, Optional<SkepException> refusal) {
        lines.add(ticket.map(ReadTicket::user).orElse("?") + " " + address + " "
                + refusal.map(error -> error.code().name()).orElse("ALLOWED"));
        logFailure.ifPresent(error -> {
            throw error;
        });
    }

    private <T extends AutoCloseable> T own(T part) {
        parts.push(part);
        return part;
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        for (int i = 0; i < daemons.size(); i++) {
            assertNothingLeft(i);
        }
        memory.close();
        while (!parts.isEmpty()) {
            parts.pop().close();
        }
    }

    private void assertNothingLeft(int number) {
        ExternalStreams streams = ports.get(number).streams();
        LlapDaemon daemon = daemons.get(number);
        Polling.await("the end of all reads")
                .until(() -> streams.count() == 0
                        && streams.allocator().getAllocatedMemory() == 0
                        && daemon.snapshot().leftovers().isEmpty());
    }

    private ExternalSplit split(PlanNode root, List<SqlType> types, boolean repeatable) {
        List<String> names =
                IntStream.range(0, types.size()).mapToObj(i -> "c" + i).toList();
        StageGraph graph = new StageGraph(
                List.of(new Fragment(0, root, Fragment.Distribution.SINGLE, new Fragment.Output.Gather())),
                names,
                types,
                List.of(),
                1);
        byte[] ticket = tickets.issue(
                QUERY,
                "ann",
                Duration.ofHours(1),
                new ReadTicket.Fragment(PlanCodec.encode(graph), Map.of(), Map.of()));
        return new ExternalSplit(
                ticket,
                ports.stream().map(port -> port.location("127.0.0.1")).toList(),
                ArrowTypes.schema(names, types).serializeAsMessage(),
                repeatable);
    }

    private ExternalSplit numbers(int rows) {
        return split(new PlanNode.Values(List.of(PrimitiveType.BIGINT), numbered(rows)), bigint(), true);
    }

    private static List<SqlType> bigint() {
        return List.of(PrimitiveType.BIGINT);
    }

    private static List<List<Datum>> numbered(int rows) {
        return IntStream.range(0, rows)
                .mapToObj(i -> List.<Datum>of(new Datum.OfLong(i)))
                .toList();
    }

    /** Rows of about 20 KB. */
    private ExternalSplit wide(int rows) {
        List<SqlType> types = List.of(PrimitiveType.BIGINT, PrimitiveType.STRING);
        PlanNode values = new PlanNode.Values(bigint(), numbered(rows));
        Expression text = new Expression.Constant(new Datum.OfBytes(new byte[WIDE_BYTES]), PrimitiveType.STRING);
        return split(
                new PlanNode.Project(values, List.of(new Expression.InputColumn(0, PrimitiveType.BIGINT), text)),
                types,
                true);
    }

    private static List<Long> drain(SplitRows rows) {
        List<Long> read = new ArrayList<>();
        while (rows.next()) {
            add(rows.batch(), read);
        }
        return read;
    }

    private static void add(VectorSchemaRoot batch, List<Long> read) {
        BigIntVector column = (BigIntVector) batch.getVector(0);
        for (int i = 0; i < batch.getRowCount(); i++) {
            read.add(column.get(i));
        }
    }

    private static List<Long> upTo(int rows) {
        return IntStream.range(0, rows).mapToObj(Long::valueOf).toList();
    }

    @Test
    void aReaderGetsTheRowsOfItsSplit() {
        ExternalSplit split = ExternalSplit.decode(numbers(10_000).encode());
        try (SplitRows rows = reader.read(split)) {
            assertThat(rows.schema().getFields()).hasSize(1);
            assertThat(drain(rows)).isEqualTo(upTo(10_000));
            assertThat(rows.delivered()).isEqualTo(10_000);
        }
        try (SplitRows none = reader.read(numbers(0))) {
            assertThat(none.next()).isFalse();
        }
    }

    @Test
    void eachReadHasALine() {
        try (SplitRows rows = reader.read(numbers(10))) {
            assertThat(rows.next()).isTrue();
            assertThat(lines).containsExactly("ann 127.0.0.1 ALLOWED");
        }
        ExternalSplit split = numbers(10);
        now = now.plus(Duration.ofHours(2));
        try (SplitRows expired = reader.read(split)) {
            assertThatThrownBy(expired::next).hasMessageContaining("expired");
        }
        assertThat(lines).containsExactly("ann 127.0.0.1 ALLOWED", "? 127.0.0.1 ACCESS_DENIED");
    }

    @Test
    void nothingIsReadWithoutItsLine() {
        logFailure = Optional.of(new SkepException(StandardErrorCode.AUDIT_LOG_FAILED, "the disk is full"));
        try (SplitRows rows = reader.read(numbers(10))) {
            assertThatThrownBy(rows::next).hasMessageContaining("the disk is full");
            assertThat(rows.delivered()).isZero();
        }
        logFailure = Optional.empty();
        try (SplitRows rows = reader.read(numbers(10))) {
            assertThat(drain(rows)).isEqualTo(upTo(10));
        }
    }

    @Test
    void aLostDaemonsRowsComeFromAnotherOnceEach() throws Exception {
        try (SplitRows rows = reader.read(wide(3000))) {
            List<Long> read = new ArrayList<>();
            assertThat(rows.next()).isTrue();
            add(rows.batch(), read);
            ports.getFirst().close();
            read.addAll(drain(rows));
            assertThat(read).isEqualTo(upTo(3000));
        }
    }

    @Test
    void whatCannotBeRepeatedFailsWithItsDaemon() {
        ExternalSplit wide = wide(3000);
        ExternalSplit once = new ExternalSplit(wide.ticket(), wide.locations(), wide.schema(), false);
        try (SplitRows rows = reader.read(once)) {
            assertThat(rows.next()).isTrue();
            ports.getFirst().close();
            assertThatThrownBy(() -> drain(rows)).isInstanceOf(ReadException.class);
        }
    }

    @Test
    void aReaderThatStopsReadingHoldsNothingAndContinuesLater() {
        try (SplitRows rows = reader.read(wide(3000))) {
            List<Long> read = new ArrayList<>();
            assertThat(rows.next()).isTrue();
            add(rows.batch(), read);
            Polling.await("the pause of the fragment")
                    .until(() -> daemons.getFirst().load().busy() == 0);
            assertThat(ports.getFirst().streams().count()).isEqualTo(1);
            assertThat(ports.getFirst().streams().allocator().getAllocatedMemory())
                    .isLessThan(8 << 20);
            assertNothingLeft(0);
            read.addAll(drain(rows));
            assertThat(read).isEqualTo(upTo(3000));
        }
    }

    @Test
    void aReaderThatGoesAwayLeavesNothing() {
        SplitRows rows = reader.read(wide(10_000));
        assertThat(rows.next()).isTrue();
        rows.close();
        assertNothingLeft(0);
    }

    @Test
    void theErrorOfAFragmentIsTheReaders() {
        PlanNode bad = new PlanNode.Filter(
                new PlanNode.Values(bigint(), numbered(1)),
                new Expression.Call("no_such_function", List.of(), PrimitiveType.BOOLEAN));
        try (SplitRows rows = reader.read(split(bad, bigint(), true))) {
            assertThatThrownBy(rows::next).isInstanceOf(ReadException.class).hasMessageContaining("no_such_function");
        }
    }

    @Test
    void moreReadsThanTheLimitAreRefusedAndTriedElsewhere() {
        List<SplitRows> open = new ArrayList<>();
        for (int i = 0; i < MAX_READS; i++) {
            SplitRows rows = reader.read(wide(10_000));
            open.add(rows);
            assertThat(rows.next()).isTrue();
        }
        try (SplitRows other = reader.read(numbers(10))) {
            assertThat(drain(other)).hasSize(10);
        }
        ExternalSplit here = numbers(10);
        ExternalSplit onlyHere =
                new ExternalSplit(here.ticket(), List.of(here.locations().getFirst()), here.schema(), true);
        try (SplitRows refused = reader.read(onlyHere)) {
            assertThatThrownBy(refused::next)
                    .isInstanceOfSatisfying(
                            ReadException.class, e -> assertThat(e.code()).isEqualTo(ReadErrorCode.QUEUE_FULL.name()));
        }
        open.forEach(SplitRows::close);
    }

    @Test
    void ticketsThatAreNotOfThisSiteReadNothing() throws Exception {
        byte[] right = numbers(10).ticket();
        byte[] altered = right.clone();
        altered[altered.length / 2] ^= 1;
        byte[] foreign = new Tickets(TicketKeys.ofProcess(), InstantSource.system())
                .issue(QUERY, "ann", Duration.ofHours(1), new ReadTicket.Fragment(new byte[0], Map.of(), Map.of()));
        byte[] statement = tickets.issue(
                QUERY,
                "ann",
                Duration.ofHours(1),
                new ReadTicket.Statement("select 1", "default", Map.of(), List.of("_c0")));
        assertStatus(altered, FlightStatusCode.UNAUTHORIZED);
        assertStatus(foreign, FlightStatusCode.UNAUTHORIZED);
        assertStatus(statement, FlightStatusCode.UNIMPLEMENTED);
        assertStatus(new byte[0], FlightStatusCode.UNAUTHORIZED);
        assertStatus(new byte[ExternalPort.maxMessageBytes() + 1], FlightStatusCode.RESOURCE_EXHAUSTED);
        now = now.plus(Duration.ofHours(2));
        assertStatus(right, FlightStatusCode.UNAUTHORIZED);
    }

    @SuppressWarnings("try")
    private void assertStatus(byte[] ticket, FlightStatusCode expected) throws Exception {
        try (FlightClient client = reader.connect(location());
                FlightStream stream = client.getStream(new Ticket(ticket))) {
            assertThatThrownBy(stream::next)
                    .isInstanceOfSatisfying(
                            FlightRuntimeException.class,
                            e -> assertThat(e.status().code()).isEqualTo(expected));
        }
    }

    private URI location() {
        return ports.getFirst().location("127.0.0.1");
    }

    @Test
    @SuppressWarnings("try")
    void aDaemonServesNothingButTickets() throws Exception {
        try (FlightClient client = reader.connect(location())) {
            assertThatThrownBy(() -> client.getInfo(FlightDescriptor.command(new byte[] {1})))
                    .isInstanceOfSatisfying(
                            FlightRuntimeException.class,
                            e -> assertThat(e.status().code()).isEqualTo(FlightStatusCode.UNIMPLEMENTED));
            assertThatThrownBy(() -> client.listActions().forEach(action -> {}))
                    .isInstanceOf(FlightRuntimeException.class);
        }
    }

    /** Bounded here; -Dskep.fuzz.tickets=N runs longer. */
    @Test
    void noiseOnThePortHarmsNobody() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int rounds = Math.min(500, Integer.getInteger("skep.fuzz.tickets", 40));
        for (int i = 0; i < rounds; i++) {
            byte[] noise = new byte[random.nextInt(4000)];
            random.nextBytes(noise);
            send(random.nextBoolean() ? PREFACE : new byte[0], noise);
        }
        try (SplitRows rows = reader.read(numbers(10))) {
            assertThat(drain(rows)).as("seed %s", seed).hasSize(10);
        }
    }

    private void send(byte[] first, byte[] rest) {
        InetSocketAddress address = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), ports.getFirst().port());
        try (Socket socket = new Socket()) {
            socket.connect(address);
            socket.getOutputStream().write(first);
            socket.getOutputStream().write(rest);
        } catch (IOException e) {
            assertThat(e)
                    .as("the port ends connections whose bytes it cannot read")
                    .isInstanceOf(SocketException.class);
        }
    }
}
