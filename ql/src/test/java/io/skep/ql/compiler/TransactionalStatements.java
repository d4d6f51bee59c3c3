package io.skep.ql.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.metastore.transaction.LockFilter;
import io.skep.metastore.transaction.TransactionStore;
import io.skep.ql.SqlSession;
import io.skep.ql.physical.PlanningLimits;
import io.skep.ql.testing.TestingEngine;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * Tests of statements on transactional tables. The tests of a class share an engine, whose start takes longer than most
 * of them, and each has a session and an empty warehouse. No statement leaves a transaction or a lock.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TransactionalStatements {
    static final String FULL = " stored as orc tblproperties ('transactional'='true')";

    final TestingEngine engine = new TestingEngine(PlanningLimits.DEFAULT);
    SqlSession session;

    @BeforeEach
    void openSession() {
        session = engine.session();
    }

    @AfterEach
    void checkThatNothingIsLeft() throws IOException {
        try {
            assertThat(store().transactions()).noneMatch(transaction -> !transaction.isAborted());
            assertThat(store().locks(LockFilter.ALL)).isEmpty();
        } finally {
            session.close();
            engine.clear();
        }
    }

    @AfterAll
    void close() {
        engine.close();
    }

    TransactionStore store() {
        return engine.transactions().store();
    }

    void run(String statement) {
        engine.run(session, statement);
    }

    List<String> rows(String query) {
        return engine.rows(session, query).stream()
                .map(row -> row.replace(" | ", "|"))
                .toList();
    }
}
