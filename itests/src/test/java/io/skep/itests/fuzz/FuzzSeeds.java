package io.skep.itests.fuzz;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.QueryId;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.plan.codec.PlanCodec;
import io.skep.engine.spill.BatchCodec;
import io.skep.llap.client.DaemonEndpoint;
import io.skep.llap.client.DaemonIdentity;
import io.skep.llap.client.DaemonStatus;
import io.skep.llap.client.EncodedPlan;
import io.skep.llap.client.LazyEncoded;
import io.skep.llap.client.OutputLocation;
import io.skep.llap.client.PartitionRange;
import io.skep.llap.client.PlanFile;
import io.skep.llap.client.TaskAttemptId;
import io.skep.llap.client.TaskSubmission;
import io.skep.llap.client.wire.ClientFrame;
import io.skep.llap.client.wire.DaemonFrame;
import io.skep.llap.client.wire.FrameCodec;
import io.skep.llap.client.wire.Greeting;
import io.skep.llap.client.wire.PageFrame;
import io.skep.llap.client.wire.PageFrameCodec;
import io.skep.llap.client.wire.PageRequest;
import io.skep.llap.client.wire.ReaderFrame;
import io.skep.llap.client.wire.ReaderFrameCodec;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.storage.file.HadoopFileSystem;
import io.skep.storage.registry.FormatRegistry;
import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableLayout;
import io.skep.storage.write.PageSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** Rewrites the seeds of the formats that Skep itself writes. Run it when one of these formats has changed. */
final class FuzzSeeds {
    private static final List<String> QUERIES = List.of(
            "SELECT a, count(*), sum(c), max(b) FROM t WHERE a > 1 GROUP BY a ORDER BY a LIMIT 3",
            "SELECT t.b, u.s.x FROM t JOIN u ON t.a = u.a WHERE u.l[0] IN (1, 2)",
            "SELECT a, row_number() OVER (PARTITION BY k ORDER BY a) FROM p UNION ALL SELECT a, a FROM v");

    private FuzzSeeds() {}

    static void main() throws IOException {
        for (Layouts layout : Layouts.values()) {
            file(layout);
        }
        plans();
        frames();
        Batch batch = batch(Layouts.ORC.table());
        write(FuzzTarget.BATCHES, "rows", BatchCodec.encode(batch));
        write(
                FuzzTarget.BATCHES,
                "slice",
                BatchCodec.encode(Batch.of(1, batch.column(0).slice(1, 1))));
    }

