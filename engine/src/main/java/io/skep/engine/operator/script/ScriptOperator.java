package io.skep.engine.operator.script;

import io.skep.common.memory.ScratchMemory;
import io.skep.common.query.OperatorKind;
import io.skep.common.vector.Batch;
import io.skep.common.vector.BatchRows;
import io.skep.engine.operator.Operator;
import io.skep.engine.operator.OperatorContext;
import io.skep.engine.operator.OperatorMemory;
import io.skep.engine.plan.PlanNode;
import io.skep.engine.plan.Script;
import io.skep.engine.spill.SpillFolder;
import io.skep.storage.serde.TextRecordDecoder;
import io.skep.storage.serde.TextRecordEncoder;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.metadata.HiveUtils;
import org.apache.hadoop.io.Text;
import org.jspecify.annotations.Nullable;

/**
 * Passes rows through a script: writes a line for each row to its stdin, and makes rows of the lines of its stdout. The
 * script starts with the first row, so that there is none for a task without rows. It ends with the operator, whether
 * it has printed everything or not.
 *
 * <p>A script that exits with a status other than 0 is an error. So is one that does not read all of its input, unless
 * hive.exec.script.allow.partial.consumption is set; what a pipe takes counts as read.
 */
public final class ScriptOperator implements Operator {
    /** Rows go to the script in chunks of at least this size, or all that there are. */
    private static final int CHUNK = 64 << 10;

    /** A batch of output has lines of at least this size, or all that there are. */
    private static final long BATCH_BYTES = 1 << 20;

    private final Script script;
    private final ScriptContext place;
    private final OperatorContext context;
    private final ScriptSettings settings;
    private final OperatorMemory memory;
    private final TextRecordEncoder encoder;
    private final TextRecordDecoder decoder;
    private final ScriptLines lines;
    private final int batchRows;
    private @Nullable SpillFolder folder;
    private @Nullable ScriptProcess process;
    private @Nullable Batch input;
    private int nextRow;
    private boolean finishing;
    /** Whether the script has refused input, and since when. */
    private boolean satisfied;

    private long refusedAt;
    private boolean linesEnded;
    private boolean ended;

    public ScriptOperator(PlanNode.Transform node, ScriptContext place, OperatorContext context) {
        this.script = node.script();
        this.place = place;
        this.context = context;
        this.settings = ScriptSettings.of(place.settings());
        this.memory = context.account();
        ZoneId zone = place.zone();
        this.encoder = new TextRecordEncoder(script.input(), zone);
        this.decoder = new TextRecordDecoder(script.output(), zone);
        this.lines = new ScriptLines(settings.longestLine(), script.escaped());
        this.batchRows = BatchRows.of(node.outputTypes());
    }

    @Override
    public OperatorKind kind() {
        return OperatorKind.PROJECT;
    }

    @Override
    public boolean needsInput() {
        return input == null
                && !finishing
                && !satisfied
                && (process == null || process.pipes().takesInput());
    }

    @Override
    public void add(Batch batch) {
        encoder.start(batch);
        input = batch;
        nextRow = 0;
        feed(process == null ? start() : process);
    }

    private ScriptProcess start() {
        String run = place.name() + "-" + UUID.randomUUID();
        SpillFolder made = context.spill().createFolder("script");
        folder = made;
        ScriptFolder.fill(made, script.files(), place.files(), context.cancelled());
        ProgramPath programs = ProgramPath.of(made.path(), place.variables());
        List<String> command = programs.resolved(script.command());
        List<String> wrapped = script.wrapper().isEmpty()
                ? command
                : Stream.concat(programs.resolved(script.wrapper()).stream(), command.stream())
                        .toList();
        Map<String, String> variables = ScriptVariables.of(place.variables(), place.settings(), settings, run);
        ScriptProcess started = ScriptProcess.start(
                new ScriptProcess.Start(wrapped, made.path(), variables, run, place.pause()),
                "'" + script.text() + "' of " + place.name(),
                settings.maxLoggedBytes());
        process = started;
        return started;
    }

    /** Gives rows to the script, as many as it takes at present. */
    private void feed(ScriptProcess running) {
        ScriptPipes pipes = running.pipes();
        while (input != null && pipes.takesInput()) {
            send(pipes, input);
        }
        if (finishing && input == null) {
            pipes.closeInput();
        }
    }

    private void send(ScriptPipes pipes, Batch batch) {
        byte[] chunk = new byte[CHUNK];
        int size = 0;
        while (nextRow < batch.rowCount() && size < CHUNK) {
            Text line = encoder.encode(nextRow++);
            Text written = script.escaped() ? HiveUtils.escapeText(line) : line;
            int wanted = Math.addExact(Math.addExact(size, written.getLength()), 1);
            if (wanted > chunk.length) {
                chunk = ScratchMemory.copyOf(chunk, Math.max(wanted, (int) Math.min(1 << 30, 2L * chunk.length)));
            }
            System.arraycopy(written.getBytes(), 0, chunk, size, written.getLength());
            chunk[wanted - 1] = '\n';
            size = wanted;
        }
        if (nextRow == batch.rowCount()) {
            dropInput();
        }
        if (chunk.length > CHUNK) {
            ScratchMemory.discount(chunk.length);
        }
        pipes.send(chunk, size);
        account(pipes);
    }

