package io.skep.bench.simulation;

import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.engine.plan.Fragment;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.StageGraph;
import io.skep.engine.schedule.StageGraphRun;
import io.skep.storage.scan.ScanRequest;
import io.skep.storage.table.Column;
import io.skep.storage.table.FileVersion;
import io.skep.storage.table.Split;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Queries over one large table. Four of five are reports over some ranges of files, most of them from the same few
 * files. The others aggregate up to two hundred ranges. The caches have room for the ranges of all tables.
 */
final class Workload {
    private static final int SCAN = 1;
    /** The maximum number of ranges that a query reads. */
    static final int MAX_RANGES = 200;

    static final long SPLIT = 32L << 20;
    private static final int SPLITS_PER_DAEMON = 96;
    private static final List<SqlType> TYPES = List.of(PrimitiveType.BIGINT);
    private static final TableFormat FORMAT = new TableFormat("in", "out", "serde", Map.of());
    private static final List<Column> COLUMNS = List.of(new Column("n", PrimitiveType.BIGINT));

    private final List<Split> splits = new ArrayList<>();

    Workload(int daemons) {
        for (int i = 0; i < daemons * SPLITS_PER_DAEMON; i++) {
            FileVersion file = new FileVersion("hdfs://n/t/" + i / 8, 8 * SPLIT, 0);
            splits.add(new Split(file, i % 8 * SPLIT, SPLIT, FORMAT, COLUMNS, List.of()));
        }
    }

    StageGraphRun draw(String id, Random random) {
        boolean report = random.nextInt(5) > 0;
        int count = 1 + random.nextInt(report ? 4 : Math.min(MAX_RANGES, splits.size() - 1));
        double place = random.nextDouble();
        int first = (int) ((splits.size() - count) * (report ? place * place * place * place : place));
        return run(id, splits.subList(first, first + count), report ? 1000 : 20_000.0 * count);
    }

    /** Returns a query over this number of ranges. */
    StageGraphRun first(String id, int count, double rows) {
        return run(id, splits.subList(0, count), rows);
    }

    int size() {
        return splits.size();
    }

    private static StageGraphRun run(String id, List<Split> read, double rows) {
        StageGraph graph = new StageGraph(
                List.of(
                        new Fragment(0, scan(), Fragment.Distribution.SOURCE, new Fragment.Output.Hash(List.of(0))),
                        new Fragment(1, remote(0), Fragment.Distribution.HASH, new Fragment.Output.Gather()),
                        new Fragment(2, remote(1), Fragment.Distribution.SINGLE, new Fragment.Output.Gather())),
                List.of("n"),
                TYPES,
                List.of(),
                rows);
        return new StageGraphRun(new QueryId(id), graph, Map.of(SCAN, read), Map.of());
    }

    private static PlanNode scan() {
        TableLayout table = new TableLayout("db.t", FORMAT, COLUMNS, List.of(), Map.of());
        return new PlanNode.Scan(SCAN, new ScanRequest(table, List.of(0), List.of()), Optional.empty());
    }

    private static PlanNode remote(int fragment) {
        return new PlanNode.RemoteSource(List.of(fragment), TYPES, List.of());
    }
}
