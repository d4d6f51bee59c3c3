package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.type.PrimitiveType;
import io.skep.common.type.SqlType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.Vector;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.ql.ResultSchema;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.ResultStream;
import io.skep.ql.SqlStatement;
import io.skep.ql.execution.RunListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A statement that the server carries out by itself, in one step: DDL, SHOW, SET. It has few rows or none. It can be
 * cancelled until it changes something ({@link CommandRun}).
 */
public final class CommandStatement implements SqlStatement {
    /** The work of the statement; returns its rows. */
    @FunctionalInterface
    public interface Action {
        List<List<Datum>> run(RunListener listener);
    }

    private static final long BYTES_ROW = 64;

    private final String operationName;
    private final Optional<ResultSchema> schema;

    /** Null after it has run, since it may reference the syntax tree of a long text. */
    private @Nullable Function<CommandRun, List<List<Datum>>> action;

    private final CommandRun run = new CommandRun();
    private volatile List<List<Datum>> rows = List.of();
    private volatile long rowBytes;
    private boolean read;

    private CommandStatement(
            String operationName, Optional<ResultSchema> schema, Function<CommandRun, List<List<Datum>>> action) {
        this.operationName = operationName;
        this.schema = schema;
        this.action = action;
    }

    /**
     * Creates a statement without a result that changes something at once, such as a setting. It cannot be cancelled
     * after it has begun.
     */
    public static CommandStatement of(String operationName, Runnable action) {
        return changing(operationName, run -> {
            run.beginCommit();
            action.run();
        });
    }

    /**
     * Creates a statement without a result that calls {@link CommandRun#beginCommit} before its first change, if it
     * changes anything.
     */
    public static CommandStatement changing(String operationName, Consumer<CommandRun> action) {
        return new CommandStatement(operationName, Optional.empty(), run -> {
            action.accept(run);
            return List.of();
        });
    }

    public static CommandStatement withRows(String operationName, List<ResultColumn> columns, Action action) {
        return new CommandStatement(operationName, Optional.of(new ResultSchema(columns)), action::run);
    }

    /** Creates a statement whose columns all have type string; an absent cell is null. */
    public static CommandStatement withText(String operationName, List<String> columns, TextAction action) {
        return withRows(
                operationName,
                textColumns(columns).columns(),
                listener -> action.run(listener).stream()
                        .map(CommandStatement::texts)
                        .toList());
    }

    /** Creates a statement of text columns that runs an internal query ({@link CommandRun#runQuery}). */
    public static CommandStatement ofQuery(
            String operationName, List<String> columns, Function<CommandRun, List<List<Optional<String>>>> action) {
        return new CommandStatement(
                operationName,
                Optional.of(textColumns(columns)),
                run -> action.apply(run).stream().map(CommandStatement::texts).toList());
    }

    private static ResultSchema textColumns(List<String> names) {
        return new ResultSchema(names.stream()
                .map(name -> new ResultColumn(name, PrimitiveType.STRING, "from deserializer"))
                .toList());
    }

    /** The work of a statement that returns rows of text. */
    @FunctionalInterface
    public interface TextAction {
        List<List<Optional<String>>> run(RunListener listener);
    }

    private static List<Datum> texts(List<Optional<String>> cells) {
        return cells.stream()
                .map(cell -> cell.map(Datum::ofText).orElse(Datum.NULL))
                .toList();
    }

    @Override
    public Optional<ResultSchema> schema() {
        return schema;
    }

    @Override
    public String operationName() {
        return operationName;
    }

    @Override
    public Optional<Supplier<String>> plan() {
        return Optional.empty();
    }

    @Override
    public void run(RunListener listener) {
        Function<CommandRun, List<List<Datum>>> once = Objects.requireNonNull(action, "it has run");
        action = null;
        rows = run.run(listener, () -> once.apply(run));
        rowBytes = rows.stream()
                .mapToLong(row ->
                        BYTES_ROW + row.stream().mapToLong(Datum::heapBytes).sum())
                .sum();
    }

    @Override
    public long rowBytes() {
        return rowBytes;
    }

    @Override
    public ResultStream results() {
        ResultSchema columns = schema.orElseThrow(
                () -> new SkepException(StandardErrorCode.INVALID_FETCH, "the statement has no result set"));
        return () -> {
            if (read) {
                return Optional.empty();
            }
            read = true;
            Batch batch = batch(columns, rows);
            rows = List.of();
            return Optional.of(batch);
        };
    }

    private static Batch batch(ResultSchema schema, List<List<Datum>> rows) {
        List<Vector> columns = new ArrayList<>();
        for (int i = 0; i < schema.columns().size(); i++) {
            SqlType type = schema.columns().get(i).type();
            VectorAppender appender = VectorAppender.of(type);
            for (List<Datum> row : rows) {
                row.get(i).appendTo(appender, type);
            }
            columns.add(appender.build());
        }
        return new Batch(columns, rows.size());
    }

    @Override
    public Optional<Long> modifiedRows() {
        return Optional.empty();
    }

    @Override
    public void cancel(SkepException reason) {
        run.cancel(reason);
    }

    @Override
    public Optional<ExecutionStats> stats() {
        return Optional.empty();
    }

    @Override
    public void close() {
        rows = List.of();
    }
}
