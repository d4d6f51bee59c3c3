package io.skep.ql.analyze;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.function.FunctionCatalog;
import io.skep.metastore.Table;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.rel.HiveRexBuilder;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rex.RexNode;

/** What the analyzer has to know of the session and the catalog; all names are in lower case. */
public interface AnalysisContext {
    /** A macro: its parameters stand for the arguments of a call in its body. */
    record Macro(List<String> parameters, List<SqlType> types, SyntaxNode body) {}

    FunctionCatalog functions();

    String currentDatabase();

    /** Effective settings of the session. */
    Map<String, String> settings();

    String user();

    /** What current_timestamp gives, for the whole statement. */
    Instant queryStart();

    ZoneId timeZone();

    /** A table or view; a temporary table of the session hides one of the catalog. */
    Optional<Table> table(String database, String name);

    /** Names of the tables of a database, for hints; empty when there is no such database. */
    List<String> tableNames(String database);

    boolean databaseExists(String database);

    Optional<Macro> macro(String name);

    /** The value of an expression without columns, where it can be had at once: some functions' types depend on it. */
    default Optional<Datum> evaluate(RexNode constant, HiveRexBuilder rexBuilder) {
        return Optional.empty();
    }

    /** Told that the analysis looked at the value of a constant that was to be left open: it holds for this value alone. */
    default void looksAtValue(int parameter) {}

    /** A setting that is true or false. */
    default boolean flag(String key, boolean otherwise) {
        String value = settings().get(key);
        return value == null ? otherwise : Boolean.parseBoolean(value.strip());
    }
}
