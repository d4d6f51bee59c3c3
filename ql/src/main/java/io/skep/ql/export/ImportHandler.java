package io.skep.ql.export;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.metastore.hive.ExportedDefinitions;
import io.skep.metastore.hive.ExportedDefinitions.Exported;
import io.skep.ql.SqlStatement;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.handler.HandlerRules;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.CommandStatement;
import io.skep.ql.statement.PartitionSpec;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.StatementHandler;
import io.skep.ql.statement.SyntaxText;
import io.skep.ql.statement.TableName;
import io.skep.ql.statement.TableStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.ql.ErrorMsg;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/**
 * IMPORT [EXTERNAL] TABLE name [PARTITION (...)] FROM path [LOCATION path]. Creates a table like an exported one with
 * copies of its files, or adds these to a table.
 */
public final class ImportHandler implements StatementHandler {
    /** The limit of a definition. One of 100,000 partitions has about as much. */
    private static final int MAX_DEFINITION_BYTES = 256 << 20;

    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode where = statement.child(0);
        String folder = context.services().paths().check(SyntaxText.string(where), where.position());
        Exported exported = read(folder, where, context);
        SyntaxNode target = statement
                .first(HiveParser.TOK_TAB)
                .orElseThrow(() -> new SkepException(
                                StandardErrorCode.NOT_SUPPORTED, "IMPORT without the name of a table is not supported")
                        .withHint("IMPORT TABLE name FROM ...")
                        .at(where.position()));
        TableName name = TableName.of(target.child(0), context);
        context.database(name.database(), name.position());
        boolean isNew = context.session().table(name.database(), name.table()).isEmpty();
        Table table = isNew
                ? new ImportedTable(statement, name, exported.table(), context).create()
                : existing(statement, name, exported.table(), context);
        List<Partition> partitions = partitions(target, table, exported, context);
        if (!isNew) {
            refuseExisting(table, partitions, where, context);
        }
        Import work = new Import(table, isNew, partitions, folder, where.position(), context);
        work.checkSources(exported.table());
        return CommandStatement.changing("IMPORT", work::run);
    }

    private static Exported read(String folder, SyntaxNode where, StatementContext context) {
        TableFiles files = context.services().files();
        String path = folder + "/" + ExportLayout.DEFINITION;
        if (!files.exists(path) || context.services().paths().isSpecial(path)) {
            throw CompileErrors.plain(where.position(), StandardErrorCode.INVALID_PATH, ErrorMsg.INVALID_PATH)
                    .withHint("there is no file " + path);
        }
        context.services().paths().check(path, where.position());
        context.access().ofSession().files().requireReadableFiles(List.of(path));
        byte[] bytes = files.head(path, MAX_DEFINITION_BYTES);
        if (bytes.length == MAX_DEFINITION_BYTES) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED,
                            "definitions of " + MAX_DEFINITION_BYTES + " bytes and more are not supported")
                    .at(where.position());
        }
        try {
            return ExportedDefinitions.decode(bytes);
        } catch (SkepException e) {
            throw e.at(where.position());
        }
    }

    private static Table existing(SyntaxNode statement, TableName name, Table exported, StatementContext context) {
        Table table = context.table(name);
        if (table.kind() == Table.TableKind.VIRTUAL_VIEW || table.kind() == Table.TableKind.MATERIALIZED_VIEW) {
            throw CompileErrors.plain(name.position(), StandardErrorCode.NOT_A_TABLE, ErrorMsg.DML_AGAINST_VIEW);
        }
        if (TableStore.isTemporary(table, context)) {
            throw new SkepException(StandardErrorCode.NOT_SUPPORTED, "IMPORT into temporary tables is not supported")
                    .at(name.position());
        }
        HandlerRules.refuse(table, "IMPORT", name.position());
        ImportedTable.refuse(exported, statement.child(0));
        new Compatibility(table, exported, statement).check();
        return table;
    }

    /** Returns the partitions of the export that are wanted, with the format and columns that they had. */
    private static List<Partition> partitions(
            SyntaxNode target, Table table, Exported exported, StatementContext context) {
        Optional<PartitionSpec> spec =
                target.first(HiveParser.TOK_PARTSPEC).map(node -> PartitionSpec.of(table, node, context));
        List<Partition> wanted = new ArrayList<>();
        Set<List<String>> seen = new HashSet<>();
        for (Partition partition : exported.partitions()) {
            if (partition.values().size() != table.partitionKeys().size() || !seen.add(partition.values())) {
                throw new SkepException(
                                StandardErrorCode.CORRUPT_FILE,
                                "the export has a partition twice, or one with other keys than its table: "
                                        + CompileErrors.shown(partition.values().toString()))
                        .at(target.position());
            }
            if (spec.map(some -> some.matches(partition.values())).orElse(true)) {
                wanted.add(ImportedTable.partition(partition, table, target));
            }
        }
        if (spec.isPresent() && wanted.isEmpty()) {
            throw CompileErrors.plain(
                    target.position(),
                    StandardErrorCode.PARTITION_NOT_FOUND,
                    ErrorMsg.INVALID_PARTITION,
                    ErrorMsg.INVALID_PARTITION.getMsg() + " - Specified partition not found in import directory");
        }
        return wanted;
    }

    private static void refuseExisting(
            Table table, List<Partition> partitions, SyntaxNode where, StatementContext context) {
        Set<List<String>> wanted = new HashSet<>();
        partitions.forEach(partition -> wanted.add(partition.values()));
        if (table.partitionKeys().isEmpty()) {
            Import.requireEmpty(table, where.position(), context);
        } else {
            context.catalog().partitions(table, wanted::contains).stream()
                    .findFirst()
                    .ifPresent(known -> {
                        throw Import.partitionExists(PartitionName.of(table, known.values()), where.position());
                    });
        }
    }
}
