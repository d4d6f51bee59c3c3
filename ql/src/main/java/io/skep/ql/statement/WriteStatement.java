package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.engine.schedule.ExecutionFigures;
import io.skep.ql.ResultSchema;
import io.skep.ql.ResultStream;
import io.skep.ql.SqlStatement;
import io.skep.ql.explain.PlanPrinter;
import io.skep.ql.physical.PhysicalPlan;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** INSERT into one or more destinations: all are written before the first is committed. */
final class WriteStatement implements SqlStatement {
    private final List<TableWriter> writers;
    private volatile Optional<Long> modified = Optional.empty();

    WriteStatement(List<TableWriter> writers) {
        this.writers = List.copyOf(writers);
    }

    @Override
    public Optional<ResultSchema> schema() {
        return Optional.empty();
    }

    @Override
    public String operationName() {
        return "QUERY";
    }

    @Override
    public Optional<Supplier<String>> plan() {
        List<PhysicalPlan> plans = writers.stream().map(TableWriter::plan).toList();
        return Optional.of(() -> plans.stream().map(PlanPrinter::print).collect(Collectors.joining("\n")));
    }

    @Override
    public void run(Consumer<String> log) {
        for (TableWriter writer : writers) {
            writer.write();
        }
        long rows = 0;
        for (TableWriter writer : writers) {
            rows += writer.commit();
        }
        modified = Optional.of(rows);
        log.accept(rows + " rows written");
    }

    @Override
    public ResultStream results() {
        return Optional::empty;
    }

    @Override
    public Optional<Long> modifiedRows() {
        return modified;
    }

    @Override
    public void cancel(SkepException reason) {
        writers.forEach(writer -> writer.run().cancel(reason));
    }

    @Override
    public Optional<ExecutionFigures> figures() {
        return writers.getLast().run().figures();
    }

    @Override
    public void close() {
        writers.forEach(TableWriter::close);
    }
}