    private static void file(Layouts layout) throws IOException {
        TableLayout table = layout.table();
        Path file = Files.createTempDirectory("skep-seeds").resolve("part");
        FormatRegistry formats = new FormatRegistry(new HadoopFileSystem(new Configuration()), ZoneOffset.UTC);
        PageSink sink = formats.create(table, file.toUri().toString());
        sink.append(batch(table));
        sink.finish();
        byte[] bytes = Files.readAllBytes(file);
        switch (layout) {
            case ORC -> write(FuzzTarget.ORC, "rows", bytes);
            case PARQUET -> write(FuzzTarget.PARQUET, "rows", bytes);
            case AVRO -> write(FuzzTarget.SERDES, "avro", of(0, bytes));
            case RCFILE -> write(FuzzTarget.SERDES, "rcfile", of(1, bytes));
            case SEQUENCE_FILE -> write(FuzzTarget.SERDES, "sequence", of(2, bytes));
            case TEXT -> write(FuzzTarget.TEXT, "plain", of(0, bytes));
            case JSON -> write(FuzzTarget.TEXT, "json", of(1, bytes));
            case CSV ->
                write(
                        FuzzTarget.TEXT,
                        "csv",
                        of(
                                2,
                                "1,a,true,1.5,2.25\n\"2\",\"b \"\"c\"\"\",,,\n"
                                        .getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        }
    }

    private static Batch batch(TableLayout table) {
        List<List<Datum>> rows = new ArrayList<>();
        for (int row = 0; row < 3; row++) {
            rows.add(List.of(
                    new Datum.OfLong(row),
                    Datum.ofText("text " + row),
                    Datum.ofBoolean(row == 1),
                    new Datum.OfDouble(row / 4.0),
                    new Datum.OfDecimal(BigInteger.TEN.pow(20 + row)),
                    new Datum.OfLong(18_000 + row),
                    new Datum.OfTimestamp(1_700_000_000L + row, row * 1000),
                    new Datum.OfList(List.of(new Datum.OfLong(row), Datum.NULL)),
                    new Datum.OfMap(List.of(Datum.ofText("k")), List.of(new Datum.OfLong(row))),
                    new Datum.OfList(List.of(new Datum.OfLong(row), Datum.ofText("y")))));
        }
        List<SqlType> types = table.dataColumns().stream().map(Column::type).toList();
        rows.add(Collections.nCopies(types.size(), Datum.NULL));
        List<Vector> columns = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            VectorAppender appender = VectorAppender.of(types.get(i));
            for (List<Datum> row : rows) {
                row.get(i).appendTo(appender, types.get(i));
            }
            columns.add(appender.build());
        }
        return new Batch(columns, rows.size());
    }

    private static void frames() throws IOException {
        QueryId query = new QueryId("q_1");
        TaskAttemptId output = new TaskAttemptId(1, 2, 0);
        DaemonIdentity daemon = new DaemonIdentity(-7, "life", 16, Optional.of(new DaemonEndpoint("10.0.0.1", 15001)));
        TaskSubmission task = new TaskSubmission(
                query,
                "plan",
                3,
                0,
                1,
                8,
                Map.of(5, List.of(LazyEncoded.ofBytes(new byte[] {1, -1}))),
                Map.of(1, List.of(new OutputLocation(daemon, output))),
                new PartitionRange(5, 3),
                Set.of(0, 4),
                List.of(2, 0),
                true,
                4,
                Map.of("skep.scheduler", "direct"));
        EncodedPlan plan = new EncodedPlan("plan", LazyEncoded.ofBytes(new byte[] {7, 8}), List.of("a.jar"));
        List<ClientFrame> client = List.of(
                new ClientFrame.Register(query, plan, List.of(new PlanFile("a.jar", "0123456789abcdef".repeat(4)))),
                new ClientFrame.Submit(1, task),
                new ClientFrame.Cancel(3, query, output, "given up"),
                new ClientFrame.End(4, query, ""));
        SkepException failure = new SkepException(StandardErrorCode.DIVISION_BY_ZERO, "by zero").withHint("use nullif");
        List<DaemonFrame> answers = List.of(
                new DaemonFrame.Failed(10, failure),
                new DaemonFrame.Want("abc"),
                new DaemonFrame.Status(new DaemonStatus(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)));
        List<ReaderFrame> reader = List.of(
                new ReaderFrame.Open(1, new PageRequest(query, output, 4), 512 << 10),
                new ReaderFrame.Pass(query, output));
        List<PageFrame> pages = List.of(new PageFrame.Page(1, new byte[] {1, 2}), new PageFrame.Failed(2, failure));
        write(FuzzTarget.FRAMES, "client", of(0, FrameCodec.encodeClient(client)));
        write(FuzzTarget.FRAMES, "daemon", of(1, FrameCodec.encodeDaemon(answers)));
        write(FuzzTarget.FRAMES, "reader", of(2, ReaderFrameCodec.encode(reader)));
        write(FuzzTarget.FRAMES, "pages", of(3, PageFrameCodec.encodePages(pages)));
        write(FuzzTarget.FRAMES, "greeting", of(4, new Greeting(daemon, new byte[] {1}, new byte[] {3}, 4).encode()));
    }

    private static void plans() throws IOException {
        List<StageGraph> graphs = new ArrayList<>();
        var engine = SqlEngines.open(run -> {
            graphs.add(run.graph());
            throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "only its plan is wanted");
        });
        try (SqlSession session = engine.openSession("seeds", Map.of())) {
            for (String query : QUERIES) {
                try (SqlStatement statement = session.compile(new QueryId("seeds"), query)) {
                    statement.run(line -> {});
                    statement.results().next();
                } catch (SkepException e) {
                    if (e.code() != StandardErrorCode.NOT_SUPPORTED) {
                        throw e;
                    }
                }
            }
        }
        for (int i = 0; i < graphs.size(); i++) {
            write(FuzzTarget.PLANS, "query" + i, of(0, PlanCodec.encode(graphs.get(i))));
        }
        TableLayout table = Layouts.ORC.table();
        Split split = new Split(
                new FileVersion("file:/w/t/f", 100, 7, 9),
                0,
                100,
                table.format(),
                table.dataColumns(),
                List.of(Optional.of("x"), Optional.empty()));
        write(FuzzTarget.PLANS, "split", of(1, PlanCodec.encodeSplit(split)));
    }

    private static byte[] of(int kind, byte[] rest) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(kind);
        out.writeBytes(rest);
        return out.toByteArray();
    }

    private static void write(FuzzTarget target, String name, byte[] bytes) throws IOException {
        Files.write(Files.createDirectories(FuzzFolders.seeds(target)).resolve(name), bytes);
    }
}
