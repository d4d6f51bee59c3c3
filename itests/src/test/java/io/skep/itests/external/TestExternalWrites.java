package io.skep.itests.external;

import static io.skep.itests.server.AuthorizedServer.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.skep.common.testing.Polling;
import io.skep.itests.server.AuthorizedServer;
import io.skep.reader.ExternalReader;
import io.skep.reader.ExternalSplit;
import io.skep.reader.ExternalWrite;
import io.skep.reader.PartWriter;
import io.skep.reader.ReadException;
import io.skep.reader.SplitRows;
import io.skep.service.server.SkepServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.FlightCallHeaders;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.HeaderCallOption;
import org.apache.arrow.flight.SyncPutListener;
import org.apache.arrow.flight.auth2.BasicAuthCredentialWriter;
import org.apache.arrow.flight.grpc.CredentialCallOption;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs outside of the server send parts of a session's temporary table, in all the ways that can go wrong. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class TestExternalWrites {
    private static final String COLUMNS = "n bigint, w varchar(5), p decimal(4,1), d date";

    private final RootAllocator memory = new RootAllocator();
    private final ExternalReader connections = new ExternalReader(memory, Optional.empty());
    private AuthorizedServer site;
    private SkepServer server;
    private Connection root;
    private Path data;

    @BeforeAll
    void open(@TempDir Path folder) throws Exception {
        site = AuthorizedServer.start(
                folder,
                List.of("root", "ann", "bob"),
                "secret",
                Map.of(
                        "skep.flight.port",
                        "0",
                        "skep.llap.external.max-writes",
                        "2",
                        "skep.llap.external.idle-timeout",
                        "3s"));
        server = site.server();
        data = folder.resolve("data");
        root = site.connect("root");
        run(root, "set role admin");
        ExternalTables.create(root);
        run(root, "grant select on table kinds to user ann");
        run(root, "grant select on table many to user ann");
    }

    @AfterAll
    void close() throws Exception {
        root.close();
        site.close();
        memory.close();
    }

    @AfterEach
    void nothingIsLeft() {
        Polling.await("the end of all parts")
                .until(() -> server.flight().orElseThrow().arrivingParts() == 0
                        && server.flight().orElseThrow().arrivingBytes() == 0
                        && server.snapshot().leftovers().isEmpty()
                        && temporaryFiles().isEmpty());
        assertThat(memory.getAllocatedMemory()).isZero();
    }

    /** The files and folders of temporary tables. */
    private List<Path> temporaryFiles() throws IOException {
        try (Stream<Path> all = Files.walk(data)) {
            return all.filter(path -> path.toString().contains("/_tmp_")).toList();
        }
    }

    private Connection session() throws SQLException {
        Connection session = site.connect("ann");
        run(session, "create temporary table parts (" + COLUMNS + ") stored as orc");
        return session;
    }

    private static ExternalWrite ticket(Connection session, String table) throws SQLException {
        try (var statement = session.createStatement();
                var rows = statement.executeQuery("select get_write_ticket('" + table + "')")) {
            assertThat(rows.next()).isTrue();
            return ExternalWrite.decode((byte[]) rows.getObject(1));
        }
    }

    /** Sends rows with numbers from one to another, and ends the part. */
    private long send(ExternalWrite write, long from, long to) {
        try (VectorSchemaRoot rows = VectorSchemaRoot.create(write.arrowSchema(), memory);
                PartWriter part = new PartWriter(write, rows, connections, memory)) {
            fill(rows, from, to);
            part.send();
            return part.finish().number();
        }
    }

    private static void fill(VectorSchemaRoot rows, long from, long to) {
        rows.allocateNew();
        for (int i = 0; i < to - from; i++) {
            ((BigIntVector) rows.getVector("n")).setSafe(i, from + i);
            ((VarCharVector) rows.getVector("w")).setSafe(i, ("w" + (from + i)).getBytes(StandardCharsets.UTF_8));
            ((DecimalVector) rows.getVector("p")).setSafe(i, 10);
            ((DateDayVector) rows.getVector("d")).setSafe(i, 0);
        }
        rows.setRowCount((int) (to - from));
    }

    @Test
    void onlyThePartsThatAreNamedCount() throws Exception {
        try (Connection ann = session()) {
            ExternalWrite write = ticket(ann, "parts");
            long first = send(write, 0, 10);
            send(write, 100, 110);
            long third = send(write, 10, 13);
            assertThat(Splits.byJdbc(ann, "select count(*) from parts")).isEqualTo(List.of(List.of("0")));
            run(ann, "select commit_parts('parts', '" + first + "," + third + "," + first + "')");
            assertThat(Splits.byJdbc(ann, "select count(*), min(n), max(n), max(w), max(p), max(d) from parts"))
                    .isEqualTo(List.of(List.of("13", "0", "12", "w9", "1.0", "1970-01-01")));
            // The write is over.
            assertThatThrownBy(() -> send(write, 0, 1)).hasMessageContaining("has ended");
            assertThatThrownBy(() -> run(ann, "select commit_parts('parts', '2')"))
                    .hasMessageContaining("nothing is being written");
        }
    }

    @Test
    void rowsOfAllTypesAreTheSame() throws Exception {
        try (Connection ann = site.connect("ann")) {
            run(
                    ann,
                    "create temporary table copy (b boolean, t tinyint, s smallint, i int, l bigint, d double,"
                            + " x string, v varchar(5), c char(4), y binary, dt date, ts timestamp, p decimal(10,2),"
                            + " q decimal(30,5), a array<int>, st struct<k:int,w:string>) stored as orc");
            ExternalWrite write = ticket(ann, "copy");
            String parts = "";
            for (ExternalSplit split : Splits.of(ann, "select * from kinds", 3)) {
                parts += "," + copied(split, write);
            }
            run(ann, "select commit_parts('default.copy', '" + parts + "')");
            assertThat(Splits.byJdbc(ann, "select * from copy"))
                    .hasSize(3)
                    .containsExactlyInAnyOrderElementsOf(Splits.byJdbc(ann, "select * from kinds"));
        }
    }

    private long copied(ExternalSplit split, ExternalWrite write) {
        try (SplitRows rows = connections.read(split);
                VectorSchemaRoot sent = VectorSchemaRoot.create(write.arrowSchema(), memory);
                PartWriter part = new PartWriter(write, sent, connections, memory)) {
            while (rows.next()) {
                try (ArrowRecordBatch batch = new VectorUnloader(rows.batch()).getRecordBatch()) {
                    new VectorLoader(sent).load(batch);
                }
                part.send();
            }
            return part.finish().number();
        }
    }

    @Test
    void valuesThatAreNoneOfTheirTypeAreRefused() throws Exception {
        try (Connection ann = session()) {
            ExternalWrite write = ticket(ann, "parts");
            refused(
                    write,
                    rows -> ((VarCharVector) rows.getVector("w")).setSafe(0, "äöüäöü".getBytes(StandardCharsets.UTF_8)),
                    "column w of type varchar(5)");
            refused(
                    write,
                    rows -> rows.getVector("p").getDataBuffer().setLong(0, 10_000),
                    "column p is not one of the type decimal(4,1)");
            refused(
                    write,
                    rows -> ((DateDayVector) rows.getVector("d")).setSafe(0, 3_000_000),
                    "column d is not one of the type DATE");
            refused(write, rows -> rows.getVector("w").getOffsetBuffer().setInt(8, 1_000_000), "is damaged");
            refused(write, rows -> rows.getVector("w").getOffsetBuffer().setInt(8, -7), "is damaged");
        }
    }

    private void refused(ExternalWrite write, Consumer<VectorSchemaRoot> change, String error) {
        try (VectorSchemaRoot rows = VectorSchemaRoot.create(write.arrowSchema(), memory);
                PartWriter part = new PartWriter(write, rows, connections, memory)) {
            fill(rows, 0, 3);
            change.accept(rows);
            assertThatThrownBy(() -> {
                        part.send();
                        part.finish();
                    })
                    .isInstanceOf(ReadException.class)
                    .hasMessageContaining(error);
        }
    }

    @Test
    void otherColumnsAreRefused() throws Exception {
        try (Connection ann = session()) {
            run(ann, "create temporary table others (n int, w varchar(5), p decimal(4,1), d date) stored as orc");
            ExternalWrite write = ticket(ann, "parts");
            ExternalWrite wrong = new ExternalWrite(
                    write.ticket(), write.location(), ticket(ann, "others").schema());
            try (VectorSchemaRoot rows = VectorSchemaRoot.create(wrong.arrowSchema(), memory);
                    PartWriter part = new PartWriter(wrong, rows, connections, memory)) {
                assertThatThrownBy(part::send).hasMessageContaining("the rows have the columns");
            }
        }
    }

    @Test
    void aStreamThatIsCutLeavesNothing() throws Exception {
        try (Connection ann = session()) {
            ExternalWrite write = ticket(ann, "parts");
            try (VectorSchemaRoot rows = VectorSchemaRoot.create(write.arrowSchema(), memory);
                    PartWriter part = new PartWriter(write, rows, connections, memory)) {
                fill(rows, 0, 100);
                part.send();
            }
            Polling.await("the end of the part")
                    .until(() -> server.flight().orElseThrow().arrivingParts() == 0);
            assertThatThrownBy(() -> run(ann, "select commit_parts('parts', '1')"))
                    .hasMessageContaining("part 1 has not arrived");
        }
    }

    /** The sender claims another number of rows than have arrived, or none. */
    @Test
    void aWrongNumberOfRowsIsRefused() throws Exception {
        try (Connection ann = session()) {
            ExternalWrite write = ticket(ann, "parts");
            for (long claimed : List.of(2L, 4L)) {
                assertThat(errorOf(write, claimed)).contains("3 rows have arrived");
            }
            assertThat(errorOf(write, -1)).contains("without the number of rows");
        }
    }

    @SuppressWarnings("try")
    private String errorOf(ExternalWrite write, long claimed) throws Exception {
        try (FlightClient client = connections.connect(write.location());
                SyncPutListener answers = new SyncPutListener();
                VectorSchemaRoot rows = VectorSchemaRoot.create(write.arrowSchema(), memory)) {
            FlightClient.ClientStreamListener stream =
                    client.startPut(FlightDescriptor.path("part"), rows, answers, shown(write.ticket()));
            fill(rows, 0, 3);
            stream.putNext();
            if (claimed >= 0) {
                ArrowBuf claim = memory.buffer(Long.BYTES);
                claim.writeLong(claimed);
                stream.putMetadata(claim);
            }
            stream.completed();
            try {
                stream.getResult();
                return "no error";
            } catch (FlightRuntimeException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }

    private static CallOption shown(byte[] ticket) {
        FlightCallHeaders headers = new FlightCallHeaders();
        headers.insert(ExternalWrite.HEADER, ticket);
        return new HeaderCallOption(headers);
    }

    @Test
    void ticketsAreVerified() throws Exception {
        try (Connection ann = session();
                Connection other = site.connect("ann")) {
            ExternalWrite write = ticket(ann, "parts");
            byte[] altered = write.ticket().clone();
            altered[altered.length / 2] ^= 1;
            byte[] reading = Splits.of(ann, "select * from kinds", 1).getFirst().ticket();
            int before = audit().size();
            for (byte[] wrong : List.of(altered, reading, new byte[7])) {
                assertThatThrownBy(() -> send(new ExternalWrite(wrong, write.location(), write.schema()), 0, 1))
                        .isInstanceOfSatisfying(
                                ReadException.class, e -> assertThat(e.code()).isEqualTo("ACCESS_DENIED"));
            }
            assertThat(audit().subList(before, audit().size()))
                    .hasSize(3)
                    .allSatisfy(line -> assertThat(line).contains("\"event\":\"WRITE\"", "\"DENIED\""));
            // One for writing does not read.
            ExternalSplit split = new ExternalSplit(write.ticket(), List.of(write.location()), write.schema(), false);
            assertThatThrownBy(() -> Splits.read(connections, List.of(split))).hasMessageContaining("one for writing");
            // The table of a session is no other session's.
            assertThatThrownBy(() -> ticket(other, "parts")).hasMessageContaining("is not a temporary table");
            assertThatThrownBy(() -> ticket(other, "kinds")).hasMessageContaining("is not a temporary table");
        }
    }

    private List<String> audit() throws IOException {
        return Files.readAllLines(data.resolve("audit/audit.log"));
    }

    @Test
    @SuppressWarnings("try")
    void aLoginOfAnotherUserIsRefused() throws Exception {
        try (Connection ann = session();
                FlightClient client =
                        connections.connect(server.flight().orElseThrow().location())) {
            ExternalWrite write = ticket(ann, "parts");
            try (SyncPutListener answers = new SyncPutListener();
                    VectorSchemaRoot rows = VectorSchemaRoot.create(write.arrowSchema(), memory)) {
                FlightClient.ClientStreamListener stream = client.startPut(
                        FlightDescriptor.path("part"),
                        rows,
                        answers,
                        shown(write.ticket()),
                        new CredentialCallOption(new BasicAuthCredentialWriter("bob", "secret")));
                stream.completed();
                assertThatThrownBy(stream::getResult).hasMessageContaining("another user");
            }
        }
    }

    @Test
    void theEndOfTheSessionEndsItsParts() throws Exception {
        Connection ann = session();
        ExternalWrite write = ticket(ann, "parts");
        try (VectorSchemaRoot rows = VectorSchemaRoot.create(write.arrowSchema(), memory);
                PartWriter part = new PartWriter(write, rows, connections, memory)) {
            fill(rows, 0, 1000);
            part.send();
            ann.close();
            assertThatThrownBy(() -> {
                        part.send();
                        part.finish();
                    })
                    .hasMessageContaining("has ended with its session");
        }
        assertThatThrownBy(() -> send(write, 0, 1))
                .isInstanceOfSatisfying(
                        ReadException.class, e -> assertThat(e.code()).isEqualTo("ACCESS_DENIED"));
    }

    @Test
    void theEndOfTheTableEndsItsParts() throws Exception {
        try (Connection ann = session()) {
            ExternalWrite write = ticket(ann, "parts");
            send(write, 0, 10);
            run(ann, "drop table parts");
            assertThat(temporaryFiles()).isEmpty();
            assertThatThrownBy(() -> send(write, 0, 1)).hasMessageContaining("has ended");
        }
    }

    /** A third part waits for one of two, and queries run beside them. */
    @Test
    void partsAreBounded() throws Exception {
        try (Connection ann = session()) {
            ExternalWrite write = ticket(ann, "parts");
            CompletableFuture<Long> third;
            try (VectorSchemaRoot rows = VectorSchemaRoot.create(write.arrowSchema(), memory);
                    PartWriter first = new PartWriter(write, rows, connections, memory);
                    PartWriter second = new PartWriter(write, rows, connections, memory)) {
                fill(rows, 0, 3);
                first.send();
                second.send();
                third = CompletableFuture.supplyAsync(() -> send(write, 3, 5));
                assertThat(Splits.byJdbc(ann, "select count(*), count(distinct w) from many"))
                        .isEqualTo(List.of(List.of("30000", "30000")));
                assertThat(third).isNotDone();
                first.finish();
                second.finish();
            }
            assertThat(third.join()).isPositive();
        }
    }

    @Test
    void aWriterThatSendsNothingLosesItsPart() throws Exception {
        try (Connection ann = session()) {
            ExternalWrite write = ticket(ann, "parts");
            try (VectorSchemaRoot rows = VectorSchemaRoot.create(write.arrowSchema(), memory);
                    PartWriter part = new PartWriter(write, rows, connections, memory)) {
                fill(rows, 0, 3);
                part.send();
                Polling.await("the end of the part")
                        .until(() -> server.flight().orElseThrow().arrivingParts() == 0);
                assertThatThrownBy(() -> {
                            part.send();
                            part.finish();
                        })
                        .hasMessageContaining("has sent no rows for 3 seconds");
            }
        }
    }

    @Test
    void wrongCallsAreErrors() throws Exception {
        try (Connection ann = session()) {
            for (String call : List.of("get_write_ticket()", "get_write_ticket(1)", "commit_parts('parts')")) {
                assertThatThrownBy(() -> run(ann, "select " + call)).hasMessageContaining("literal");
            }
            ticket(ann, "parts");
            assertThatThrownBy(() -> run(ann, "select commit_parts('parts', 'x')"))
                    .hasMessageContaining("commit_parts takes");
            run(ann, "create temporary table sorted (a int) clustered by (a) into 2 buckets stored as orc");
            assertThatThrownBy(() -> ticket(ann, "sorted")).hasMessageContaining("buckets");
        }
    }
}
