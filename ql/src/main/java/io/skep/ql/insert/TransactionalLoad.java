package io.skep.ql.insert;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.error.TextPosition;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.commit.CommitPlan;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.parse.CompileErrors;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.storage.acid.AcidWrite;
import io.skep.storage.acid.BucketProperty;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.hive.ql.ErrorMsg;

/**
 * Files that no query has written and that become those of a transactional table: those of LOAD, of a new partition
 * over a folder, and of a table that is made insert-only. They get into the folder of a write id. In tables with row
 * ids, the identifiers of their rows follow from the files' names and the rows' positions.
 */
public final class TransactionalLoad {
    private final Table table;
    private final AcidWrite write;

    /** @param write an insert or overwrite */
    public TransactionalLoad(Table table, AcidWrite write) {
        this.table = table;
        this.write = write;
    }

    /**
     * Checks files before they are moved into a table: no table may own them, and they must have its format.
     *
     * @param path the path of the folder with the files
     * @return the check whether no table owns them yet, to be made while other statements cannot create one
     * @throws SkepException INVALID_PATH, SEMANTIC_ERROR
     */
    public static Runnable check(
            Table table, String path, List<TableFiles.TableFile> files, SyntaxNode where, StatementContext context) {
        LoadSourceCheck check = new LoadSourceCheck(table, table.storage(), context);
        LoadSource source = new LoadSource(path, files);
        check.check(source, false, where);
        FileFormatCheck formats = new FileFormatCheck(context.services().files());
        files.forEach(
                file -> formats.check(file.path(), table.storage().format().inputFormat(), where));
        refuseRowIds(table, files, where, context);
        requireBuckets(table.storage(), files, where);
        return () -> check.refuseFilesOfTables(source, where);
    }

    /**
     * Refuses files with identifiers of rows, which are those of another table.
     *
     * @throws SkepException SEMANTIC_ERROR
     */
    static void refuseRowIds(
            Table table, List<TableFiles.TableFile> files, SyntaxNode where, StatementContext context) {
        if (table.isTransactional() && !table.isInsertOnly()) {
            refuseAnyRowIds(table, files, where.position(), context);
        }
    }

    /** As above, for a table of each kind. */
    public static void refuseAnyRowIds(
            Table table, List<TableFiles.TableFile> files, TextPosition where, StatementContext context) {
        for (TableFiles.TableFile file : files) {
            Interruption.check();
            if (context.services().files().storesRowIds(file.path(), table)) {
                throw CompileErrors.plain(
                        where,
                        StandardErrorCode.SEMANTIC_ERROR,
                        ErrorMsg.LOAD_DATA_ACID_FILE,
                        ErrorMsg.LOAD_DATA_ACID_FILE.format(file.path()));
            }
        }
    }

    /**
     * Checks that the names of files for a table with buckets say these.
     *
     * @throws SkepException SEMANTIC_ERROR
     */
    static void requireBuckets(StorageDescriptor storage, List<TableFiles.TableFile> files, SyntaxNode where) {
        requireBuckets(storage, files, where.position());
    }

    /** As above, with the position of the path in the statement. */
    public static void requireBuckets(StorageDescriptor storage, List<TableFiles.TableFile> files, TextPosition where) {
        for (TableFiles.TableFile file : storage.buckets() > 0 ? files : List.<TableFiles.TableFile>of()) {
            if (FileNamer.bucket(file.path()).orElse(storage.buckets()) >= storage.buckets()) {
                throw new SkepException(
                                StandardErrorCode.SEMANTIC_ERROR,
                                "the name of the file does not say its bucket, as 000000_0 does: " + file.path())
                        .at(where);
            }
        }
    }

    /** Returns a hidden folder for copies of the files. */
    public static String staging(Table table, StatementContext context) {
        return InsertPlanning.staging(table, context);
    }

    /** Plans the moves into a table's or partition's folder. */
    public void plan(List<LoadedFile> files, String location, CommitPlan plan) {
        FileNamer names = new FileNamer(location + "/" + write.folder().name(), new HashSet<>());
        List<LoadedFile> sorted = files.stream()
                .sorted(Comparator.comparing(file -> name(file.given())))
                .toList();
        int number = 0;
        for (LoadedFile file : sorted) {
            plan.arrive(
                    file.path(),
                    table.isInsertOnly() ? names.loaded(file.given()) : names.numbered(place(file, number)));
            number++;
        }
    }

    /** Returns the bucket that the file's rows have in their identifiers. */
    private int place(LoadedFile file, int number) {
        return table.storage().buckets() > 0
                ? FileNamer.bucket(file.given()).orElseThrow()
                : number % (BucketProperty.MAX_BUCKET + 1);
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
