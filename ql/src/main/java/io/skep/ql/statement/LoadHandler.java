package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.Partition;
import io.skep.metastore.PartitionName;
import io.skep.metastore.Table;
import io.skep.ql.SqlStatement;
import io.skep.ql.parse.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hive.ql.parse.HiveParser;

/** LOAD DATA [LOCAL] INPATH path [OVERWRITE] INTO TABLE name [PARTITION (...)]: files become a table's as they are. */
final class LoadHandler implements StatementHandler {
    @Override
    public SqlStatement compile(SyntaxNode statement, StatementContext context) {
        SyntaxNode target = statement.child(1);
        Table table = context.table(TableName.of(target.child(0), context));
        refuse(statement, table);
        Optional<List<String>> partition = PartitionSpec.complete(table, target, context);
        boolean local = hasWord(statement, "local");
        boolean overwrite = hasWord(statement, "overwrite");
        List<TableFiles.TableFile> sources = LoadSource.files(statement.child(0), local, context);
        FileFormatCheck check = new FileFormatCheck(context.services().files());
        Optional<Partition> known =
                partition.flatMap(values -> context.catalog().partition(table, values));
        String inputFormat =
                known.map(Partition::storage).orElse(table.storage()).format().inputFormat();
        sources.forEach(file -> check.check(file.path(), inputFormat, statement.child(0)));
        return CommandStatement.of("LOAD", () -> new Load(table, partition, sources, local, overwrite, context).run());
    }

    private static boolean hasWord(SyntaxNode statement, String word) {
        return statement.children().stream()
                .skip(2)
                .anyMatch(child -> child.text().equalsIgnoreCase(word));
    }

    private static void refuse(SyntaxNode statement, Table table) {
        if (table.kind() == Table.TableKind.VIRTUAL_VIEW || table.kind() == Table.TableKind.MATERIALIZED_VIEW) {
            throw new SkepException(
                            StandardErrorCode.NOT_A_TABLE, "A view cannot be used as target table for LOAD or INSERT")
                    .at(statement.child(1).position());
        }
        statement.first(HiveParser.TOK_INPUTFORMAT).ifPresent(clause -> {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED, "LOAD DATA ... INPUTFORMAT SERDE is not supported yet")
                    .withHint("create an external table of that format and insert from it")
                    .at(clause.position());
        });
        if ("true".equalsIgnoreCase(table.properties().get("transactional"))) {
            throw new SkepException(
                            StandardErrorCode.NOT_SUPPORTED, "LOAD DATA into transactional tables is not supported yet")
                    .at(statement.child(1).position());
        }
    }

    /**
     * A file to be loaded.
     *
     * @param given where the statement found it
     * @param path where it can be moved from: the file itself or a copy
     */
    private record Source(String given, String path) {}

    /** What one LOAD does: copies are made aside first, so that nothing is seen when copying fails. */
    private record Load(
            Table table,
            Optional<List<String>> partition,
            List<TableFiles.TableFile> sources,
            boolean local,
            boolean overwrite,
            StatementContext context) {
        void run() {
            Optional<Partition> known =
                    partition.flatMap(values -> context.catalog().partition(table, values));
            String folder = known.map(found -> found.storage().location()).orElseGet(this::defaultFolder);
            String staging = folder + "/.skep-staging-" + context.queryId().value() + "-" + context.nextNumber();
            TableFiles files = context.services().files();
            files.makeDirectory(folder);
            TableCommits commits = context.services().commits();
            String name = context.queryId().value() + "-" + context.nextNumber();
            commits.folders().note(staging);
            try {
                // Copies take their time: they are made before others have to wait.
                List<Source> here = copied(folder, staging);
                commits.commit(
                        name,
                        TableStore.isTemporary(table, context) ? List.of() : List.of(table),
                        () -> steps(folder, here),
                        () -> record(folder));
            } finally {
                if (!commits.isUnfinished(name)) {
                    commits.folders().delete(staging);
                }
            }
        }

        private String defaultFolder() {
            return table.storage().location()
                    + partition
                            .map(values -> "/" + PartitionName.of(table, values))
                            .orElse("");
        }

        /** Files that can be moved to the table's folder. */
        private List<Source> copied(String folder, String staging) {
            TableFiles files = context.services().files();
            List<Source> here = new ArrayList<>();
            for (int i = 0; i < sources.size(); i++) {
                String from = sources.get(i).path();
                if (local || !files.movable(from, folder)) {
                    String copy = staging + "/" + i;
                    files.makeDirectory(staging);
                    files.copy(from, copy);
                    here.add(new Source(from, copy));
                } else {
                    here.add(new Source(from, from));
                }
            }
            return here;
        }

        private List<TableCommits.Step> steps(String folder, List<Source> here) {
            List<TableCommits.Step> steps = new ArrayList<>();
            List<TableFiles.TableFile> existing = context.services().files().files(folder);
            if (overwrite) {
                existing.forEach(file -> steps.add(TableCommits.Step.deleteOf(file.path(), table)));
            }
            LoadedNames names = new LoadedNames(folder, existing);
            for (Source source : here) {
                steps.add(new TableCommits.Step.Move(source.path(), names.next(source.given())));
                if (!local && !source.path().equals(source.given())) {
                    steps.add(new TableCommits.Step.Delete(source.given()));
                }
            }
            if (!TableStore.isTemporary(table, context)) {
                String name =
                        partition.map(values -> PartitionName.of(table, values)).orElse("");
                steps.add(new TableCommits.Step.InCatalog(table.database(), table.name(), name, folder));
            }
            return steps;
        }

        private void record(String folder) {
            TableFigures figures = new TableFigures(context);
            if (partition.isEmpty()) {
                Table now =
                        context.session().table(table.database(), table.name()).orElse(table);
                TableStore.replace(
                        now, Revision.properties(now, figures.ofUncounted(now.properties(), folder)), false, context);
                return;
            }
            Optional<Partition> known = context.catalog().partition(table, partition.get());
            Partition before = known.orElseGet(() -> new Partition(
                    partition.get(),
                    context.services().clock().instant().getEpochSecond(),
                    0,
                    Revision.location(table.storage(), folder),
                    new TreeMap<>()));
            Partition after = Revision.properties(before, figures.ofUncounted(before.properties(), folder));
            if (known.isPresent()) {
                context.catalog().alterPartitions(table, List.of(after));
            } else {
                context.catalog().addPartitions(table, List.of(after), true);
            }
        }
    }
}
