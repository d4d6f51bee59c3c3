package io.skep.ql.create;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Constraint;
import io.skep.metastore.Database;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.metastore.Table.TableKind;
import io.skep.ql.SqlStatement;
import io.skep.ql.authorize.SessionFiles;
import io.skep.ql.handler.HandlerRules;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.path.FolderOwners;
import io.skep.ql.session.SessionSettings;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.ExclusiveTables;
import io.skep.ql.statement.Formats;
import io.skep.ql.statement.ListBucketRules;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.TableDefinition;
import io.skep.ql.statement.TableName;
import io.skep.ql.statistics.StatisticsProperties;
import io.skep.storage.serde.SerdeColumns;
import io.skep.storage.table.TableFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hive.common.StatsSetupConst;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** Compiles CREATE TABLE with columns, LIKE another table, LIKE FILE, or AS a query. */
public final class CreateTableHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        refuseUnsupported(statement);
        TableName name = TableName.of(statement.child(0), context);
        context.database(name.database(), name.position());
        checkName(name, context);
        boolean ifNotExists = statement.has(HiveParser.TOK_IFNOTEXISTS);
        boolean exists = exists(statement, name, context);
        if (exists && !ifNotExists) {
            throw CompileErrors.task(
                    name.position(),
                    StandardErrorCode.TABLE_EXISTS,
                    ErrorMsg.GENERIC_ERROR,
                    "AlreadyExistsException(message:Table hive." + name.qualified() + " already exists)");
        }
        Optional<SyntaxNode> query = statement.first(HiveParser.TOK_QUERY);
        if (query.isPresent()) {
            return exists
                    ? CommandStatement.changing("CREATETABLE_AS_SELECT", run -> {})
                    : new CreateTableAsSelect(statement, name, context).compile(query.get());
        }
        Optional<SyntaxNode> file = statement.first(HiveParser.TOK_LIKEFILE);
        if (file.isPresent()) {
            return exists
                    ? CommandStatement.changing("CREATETABLE", run -> {})
                    : creating(name, likeFile(statement, name, file.get(), context), List.of(), statement, context);
        }
        Table table = statement
                .first(HiveParser.TOK_LIKETABLE)
                .filter(like -> like.childCount() > 0)
                .map(like -> like(statement, name, like, context))
                .orElseGet(() -> defined(statement, name, context));
        List<Constraint> constraints = constraints(statement, table, context);
        return exists
                ? CommandStatement.changing("CREATETABLE", run -> {})
                : creating(name, table, constraints, statement, context);
    }

    /** Whether the name is taken. A temporary table may hide one of the catalog, which then is of no concern here. */
    private static boolean exists(SyntaxNode statement, TableName name, StatementContext context) {
        return isTemporary(statement)
                ? context.session()
                        .temporaryTables()
                        .get(name.database(), name.table())
                        .isPresent()
                : context.session().table(name.database(), name.table()).isPresent();
    }

    private static SqlStatement creating(
            TableName name, Table table, List<Constraint> constraints, SyntaxNode statement, StatementContext context) {
        return CommandStatement.changing("CREATETABLE", run -> {
            // A former table of this name may have been dropped while its folder is not yet deleted.
            ExclusiveTables.run(name, context, () -> {
                run.beginCommit();
                create(table, constraints, isTemporary(statement), context);
            });
            context.services()
                    .commits()
                    .awaitFolders(Optional.of(table.storage().location()));
        });
    }

    private static Table likeFile(SyntaxNode statement, TableName name, SyntaxNode like, StatementContext context) {
        List<FieldSchema> partitionKeys = new TableDefinition(statement).partitionKeys();
        return table(statement, name, FileColumns.of(like, context), partitionKeys, context);
    }

    private static List<Constraint> constraints(SyntaxNode statement, Table table, StatementContext context) {
        boolean external = table.kind() == TableKind.EXTERNAL_TABLE;
        List<Constraint> constraints = new ConstraintClauses(external, context).ofTable(statement);
        new ConstraintCheck(table, context).check(constraints, statement);
        return constraints;
    }

    /** @throws SkepException SEMANTIC_ERROR when no table can have the name */
    public static void checkName(TableName name, StatementContext context) {
        boolean special = context.settings().getBoolean("hive.support.special.characters.tablename");
        if (name.table().contains(".")) {
            throw new SkepException(
                            StandardErrorCode.SEMANTIC_ERROR,
                            ErrorMsg.OBJECTNAME_CONTAINS_DOT.getMsg() + " '" + name.table() + "'")
                    .at(name.position());
        }
        if (!special && !name.table().matches("\\w+")) {
            throw new SkepException(
                            StandardErrorCode.SEMANTIC_ERROR, "[" + name.table() + "]: is not a valid table name")
                    .at(name.position());
        }
    }

    private static void refuseUnsupported(SyntaxNode statement) {
        statement.first(HiveParser.TOK_TABLEPARTCOLSBYSPEC).ifPresent(clause -> {
            throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "PARTITIONED BY SPEC is not supported")
                    .withHint("name partition columns with their types: PARTITIONED BY (day date)")
                    .at(clause.position());
        });
    }

    static boolean isTemporary(SyntaxNode statement) {
        return hasWord(statement, "temporary");
    }

    static boolean isExternal(SyntaxNode statement) {
        return hasWord(statement, "external");
    }

    private static boolean hasWord(SyntaxNode statement, String word) {
        return statement.children().stream().anyMatch(child -> child.text().equalsIgnoreCase(word));
    }

    static void create(Table table, List<Constraint> constraints, boolean temporary, StatementContext context) {
        if (temporary) {
            String location = table.storage().location();
            String parent = location.substring(0, location.lastIndexOf('/'));
            SessionFiles ofUser = context.access().ofSession().files();
            if (parent.equals(temporaryFolder(context))) {
                context.services().commits().folders().note(parent);
            } else {
                // The folder is deleted with the table.
                ofUser.requireRemovable(List.of(location));
            }
            ofUser.giveFolders(
                    List.of(location), () -> context.services().files().makeDirectory(location));
            context.session().temporaryTables().put(table, constraints);
        } else {
            context.catalog().createTable(table, constraints);
        }
    }

    private static Table defined(SyntaxNode statement, TableName name, StatementContext context) {
        TableDefinition definition = new TableDefinition(statement);
        return table(statement, name, definition.columns(), definition.partitionKeys(), context);
    }

    /**
     * Returns the table that a statement describes, with the given columns (those of the query for CREATE TABLE AS).
     */
    static Table table(
            SyntaxNode statement,
            TableName name,
            List<FieldSchema> columns,
            List<FieldSchema> partitionKeys,
            StatementContext context) {
        TableDefinition definition = new TableDefinition(statement);
        if (columns.isEmpty() && !providesColumns(definition, context.settings())) {
            throw CompileErrors.plain(
                    statement.child(0).position(), StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.INVALID_TBL_DDL_SERDE);
        }
        definition.checkBuckets(columns);
        TableFormat written = definition.format(context.settings());
        TableFormat format = HandlerClause.of(statement)
                .map(handler -> handler.format(written, context))
                .orElse(written);
        StorageDescriptor storage = new StorageDescriptor(
                columns,
                location(definition, statement, name, context),
                format,
                false,
                definition.buckets(),
                definition.bucketColumns(),
                definition.sortColumns(),
                statement
                        .first(HiveParser.TOK_TABLESKEWED)
                        .map(clause -> SkewClause.of(clause, columns))
                        .orElse(StorageDescriptor.Skew.NONE));
        Map<String, String> properties = new TreeMap<>(definition.properties());
        definition.comment().ifPresent(comment -> properties.put("comment", comment));
        if (sortedByBuckets(storage)) {
            properties.putIfAbsent("SORTBUCKETCOLSPREFIX", "TRUE");
        }
        return described(statement, name, SchemaColumns.in(storage, properties), partitionKeys, properties, context);
    }

    /** Whether the first sort columns are the bucket columns, in any order. */
    private static boolean sortedByBuckets(StorageDescriptor storage) {
        List<String> buckets = storage.bucketColumns();
        return !buckets.isEmpty()
                && storage.sortColumns().size() >= buckets.size()
                && storage.sortColumns().stream()
                        .limit(buckets.size())
                        .allMatch(column -> buckets.contains(column.name()));
    }

    /** Whether the SerDe determines the columns itself. */
    private static boolean providesColumns(TableDefinition definition, SessionSettings settings) {
        Map<String, String> properties = new TreeMap<>(definition.properties());
        properties.putAll(definition.format(settings).properties());
        return properties.containsKey(SerdeColumns.SCHEMA_LITERAL) || properties.containsKey(SerdeColumns.SCHEMA_URL);
    }

    /** Adds properties that the session's settings give to new tables. */
    private static void addDefaults(Map<String, String> properties, boolean external, StatementContext context) {
        String defaults =
                context.settings().get("hive.table.parameters.default").orElse("");
        for (String pair : defaults.split(",")) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                properties.putIfAbsent(
                        pair.substring(0, equals).strip(),
                        pair.substring(equals + 1).strip());
            }
        }
        if (external && context.settings().getBoolean("hive.external.table.purge.default")) {
            properties.putIfAbsent("external.table.purge", "true");
        }
    }

    private static Table described(
            SyntaxNode statement,
            TableName name,
            StorageDescriptor storage,
            List<FieldSchema> partitionKeys,
            Map<String, String> properties,
            StatementContext context) {
        Formats.checkColumns(storage, properties, statement.child(0).position());
        boolean external = isExternal(statement);
        addDefaults(properties, external, context);
        if (external) {
            properties.put("EXTERNAL", "TRUE");
        }
        properties.putIfAbsent("bucketing_version", "2");
        boolean word = hasWord(statement, "transactional") || hasWord(statement, "managed");
        Optional<HandlerClause> handler = HandlerClause.of(statement);
        HandlerRules.requireClause(properties, statement.child(0).position());
        if (handler.isPresent()) {
            handler.get().complete(properties, word);
        } else {
            new TransactionalProperties(name, storage, external, isTemporary(statement))
                    .complete(properties, word, context.settings());
        }
        // Values that a user gives were not counted.
        properties.keySet().removeAll(List.of(StatisticsProperties.ACCURATE, StatisticsProperties.LISTING));
        if (context.settings().getBoolean("hive.stats.autogather")
                && handler.isEmpty()
                && partitionKeys.isEmpty()
                && context.services().files().files(storage.location()).isEmpty()) {
            StatsSetupConst.setStatsStateForCreateTable(
                    properties,
                    storage.columns().stream().map(FieldSchema::name).toList(),
                    StatsSetupConst.TRUE);
        }
        Table table = new Table(
                Table.NO_ID,
                name.database(),
                name.table(),
                external ? TableKind.EXTERNAL_TABLE : TableKind.MANAGED_TABLE,
                context.session().user(),
                false,
                context.services().clock().instant().getEpochSecond(),
                0,
                partitionKeys,
                storage,
                properties,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        ListBucketRules.refuseTransactional(table, statement.child(0).position());
        return table;
    }

    private static String location(
            TableDefinition definition, SyntaxNode statement, TableName name, StatementContext context) {
        Optional<String> given = definition.location(context.services().paths());
        if (given.isPresent()) {
            refuseFilled(given.get(), statement, context);
            return given.get();
        }
        if (isTemporary(statement)) {
            return temporaryFolder(context) + "/" + name.table();
        }
        return folder(context.database(name.database(), name.position()), isExternal(statement)) + "/" + name.table();
    }

    /** Returns the folder of a database's tables that are given none. */
    public static String folder(Database database, boolean external) {
        return external ? database.location() : database.managedLocation().orElse(database.location());
    }

    /**
     * Requires that a folder whose files the statement may delete is empty and not another table's. The folder of
     * CREATE TABLE AS is deleted when the query fails, and the folder of a temporary table is deleted with the session.
     */
    private static void refuseFilled(String location, SyntaxNode statement, StatementContext context) {
        boolean query = statement.has(HiveParser.TOK_QUERY);
        boolean temporary = isTemporary(statement) && !isExternal(statement);
        if (!query && !temporary) {
            return;
        }
        if (!context.services().files().files(location).isEmpty()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_PATH,
                            (query ? "CREATE-TABLE-AS-SELECT" : "CREATE TEMPORARY TABLE")
                                    + " cannot create table with location to a non-empty directory: " + location)
                    .at(statement.child(0).position());
        }
        new FolderOwners(context.catalog().folders(), context.services().paths())
                .overlapping(location)
                .ifPresent(owner -> {
                    throw new SkepException(
                                    StandardErrorCode.INVALID_PATH,
                                    location + " is, or overlaps, the folder of " + owner.owner())
                            .withHint("choose a folder of its own")
                            .at(statement.child(0).position());
                });
    }

    /** Returns the folder of the statement's temporary table, when no location is given. */
    private static String temporaryFolder(StatementContext context) {
        return context.services().warehouse() + "/_tmp_" + context.queryId().value();
    }

    private static Table like(SyntaxNode statement, TableName name, SyntaxNode like, StatementContext context) {
        Table source = context.table(TableName.of(like.child(0), context));
        TableDefinition definition = new TableDefinition(statement);
        boolean formatGiven = statement.has(HiveParser.TOK_FILEFORMAT_GENERIC)
                || statement.has(HiveParser.TOK_TABLEROWFORMAT)
                || statement.has(HiveParser.TOK_TABLESERIALIZER)
                || source.storageHandler().isPresent()
                || source.kind() == TableKind.VIRTUAL_VIEW
                || source.kind() == TableKind.MATERIALIZED_VIEW;
        StorageDescriptor storage = new StorageDescriptor(
                source.columns(),
                location(definition, statement, name, context),
                formatGiven
                        ? definition.format(context.settings())
                        : source.storage().format(),
                false,
                source.storage().buckets(),
                source.storage().bucketColumns(),
                source.storage().sortColumns(),
                source.storage().skew().withLocations(Map.of()));
        Map<String, String> properties = new TreeMap<>(definition.properties());
        String copied = context.settings()
                .get("hive.ddl.createtablelike.properties.whitelist")
                .orElse("");
        for (String property : copied.split(",")) {
            String value = source.properties().get(property.strip());
            if (value != null) {
                properties.putIfAbsent(property.strip(), value);
            }
        }
        if (source.isTransactional() && !isExternal(statement) && !isTemporary(statement)) {
            TransactionalProperties.copy(source.properties(), properties);
        }
        return described(statement, name, storage, source.partitionKeys(), properties, context);
    }
}
