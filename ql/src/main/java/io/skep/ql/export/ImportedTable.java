package io.skep.ql.export;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.FieldSchema;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.metastore.Table.TableKind;
import io.skep.ql.create.CreateTableHandler;
import io.skep.ql.create.TransactionalProperties;
import io.skep.ql.handler.HandlerRules;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.path.FolderOwners;
import io.skep.ql.statement.Formats;
import io.skep.ql.statement.Revision;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import io.skep.storage.format.HiveClasses;
import io.skep.storage.serde.SerdeColumns;
import io.skep.storage.table.TableFormat;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** A new table as an exported one was defined. What the definition says is checked as if a statement said it. */
final class ImportedTable {
    private static final String STORAGE_HANDLER = "storage_handler";

    private final SyntaxNode statement;
    private final TableName name;
    private final Table exported;
    private final StatementContext context;

    /** @param statement TOK_IMPORT */
    ImportedTable(SyntaxNode statement, TableName name, Table exported, StatementContext context) {
        this.statement = statement;
        this.name = name;
        this.exported = exported;
        this.context = context;
    }

    /**
     * Refuses exports that have something else than files of a table.
     *
     * @throws SkepException NOT_SUPPORTED, or SEMANTIC_ERROR in Hive's words
     */
    static void refuse(Table exported, SyntaxNode where) {
        if (exported.kind() != TableKind.MANAGED_TABLE && exported.kind() != TableKind.EXTERNAL_TABLE) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED, "IMPORT of a " + exported.kind() + " is not supported")
                    .at(where.position());
        }
        if (exported.properties().containsKey(STORAGE_HANDLER)) {
            throw CompileErrors.plain(where.position(), StandardErrorCode.SEMANTIC_ERROR, ErrorMsg.EXIM_FOR_NON_NATIVE);
        }
        HandlerRules.refuse(exported, "IMPORT", where.position());
        refuseSchemaFile(exported.properties(), where);
        check(exported.storage(), where);
    }

    /** Refuses a property that names a file, which the statement does not name. */
    private static void refuseSchemaFile(Map<String, String> properties, SyntaxNode where) {
        if (properties.keySet().stream().anyMatch(SerdeColumns.SCHEMA_URL::equalsIgnoreCase)) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "IMPORT of a table with " + SerdeColumns.SCHEMA_URL + " is not supported")
                    .at(where.position());
        }
    }

    private static void check(StorageDescriptor storage, SyntaxNode where) {
        TableFormat format = storage.format();
        refuseSchemaFile(format.properties(), where);
        Formats.checkFiles(
                new HiveClasses(format.inputFormat(), format.outputFormat(), Optional.of(format.serde())),
                where.position());
        Formats.checkSerde(format.serde(), where.position());
    }

    Table create() {
        SyntaxNode where = statement.child(0);
        refuse(exported, where);
        CreateTableHandler.checkName(name, context);
        requireNames(where);
        boolean external = exported.kind() == TableKind.EXTERNAL_TABLE || isExternal(statement);
        StorageDescriptor storage = Revision.location(exported.storage(), location(external));
        Map<String, String> properties = ExportLayout.properties(exported.properties());
        if (exported.isTransactional()) {
            // Hive leaves it out, though it has written the buckets by this version.
            properties.putIfAbsent("bucketing_version", "2");
        }
        TransactionalProperties.imported(properties, name, storage, external, context.settings());
        Formats.checkColumns(storage, properties, where.position());
        if (external) {
            properties.put("EXTERNAL", "TRUE");
        }
        return new Table(
                Table.NO_ID,
                name.database(),
                name.table(),
                external ? TableKind.EXTERNAL_TABLE : TableKind.MANAGED_TABLE,
                context.session().user(),
                false,
                context.services().clock().instant().getEpochSecond(),
                0,
                exported.partitionKeys(),
                storage,
                properties,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    static boolean isExternal(SyntaxNode statement) {
        return statement.children().stream().anyMatch(child -> child.text().equalsIgnoreCase("external"));
    }

    private void requireNames(SyntaxNode where) {
        Set<String> names = new HashSet<>();
        Stream.of(exported.storage().columns(), exported.partitionKeys())
                .flatMap(List::stream)
                .map(FieldSchema::name)
                .filter(column -> !column.equals(column.toLowerCase(Locale.ROOT)) || !names.add(column))
                .findFirst()
                .ifPresent(column -> {
                    throw new SkepException(
                                    StandardErrorCode.CORRUPT_FILE,
                                    "the export has two columns '" + CompileErrors.shown(column)
                                            + "', or one that is not in lower case")
                            .at(where.position());
                });
    }

    /** Returns the folder of the table. It must be empty, since all files in it would be the table's. */
    private String location(boolean external) {
        Optional<SyntaxNode> clause = statement.first(HiveParser.TOK_TABLELOCATION);
        String location = clause.map(given -> context.services()
                        .paths()
                        .check(SyntaxText.string(given.child(0)), given.child(0).position()))
                .orElseGet(() -> CreateTableHandler.folder(context.database(name.database(), name.position()), external)
                        + "/" + name.table());
        if (!context.services().files().files(location).isEmpty()) {
            throw new SkepException(
                            StandardErrorCode.INVALID_PATH,
                            "IMPORT cannot create a table with location to a non-empty directory: " + location)
                    .at(name.position());
        }
        clause.flatMap(_ -> new FolderOwners(
                                context.catalog().folders(), context.services().paths())
                        .overlapping(location))
                .ifPresent(owner -> {
                    throw new SkepException(
                                    StandardErrorCode.INVALID_PATH,
                                    location + " is, or overlaps, the folder of " + owner.owner())
                            .withHint("choose a folder of its own")
                            .at(name.position());
                });
        return location;
    }

    /** Returns a partition of the export as one of a table, in its default folder. */
    static Partition partition(Partition exported, Table table, SyntaxNode where) {
        check(exported.storage(), where);
        StorageDescriptor storage = exported.storage();
        if (storage.buckets() != table.storage().buckets()
                || !storage.bucketColumns().equals(table.storage().bucketColumns())) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "IMPORT of a partition with other buckets than its table is not supported")
                    .at(where.position());
        }
        if (table.isTransactional()
                && !storage.format()
                        .inputFormat()
                        .equals(table.storage().format().inputFormat())) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "IMPORT of a partition with another format than its transactional table is not supported")
                    .at(where.position());
        }
        String location = table.storage().location() + "/" + PartitionName.of(table, exported.values());
        return Revision.properties(
                exported.withStorage(Revision.location(storage, location)),
                ExportLayout.properties(exported.properties()));
    }
}
