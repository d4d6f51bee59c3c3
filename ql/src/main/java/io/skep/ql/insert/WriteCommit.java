package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Table;
import io.skep.ql.commit.CommitPlan;
import io.skep.ql.commit.CommitRequest;
import io.skep.ql.commit.TableCommits;
import io.skep.ql.execution.InterruptibleSection;
import io.skep.ql.execution.RunListener;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.transaction.TransactionScope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the rows of a statement to all its destinations and makes them visible in one commit. {@link #run} belongs to
 * the statement's thread; the other methods may be called by any thread at any time.
 */
final class WriteCommit {
    private static final Logger LOG = LoggerFactory.getLogger(WriteCommit.class);

    private final List<TableWriter> writers;
    private final TransactionScope scope;
    private final TableCreation creation;
    private final WriteSteps steps;
    private final StatementContext context;
    private final String name;
    private final WriteState state = new WriteState();

    /** Why the outcome of the transaction is not known. */
    private Optional<RuntimeException> unknown = Optional.empty();

    /** Why the statement's last change of the catalog has failed. */
    private Optional<String> unrecorded = Optional.empty();

    /** Lasts from the wait for other changes of the tables to the final check for a cancellation. */
    private final InterruptibleSection waiting = new InterruptibleSection();

    /**
     * @param creation returns the creation of the target table, if the statement creates it; receives the commit's name
     */
    WriteCommit(
            List<TableWriter> writers,
            Function<String, TableCreation> creation,
            WriteSteps steps,
            StatementContext context) {
        this.writers = List.copyOf(writers);
        this.steps = steps;
        writers.forEach(writer -> writer.whenListed(steps::listed));
        this.scope = writers.getFirst().scope();
        this.context = context;
        scope.whenLost(this::cancel);
        this.name = context.nextName();
        this.creation = creation.apply(name);
    }

    List<TableWriter> writers() {
        return writers;
    }

    /** @return the number of rows written */
    long run(RunListener listener) {
        TableCommits commits = context.services().commits();
        boolean isCommitted = false;
        boolean isGone = false;
        try {
            writers.forEach(writer -> writer.write(listener));
            while (!tryCommit(commits, listener)) {
                // The changes of other statements have been read, and the rows have been written again.
            }
            isCommitted = true;
            unrecorded.ifPresent(failure -> listener.log("WARN  the rows are written, but not what they come from"
                    + ", so that they count as outdated: " + failure));
            return writers.stream().mapToLong(TableWriter::rows).sum();
        } catch (RuntimeException e) {
            isGone = e instanceof SkepException known && known.code() == StandardErrorCode.TABLE_NOT_FOUND;
            throw state.explained(e);
        } finally {
            if (isCommitted || !commits.isUnfinished(name)) {
                state.end(isCommitted);
            }
            scope.close();
            if (!isCommitted) {
                abandon();
            }
            if (isGone || !isCommitted) {
                forgetFolders(isGone);
            }
        }
    }

    /** Writes the rows to staging folders, and drops them instead of committing. */
    void tryOut(RunListener listener) {
        try {
            writers.forEach(writer -> writer.write(listener));
        } catch (RuntimeException e) {
            throw state.explained(e);
        } finally {
            state.end(false);
            scope.close();
            abandon();
            forgetFolders(false);
        }
    }

    /** Deletes the empty folders of tables that are gone, or that the statement has not created after all. */
    private void forgetFolders(boolean areGone) {
        boolean isCreation = creation.inCatalog().isPresent()
                && !context.services().commits().isUnfinished(name);
        if (areGone || isCreation) {
            writers.forEach(TableWriter::forget);
        }
    }

    /** @return false when the commit must be tried again, since rows were written again */
    private boolean tryCommit(TableCommits commits, RunListener listener) {
        try {
            commit(commits, listener);
            return true;
        } catch (SkepException e) {
            List<TableWriter> outdated =
                    writers.stream().filter(TableWriter::isOutdated).toList();
            if (outdated.isEmpty() || !outdated.stream().allMatch(writer -> writer.writeAgain(e))) {
                throw e;
            }
            return false;
        }
    }

    private void commit(TableCommits commits, RunListener listener) {
        creation.inSession().run();
        boolean isCommitted = false;
        waiting.enter();
        try {
            state.check();
            commit(
                    commits,
                    new CommitRequest(
                            name,
                            tables(),
                            folders(),
                            isIntoFolders(),
                            creation.inCatalog(),
                            context.gate(() -> begin(listener)),
                            this::plan,
                            this::inCatalog));
            if (unknown.isPresent()) {
                throw unknown.get();
            }
            isCommitted = true;
            if (creation.inCatalog().isPresent()) {
                commits.awaitFolders(creation.inCatalog()
                        .map(created -> created.table().storage().location()));
            }
        } finally {
            waiting.leave();
            if (!isCommitted) {
                creation.undo().run();
            }
        }
    }

    /**
     * Once the transaction has committed, its rows are visible. A later failure does not change them. It leaves the
     * journal, which the next commit of the table or the next start removes.
     */
    private void commit(TableCommits commits, CommitRequest request) {
        try {
            commits.commit(request);
        } catch (SkepException e) {
            boolean areVisible =
                    writers.stream().allMatch(writer -> writer.moves().isPresent()) && scope.isCommitted();
            if (!areVisible || request.created().isPresent()) {
                throw e;
            }
            LOG.warn("commit {} is complete, but failed afterwards: {}", name, e.fullMessage());
        }
    }

    private void begin(RunListener listener) {
        waiting.leave();
        steps.check();
        state.beginCommit(listener);
        steps.begin();
    }

    /** Returns each table once, even if the statement writes to several of its partitions. */
    private List<Table> tables() {
        Map<String, Table> tables = new LinkedHashMap<>();
        if (creation.inCatalog().isEmpty()) {
            writers.stream()
                    .flatMap(writer -> writer.inCatalog().stream())
                    .forEach(table -> tables.put(table.qualifiedName(), table));
        }
        return List.copyOf(tables.values());
    }

    private List<String> folders() {
        return writers.stream()
                .filter(writer -> writer.inCatalog().isEmpty())
                .map(writer -> writer.table().storage().location())
                .toList();
    }

    private boolean isIntoFolders() {
        return writers.stream().anyMatch(TableWriter::isIntoFolder);
    }

    private void plan(CommitPlan plan) {
        state.check();
        writers.forEach(writer -> writer.plan(plan));
    }

    /** The transaction commits after everything that its rows need. */
    private void inCatalog() {
        List<TransactionalMoves> moves =
                writers.stream().flatMap(writer -> writer.moves().stream()).toList();
        unknown = TransactionalMoves.commit(moves, scope, () -> writers.forEach(TableWriter::recordInCatalog));
        if (unknown.isEmpty()) {
            if (creation.inCatalog().isPresent()) {
                writers.forEach(TableWriter::finishCreation);
            }
            record();
        }
    }

    /** A failure does not change the rows, which are visible. */
    private void record() {
        try {
            steps.record();
        } catch (SkepException e) {
            LOG.warn("commit {} is complete, but was not recorded: {}", name, e.fullMessage());
            unrecorded = Optional.of(e.fullMessage());
        }
    }

    /** Stops the writing, or the wait for the tables. A commit that has begun continues. */
    void cancel(SkepException reason) {
        state.cancel(reason);
        writers.forEach(writer -> writer.run().cancel(reason));
        waiting.interrupt();
    }

    void close() {
        writers.forEach(writer -> writer.run().close());
        abandon();
        waiting.interrupt();
    }

    private void abandon() {
        if (state.abandon()) {
            writers.forEach(TableWriter::abandon);
        }
    }
}
