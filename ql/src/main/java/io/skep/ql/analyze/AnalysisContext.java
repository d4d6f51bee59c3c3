package io.skep.ql.analyze;

import io.skep.common.type.SqlType;
import io.skep.common.vector.Datum;
import io.skep.engine.function.FunctionCatalog;
import io.skep.engine.plan.ScriptFile;
import io.skep.metastore.Table;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.policy.TablePolicies;
import io.skep.ql.rel.HiveRexBuilder;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rex.RexNode;

/** The session and catalog state that the analyzer needs. All names are in lower case. */
public interface AnalysisContext {
    /** A macro. In its body, the parameters stand for the arguments of a call. */
    record Macro(List<String> parameters, List<SqlType> types, SyntaxNode body) {}

    FunctionCatalog functions();

    String currentDatabase();

    /** Returns the effective settings of the session. */
    Map<String, String> settings();

    String user();

    /** Whether the user belongs to a role, directly or through other roles. All users belong to public. */
    boolean isMember(String role);

    /** Returns the row filter and the masks that hold for a table or view while the session reads it. */
    TablePolicies policies(Table table);

    /** Whether the policies of a table may differ between users. */
    boolean policiesDependOnUser();

    /**
     * Returns the context for the texts of policies: the same user and time, but nothing that the session can change,
     * such as settings, temporary tables, macros and temporary functions.
     */
    AnalysisContext forPolicies();

    /** Returns the value of current_timestamp, which is fixed for the whole statement. */
    Instant queryStart();

    ZoneId timeZone();

    /** Finds a table or view. A temporary table of the session hides a catalog table of the same name. */
    Optional<Table> table(String database, String name);

    /**
     * Returns the names of the tables of a database, for hints in errors. The list is empty when the database does not
     * exist.
     */
    List<String> tableNames(String database);

    boolean databaseExists(String database);

    Optional<Macro> macro(String name);

    /**
     * Evaluates an expression without columns if its value is available at compile time. The types of some functions
     * depend on it.
     */
    default Optional<Datum> evaluate(RexNode constant, HiveRexBuilder rexBuilder) {
        return Optional.empty();
    }

    /**
     * Records that the analysis read the value of a constant that should have stayed a parameter. The result then holds
     * for this value only.
     */
    default void recordValueUse(int parameter) {}

    /**
     * Returns the files that scripts find in their working folders.
     *
     * @throws io.skep.common.error.SkepException ACCESS_DENIED when statements may not run scripts
     */
    List<ScriptFile> scriptFiles();

    /** Whether {@link #recordReads} wants to know what texts read. False only while nothing is checked. */
    boolean wantsReads();

    /**
     * Records what a text reads. Called once for each text that is analyzed, when its names are resolved. A statement
     * must not run before its reads are allowed.
     */
    void recordReads(List<ColumnRead> reads);

    /** Returns the value of a boolean setting. */
    default boolean flag(String key, boolean otherwise) {
        String value = settings().get(key);
        return value == null ? otherwise : Boolean.parseBoolean(value.strip());
    }
}
