package io.skep.engine.operator.script;

import io.skep.common.memory.MemoryPool;
import io.skep.common.memory.ScratchMemory;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.engine.operator.OperatorContext;
import io.skep.engine.operator.TestBatches;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.Script;
import io.skep.engine.plan.ScriptFile;
import io.skep.engine.spill.SpillSpace;
import io.skep.storage.table.Column;
import io.skep.storage.table.TableFormat;
import io.skep.storage.table.TableLayout;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One run of a script over batches, as a driver runs it. Says what the run has left behind. */
final class ScriptRun implements AutoCloseable {
    static final TableFormat FORMAT = new TableFormat(
            "",
            "",
            "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
            Map.of("serialization.format", "9", "field.delim", "9"));

    private final Path folder;
    private final MemoryPool memory;
    private final SpillSpace spill;
    private final Map<String, String> settings = new HashMap<>();
    private final List<ScriptFile> files = new ArrayList<>();
    private Duration pause = Duration.ofSeconds(10);
    private boolean escaped;
    private long rows = Long.MAX_VALUE;

    ScriptRun(Path folder, long memoryBytes) {
        this.folder = folder;
        this.memory = MemoryPool.root("script", memoryBytes);
        this.spill = new SpillSpace(folder.resolve("spill"), new QueryId("q"), "t", 16L << 20);
    }

    ScriptRun set(String name, String value) {
        settings.put(name, value);
        return this;
    }

    ScriptRun pause(Duration other) {
        pause = other;
        return this;
    }

    ScriptRun file(Path path, boolean archive) {
        files.add(new ScriptFile(path.toUri().toString(), archive));
        return this;
    }

    ScriptRun escaped() {
        escaped = true;
        return this;
    }

    /** Ends the run after a number of rows, as a LIMIT does. */
    ScriptRun limit(long count) {
        rows = count;
        return this;
    }

    static PlanNode.Transform node(
            List<String> command, List<SqlType> inputs, List<Column> outputs, List<ScriptFile> files, boolean escaped) {
        List<Column> written = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            written.add(new Column("_col" + i, inputs.get(i)));
        }
        Map<String, String> properties = new HashMap<>(FORMAT.properties());
        if (escaped) {
            properties.put("serialization.format", "1");
            properties.remove("field.delim");
        }
        TableFormat format = new TableFormat("", "", FORMAT.serde(), properties);
        return new PlanNode.Transform(
                new PlanNode.Values(inputs, List.of()),
                new Script(command, List.of(), layout(format, written), layout(format, outputs), escaped, files));
    }

    private static TableLayout layout(TableFormat format, List<Column> columns) {
        return new TableLayout("", format, columns, List.of(), Map.of());
    }

    /** Runs a shell's command over one column of numbers; the output is one column of text. */
    List<@Nullable Object> shell(String command, List<Batch> input) {
        return run(
                        node(
                                List.of("sh", "-c", command),
                                List.of(PrimitiveType.BIGINT),
                                List.of(new Column("x", PrimitiveType.STRING)),
                                files,
                                escaped),
                        input)
                .stream()
                .<@Nullable Object>map(List::getFirst)
                .toList();
    }

    List<List<@Nullable Object>> run(PlanNode.Transform node, List<Batch> input) {
        Map<String, String> variables = Map.of("PATH", String.valueOf(System.getenv("PATH")), "SECRET", "s3cret");
        ScriptContext place = new ScriptContext(
                "task 0 of query q", settings, ZoneOffset.UTC, variables, uri -> Path.of(URI.create(uri)), pause);
        OperatorContext context = new OperatorContext(memory, spill, Long.MAX_VALUE, () -> false);
        List<Batch> result = new ArrayList<>();
        ScratchMemory scratch = context.scratch();
        try (scratch;
                ScriptOperator operator = new ScriptOperator(node, place, context)) {
            drive(operator, new ArrayList<>(input), scratch, result);
        }
        return TestBatches.rows(result);
    }

    private void drive(ScriptOperator operator, List<Batch> input, ScratchMemory scratch, List<Batch> result) {
        long given = 0;
        boolean finished = false;
        while (!operator.finished() && given < rows) {
            scratch.enter();
            try {
                scratch.settle(operator::heldBytes);
                Batch batch = operator.output();
                if (batch != null) {
                    result.add(batch);
                    given += batch.rowCount();
                } else if (operator.needsInput() && !input.isEmpty()) {
                    operator.add(input.removeFirst());
                } else if (input.isEmpty() && !finished) {
                    finished = true;
                    operator.finish();
                }
            } finally {
                scratch.leave();
            }
            if (given < rows) {
                var _ = operator.blocked().orTimeout(60, TimeUnit.SECONDS).join();
            }
        }
    }

    long reservedBytes() {
        return memory.reservedBytes();
    }

    /** Returns the names of what is left in the spill folder. */
    List<String> leftFiles() {
        String[] names = folder.resolve("spill").toFile().list();
        return names == null ? List.of() : List.of(names);
    }

    static List<String> leftThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("script-"))
                .toList();
    }

    /** Returns the command lines of processes that belong to a run. */
    static List<String> leftProcesses() {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(process -> environment(process.pid()).contains(ScriptVariables.RUN + "="))
                    .map(process -> process.info().commandLine().orElse("?"))
                    .toList();
        }
    }

    private static String environment(long process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process), "environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException hidden) {
            return "";
        }
    }

    @Override
    public void close() {
        spill.close();
        memory.close();
    }
}