    private void dropInput() {
        input = null;
        encoder.finish();
    }

    private void account(ScriptPipes pipes) {
        memory.set(ScriptPipes.FIXED_BYTES + pipes.inputBytes() + lines.bytes());
    }

    @Override
    public CompletableFuture<?> blocked() {
        ScriptProcess running = process;
        if (running == null || ended) {
            return NOT_BLOCKED;
        }
        CompletableFuture<?> granted = memory.granted();
        if (!granted.isDone()) {
            return granted;
        }
        ScriptPipes pipes = running.pipes();
        CompletableFuture<?> change = pipes.change();
        boolean feeds = pipes.takesInput() && (input != null || !finishing);
        boolean isOver = running.status().isPresent() && (finishing || satisfied) && pipes.inputIsDone();
        boolean isWrong = pipes.outputFailure().isPresent()
                || running.status().orElse(0) != 0
                || (satisfied ? isOverdue() : pipes.inputFailure().isPresent());
        return feeds || isOver || isWrong || pipes.hasOutput() ? NOT_BLOCKED : change;
    }

    /** Whether the script has had time to exit after it refused input that it must read. */
    private boolean isOverdue() {
        return !settings.partialConsumption()
                && System.nanoTime() - refusedAt >= place.pause().toNanos();
    }

    @Override
    public @Nullable Batch output() {
        ScriptProcess running = process;
        if (running == null) {
            ended |= finishing;
            return null;
        }
        ScriptPipes pipes = running.pipes();
        feed(running);
        // What is asked first may only be less than what is true later: the status comes after the last piece.
        OptionalInt status = running.status();
        boolean inputIsDone = pipes.inputIsDone();
        decode(pipes);
        if (decoder.rowCount() > 0) {
            account(pipes);
            return decoder.build();
        }
        fail(running, status);
        if (status.isPresent() && !pipes.hasOutput() && (satisfied || finishing && inputIsDone)) {
            if (linesEnded) {
                ended = true;
            } else {
                linesEnded = true;
                lines.end();
                decode(pipes);
                return decoder.rowCount() > 0 ? decoder.build() : null;
            }
        }
        return null;
    }

    private void decode(ScriptPipes pipes) {
        long bytes = 0;
        while (decoder.rowCount() < batchRows && bytes < BATCH_BYTES) {
            Text line = lines.next();
            if (line != null) {
                bytes += line.getLength();
                decoder.add(line);
                continue;
            }
            Optional<ScriptPipes.Piece> piece = pipes.poll();
            if (piece.isEmpty()) {
                return;
            }
            lines.add(piece.get().data(), piece.get().count());
            account(pipes);
        }
    }

    /** Throws the error of the script, if there is one. Its exit status tells more than a broken pipe. */
    private void fail(ScriptProcess running, OptionalInt status) {
        ScriptPipes pipes = running.pipes();
        if (status.isPresent() && status.getAsInt() != 0) {
            throw ScriptErrors.end(
                    "The script " + describe() + " ended with status " + status.getAsInt() + "." + messages(pipes));
        }
        pipes.outputFailure().ifPresent(failure -> {
            throw ScriptErrors.exchange("The output of " + describe() + " cannot be read: " + failure, failure);
        });
        pipes.inputFailure().ifPresent(failure -> {
            if (!satisfied) {
                satisfied = true;
                refusedAt = System.nanoTime();
                dropInput();
                running.wakeLater();
            }
            if (!settings.partialConsumption() && (status.isPresent() || isOverdue())) {
                throw ScriptErrors.exchange(
                        "The script " + describe() + " did not read all of its input (" + failure.getMessage()
                                + "). Set hive.exec.script.allow.partial.consumption=true to allow that."
                                + messages(pipes),
                        failure);
            }
        });
    }

    private String describe() {
        return "'" + script.text() + "' of " + place.name();
    }

    private static String messages(ScriptPipes pipes) {
        String text = pipes.tail().text();
        return text.isEmpty() ? "" : " The last that it wrote to stderr: " + text;
    }

    @Override
    public long heldBytes() {
        Batch waiting = input;
        return waiting == null ? 0 : waiting.retainedBytes();
    }

    @Override
    public void finish() {
        finishing = true;
        ScriptProcess running = process;
        if (running != null) {
            feed(running);
        }
    }

    @Override
    public boolean finished() {
        return ended || finishing && process == null && input == null;
    }

    @Override
    public void close() {
        ScriptProcess running = process;
        SpillFolder made = folder;
        process = null;
        folder = null;
        ended = true;
        input = null;
        try {
            if (running != null) {
                running.close();
            }
        } finally {
            memory.close();
            if (made != null) {
                made.close();
            }
        }
    }
}
