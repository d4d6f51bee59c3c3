package io.skep.ql.insert;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.metastore.CatalogFolder;
import io.skep.metastore.StorageDescriptor;
import io.skep.metastore.Table;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.path.FolderOwners;
import io.skep.ql.path.PathPolicy;
import io.skep.ql.statement.StatementContext;
import java.util.List;
import java.util.Optional;

/**
 * Refuses files that LOAD must not move: the target's own files, and, unless the files are copied, files of other
 * tables.
 */
final class LoadSourceCheck {
    private final Table target;
    private final StorageDescriptor storage;
    private final StatementContext context;

    /** @param storage storage of the target's partition, or of the target itself */
    LoadSourceCheck(Table target, StorageDescriptor storage, StatementContext context) {
        this.target = target;
        this.storage = storage;
        this.context = context;
    }

    /**
     * @param local whether files are copied
     * @throws SkepException INVALID_PATH
     */
    void check(LoadSource source, boolean local, SyntaxNode path) {
        PathPolicy paths = context.services().paths();
        List<String> own = List.of(target.storage().location(), storage.location());
        paths.overlapping(source.path(), own).ifPresent(folder -> {
            throw refused(path, "it is, or overlaps, the target's own folder " + folder);
        });
        for (TableFiles.TableFile file : source.files()) {
            PathPolicy.refuseControlCharacters(file.path(), path.position());
            if (paths.isSpecial(file.path())) {
                throw refused(path, file.path() + " is not a regular file");
            }
            if (!local && paths.isLink(file.path())) {
                throw refused(path, file.path() + " is a symbolic link, and LOAD would move the link, not its file")
                        .withHint("name the file itself, or copy it with LOAD DATA LOCAL");
            }
        }
        if (!local) {
            refuseFilesOfTables(source, path);
        }
    }

    /**
     * Checks that no table owns the files. Also called later, since a table may have been created over them after the
     * statement was compiled.
     */
    void refuseFilesOfTables(LoadSource source, SyntaxNode path) {
        PathPolicy paths = context.services().paths();
        FolderOwners owners = new FolderOwners(context.catalog().folders(), paths);
        for (TableFiles.TableFile file : source.files()) {
            Optional<CatalogFolder> owner = owners.tableHolding(file.path());
            if (owner.isPresent()) {
                throw refused(path, file.path() + " is a file of " + owner.get().owner())
                        .withHint("INSERT ... SELECT copies a table's rows; LOAD DATA LOCAL copies local files");
            }
        }
    }

    private static SkepException refused(SyntaxNode path, String why) {
        return new SkepException(StandardErrorCode.INVALID_PATH, "Invalid path " + path.text() + ": " + why)
                .at(path.position());
    }
}
