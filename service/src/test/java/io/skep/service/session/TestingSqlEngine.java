package io.skep.service.session;

import com.google.common.util.concurrent.Uninterruptibles;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.query.OperatorTimes;
import io.skep.common.query.QueryId;
import io.skep.common.type.PrimitiveType;
import io.skep.common.vector.Batch;
import io.skep.common.vector.Datum;
import io.skep.common.vector.VectorAppender;
import io.skep.engine.function.FunctionCatalog;
import io.skep.engine.schedule.ExecutionStats;
import io.skep.metastore.Table;
import io.skep.ql.AccessRecord;
import io.skep.ql.ResultSchema;
import io.skep.ql.ResultSchema.ResultColumn;
import io.skep.ql.ResultStream;
import io.skep.ql.SqlEngine;
import io.skep.ql.SqlSession;
import io.skep.ql.SqlStatement;
import io.skep.ql.execution.RunListener;
import io.skep.ql.external.ExternalQuery;
import io.skep.storage.scan.ScanStats;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An SQL engine with these statements: {@code rows N} returns N rows in batches of ten. {@code wait} runs until it is
 * cancelled. {@code kept N} reports that its rows use N bytes, and {@code large} has a large plan. {@code endless}
 * returns a row and then waits. {@code fail} fails. {@code set K=V} changes a setting. {@code spin} compiles until it
 * is interrupted or {@link #endSpinning} is called, {@code spin deaf} until the latter. {@code hold} is a command that
 * runs until it is cancelled or {@link #endSpinning} is called, {@code hold deaf} until the latter. {@code commit}
 * commits until {@link #endSpinning}. {@code badclose} fails when it is closed, and {@code stuckclose} closes no
 * earlier than at {@link #endSpinning}. SELECT returns a row, CREATE and INSERT return none. All other text is a syntax
 * error.
 */
public final class TestingSqlEngine implements SqlEngine {
    private static final ResultSchema SCHEMA =
            new ResultSchema(List.of(new ResultColumn("n", PrimitiveType.INT, "a number")));

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger openSessions = new AtomicInteger();
    private final AtomicInteger spinning = new AtomicInteger();
    private final CountDownLatch spin = new CountDownLatch(1);

    /** Returns the number of statements that were compiled and not closed. */
    public int openStatements() {
        return open.get();
    }

    public int openSessions() {
        return openSessions.get();
    }

    /** Returns the number of statements that are being compiled. */
    int spinning() {
        return spinning.get();
    }

    /** Lets blocked compilations and closes continue. */
    void endSpinning() {
        spin.countDown();
    }

    private boolean isHolding() {
        return spin.getCount() > 0;
    }

    private void awaitSpin() {
        Uninterruptibles.awaitUninterruptibly(spin);
    }

    private TestingStatement spin(boolean deaf) {
        spinning.incrementAndGet();
        try {
            while (spin.getCount() > 0) {
                if (!deaf && Thread.currentThread().isInterrupted()) {
                    throw new SkepException(StandardErrorCode.OPERATION_CANCELED, "interrupted");
                }
                Thread.onSpinWait();
            }
        } finally {
            spinning.decrementAndGet();
        }
        return new TestingStatement(open, 1, false, false);
    }

    @Override
    public SqlSession openServerSession(Map<String, String> settings) {
        return openSession("skep", settings);
    }

    @Override
    public SqlSession openSession(String user, Optional<String> address, Map<String, String> settings) {
        openSessions.incrementAndGet();
        return new TestingSession(user, new ConcurrentHashMap<>(settings));
    }

    private final class TestingSession implements SqlSession {
        private final String user;
        private final Map<String, String> settings;

        TestingSession(String user, Map<String, String> settings) {
            this.user = user;
            this.settings = settings;
        }

        @Override
        public String user() {
            return user;
        }

        @Override
        public String currentDatabase() {
            return "default";
        }

        @Override
        public void useDatabase(String name) {
            throw new SkepException(StandardErrorCode.DATABASE_NOT_FOUND, name);
        }

        @Override
        public Map<String, String> settings() {
            return settings;
        }

        @Override
        public Optional<String> setting(String name) {
            return Optional.ofNullable(settings.get(name));
        }

        @Override
        public FunctionCatalog functions() {
            throw new UnsupportedOperationException("no functions in this test");
        }

        @Override
        public Optional<SqlStatement> compileWithCachedPlan(QueryId queryId, String text, AccessRecord access) {
            return Optional.empty();
        }

        @Override
        public Predicate<Table> visibleTables() {
            return table -> true;
        }

        @Override
        public Predicate<String> visibleDatabases() {
            return name -> true;
        }

        @Override
        public boolean isQuery(String text) {
            return text.startsWith("rows");
        }

        @Override
        public ExternalQuery.Statement external(String text) {
            return new ExternalQuery.Statement(text, "default", settings, true);
        }

        @Override
        public SqlStatement compile(QueryId queryId, String text, AccessRecord access) {
            String[] words = text.split("[ =]");
            TestingStatement statement = switch (words[0]) {
                case "rows" -> new TestingStatement(open, Integer.parseInt(words[1]), false, false);
                case "wait" -> new TestingStatement(open, 0, true, false);
                case "endless" -> new TestingStatement(open, 1, true, true);
                case "SELECT" -> new TestingStatement(open, 1, false, false);
                case "DEEP" -> TestingStatement.deep(open);
                case "large" -> TestingStatement.large(open);
                case "kept" -> TestingStatement.keeping(open, Long.parseLong(words[1]));
                case "CREATE", "INSERT" -> new TestingStatement(open, 0, false, false);
                case "spin" -> spin(words.length > 1);
                case "badclose" ->
                    TestingStatement.closing(open, () -> {
                        throw new SkepException(StandardErrorCode.DISK_FULL, "it cannot be closed");
                    });
                case "commit" -> TestingStatement.committing(open, TestingSqlEngine.this::awaitSpin);
                case "stuckclose" -> TestingStatement.closing(open, TestingSqlEngine.this::awaitSpin);
                case "hold" -> TestingStatement.command(open, words.length > 1, TestingSqlEngine.this::isHolding);
                case "fail" -> new TestingStatement(open, -1, false, false);
                case "set" -> {
                    settings.put(words[1], words[2]);
                    yield new TestingStatement(open, 0, false, false);
                }
                default -> throw new SkepException(StandardErrorCode.SYNTAX_ERROR, "no such statement: " + text);
            };
            open.incrementAndGet();
            return statement;
        }

        @Override
        public void close() {
            openSessions.decrementAndGet();
        }
    }

    private static final class TestingStatement implements SqlStatement {
        private final AtomicInteger open;
        private final boolean waits;
        private final boolean waitsInFetch;
        private final int rows;
        private final Runnable closing;
        private Optional<Runnable> committing = Optional.empty();
        private Optional<Supplier<String>> plan = Optional.of(() -> "a plan");
        private Runnable command = () -> {};
        private long planBytes;
        private long rowBytes;
        private final CountDownLatch cancelled = new CountDownLatch(1);
        private volatile @Nullable SkepException reason;
        private int given;

        static TestingStatement closing(AtomicInteger open, Runnable closing) {
            return new TestingStatement(open, 1, false, false, closing);
        }

        /** Returns a statement whose plan is infinite. */
        static TestingStatement deep(AtomicInteger open) {
            TestingStatement statement = new TestingStatement(open, 1, false, false);
            statement.plan = Optional.of(() -> endless(0));
            return statement;
        }

        /** Returns a statement without a plan that runs while {@code goesOn} is true. */
        static TestingStatement command(AtomicInteger open, boolean deaf, BooleanSupplier goesOn) {
            TestingStatement statement = new TestingStatement(open, 0, false, false);
            statement.plan = Optional.empty();
            statement.command = () -> {
                while (goesOn.getAsBoolean() && (deaf || statement.cancelled.getCount() > 0)) {
                    LockSupport.parkNanos(1_000_000);
                }
            };
            return statement;
        }

        static TestingStatement large(AtomicInteger open) {
            TestingStatement statement = new TestingStatement(open, 1, false, false);
            statement.plan = Optional.of(() -> "a plan ".repeat(1_000_000));
            statement.planBytes = 10_000_000;
            return statement;
        }

        static TestingStatement keeping(AtomicInteger open, long bytes) {
            TestingStatement statement = new TestingStatement(open, 1, false, false);
            statement.rowBytes = bytes;
            return statement;
        }

        @Override
        public long planBytes() {
            return planBytes;
        }

        @Override
        public long rowBytes() {
            return rowBytes;
        }

        private static String endless(int depth) {
            return depth < 0 ? "" : endless(depth + 1) + depth;
        }

        static TestingStatement committing(AtomicInteger open, Runnable committing) {
            TestingStatement statement = new TestingStatement(open, 0, false, false);
            statement.committing = Optional.of(committing);
            return statement;
        }

        TestingStatement(AtomicInteger open, int rows, boolean waits, boolean waitsInFetch) {
            this(open, rows, waits, waitsInFetch, () -> {});
        }

        private TestingStatement(AtomicInteger open, int rows, boolean waits, boolean waitsInFetch, Runnable closing) {
            this.closing = closing;
            this.open = open;
            this.rows = rows;
            this.waits = waits;
            this.waitsInFetch = waitsInFetch;
        }

        @Override
        public Optional<ResultSchema> schema() {
            return Optional.of(SCHEMA);
        }

        @Override
        public String operationName() {
            return "QUERY";
        }

        @Override
        public Optional<Supplier<String>> plan() {
            return plan;
        }

        @Override
        public void run(RunListener listener) {
            listener.log("at work");
            command.run();
            if (rows < 0) {
                throw new SkepException(StandardErrorCode.DIVISION_BY_ZERO, "it failed");
            }
            if (waits && !waitsInFetch) {
                awaitCancel();
            }
            committing.ifPresent(commit -> {
                listener.beginCommit();
                commit.run();
            });
        }

        private void awaitCancel() {
            try {
                cancelled.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            SkepException why = reason;
            throw why == null ? new IllegalStateException("interrupted") : why;
        }

        @Override
        public ResultStream results() {
            return () -> {
                if (given == rows) {
                    if (waitsInFetch) {
                        awaitCancel();
                    }
                    return Optional.empty();
                }
                int count = Math.min(10, rows - given);
                VectorAppender numbers = VectorAppender.of(PrimitiveType.INT);
                for (int i = 0; i < count; i++) {
                    new Datum.OfLong(given++).appendTo(numbers, PrimitiveType.INT);
                }
                return Optional.of(new Batch(List.of(numbers.build()), count));
            };
        }

        @Override
        public Optional<Long> modifiedRows() {
            return Optional.empty();
        }

        @Override
        public void cancel(SkepException why) {
            reason = why;
            cancelled.countDown();
        }

        @Override
        public Optional<ExecutionStats> stats() {
            return Optional.of(new ExecutionStats(
                    "direct",
                    List.of(new ExecutionStats.FragmentStats(1, 4, 1, 3, 0, 30)),
                    ScanStats.NONE,
                    OperatorTimes.of(kind -> 125_000),
                    4096,
                    0));
        }

        @Override
        public void close() {
            try {
                closing.run();
            } finally {
                open.decrementAndGet();
            }
        }
    }
}
