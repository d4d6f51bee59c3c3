package io.skep.ql.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Catalog;
import io.skep.metastore.Database;
import io.skep.metastore.Table;
import io.skep.ql.analyze.AnalysisContext;
import io.skep.ql.parse.SyntaxNode;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The session state that statements use: user, current database, settings, functions, temporary tables. Statements run
 * one at a time. Other threads may read the current database and the settings.
 */
public final class Session implements AutoCloseable {
    private static final String MACRO = "macro ";
    private static final String PREPARED = "prepared ";

    /** The memory of a syntax tree, for each character of its text. */
    private static final int TREE_BYTES = 32;

    private final String user;
    private final Catalog catalog;
    private final SessionSettings settings;
    private final VariableSubstitution substitution;
    private final UserFunctions userFunctions;
    private final SessionFiles files;
    private final TemporaryTables temporaryTables;
    private final Map<String, AnalysisContext.Macro> macros = new ConcurrentHashMap<>();
    private final Map<String, SyntaxNode> prepared = new ConcurrentHashMap<>();
    private volatile String currentDatabase = Database.DEFAULT_NAME;
    private volatile RoleChoice roleChoice = new RoleChoice.All();

    public Session(String user, Catalog catalog, SessionSettings settings) {
        this.user = user;
        this.catalog = catalog;
        this.settings = settings;
        this.substitution = new VariableSubstitution(settings);
        this.temporaryTables = new TemporaryTables(settings.memory());
        this.files = new SessionFiles(settings.rules());
        this.userFunctions = new UserFunctions(settings, catalog, this::currentDatabase);
    }

    public String user() {
        return user;
    }

    public String currentDatabase() {
        return currentDatabase;
    }

    /** Returns which roles of the user count. */
    public RoleChoice roleChoice() {
        return roleChoice;
    }

    /** Chooses roles. The caller has checked that the user has them. */
    public void chooseRole(RoleChoice choice) {
        roleChoice = choice;
    }

    /** @throws SkepException DATABASE_NOT_FOUND */
    public void useDatabase(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (catalog.database(lower).isEmpty()) {
            throw new SkepException(StandardErrorCode.DATABASE_NOT_FOUND, "Database does not exist: " + lower);
        }
        currentDatabase = lower;
    }

    /** Sets what SET names: a setting, or a variable if the name has a namespace. */
    public void set(String name, String value) {
        if (name.startsWith("hivevar:")) {
            settings.setVariable(name.substring("hivevar:".length()), value);
        } else if (name.startsWith("hiveconf:")) {
            settings.set(name.substring("hiveconf:".length()), value);
        } else if (name.startsWith("env:")) {
            throw new SkepException(StandardErrorCode.INVALID_CONFIGURATION, "env:* variables can not be set.");
        } else if (name.startsWith("system:")) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    "system properties of the server can not be set by a session");
        } else {
            settings.set(name, value);
        }
    }

    public SessionSettings settings() {
        return settings;
    }

    public VariableSubstitution substitution() {
        return substitution;
    }

    public UserFunctions userFunctions() {
        return userFunctions;
    }

    /** Returns the files of ADD FILE and ADD ARCHIVE. */
    public SessionFiles files() {
        return files;
    }

    public TemporaryTables temporaryTables() {
        return temporaryTables;
    }

    /** Returns the temporary macros by name. */
    public Map<String, AnalysisContext.Macro> macros() {
        return Collections.unmodifiableMap(macros);
    }

    /**
     * @param length number of characters of the text that defines it
     * @throws SkepException MEMORY_LIMIT_EXCEEDED when the session keeps too much
     */
    public void addMacro(String name, AnalysisContext.Macro macro, int length) {
        settings.memory().keep(MACRO + name, (long) length * TREE_BYTES);
        macros.put(name, macro);
    }

    /** Drops a macro. Returns whether it existed. */
    public boolean dropMacro(String name) {
        settings.memory().forget(MACRO + name);
        return macros.remove(name) != null;
    }

    /** Returns the query that PREPARE has given this name. */
    public Optional<SyntaxNode> prepared(String name) {
        return Optional.ofNullable(prepared.get(name));
    }

    /**
     * Keeps a query under a name.
     *
     * @param length number of characters of its text
     * @throws SkepException MEMORY_LIMIT_EXCEEDED when the session keeps too much
     */
    public void prepare(String name, SyntaxNode query, int length) {
        settings.memory().keep(PREPARED + name, (long) length * TREE_BYTES);
        prepared.put(name, query);
    }

    /**
     * Whether the session has no objects of its own that a query could refer to: no temporary tables, functions,
     * macros, jars or files.
     */
    public boolean isPlain() {
        return macros.isEmpty() && temporaryTables.isEmpty() && userFunctions.isPlain() && files.isEmpty();
    }

    /**
     * Returns a table or view, if it exists. A temporary table hides one of the catalog.
     *
     * @throws SkepException NOT_SUPPORTED if the database is one of another system
     */
    public Optional<Table> table(String database, String name) {
        return temporaryTables
                .get(database, name)
                .or(() -> catalog.table(database, name))
                .or(() -> remote(database, name));
    }

    private Optional<Table> remote(String database, String name) {
        catalog.database(database).flatMap(Database::remote).ifPresent(remote -> {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "Unable to fetch table " + name + ". Tables of the remote database " + database
                                    + " (connector " + remote.connector() + ") cannot be used")
                    .withHint("make an external table over exported files, or load its rows");
        });
        return Optional.empty();
    }

    @Override
    public void close() {
        settings.memory().close();
        userFunctions.close();
    }
}
