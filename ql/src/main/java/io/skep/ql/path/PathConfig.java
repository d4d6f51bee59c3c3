package io.skep.ql.path;

import java.nio.file.Path;
import java.util.List;

/**
 * Where statements may read and write files.
 *
 * @param closedFolders local folders that no statement may name, nor folders in or above them: what servers keep for themselves
 * @param warehouses folders of tables, with their scheme; statements may name those in a closed folder and what is below them
 * @param localRoots local folders; a {@code file:} path is refused unless it is one of them or below one; empty for no limit
 */
public record PathConfig(List<Path> closedFolders, List<String> warehouses, List<Path> localRoots) {
    public PathConfig {
        closedFolders = List.copyOf(closedFolders);
        warehouses = List.copyOf(warehouses);
        localRoots = List.copyOf(localRoots);
    }

    /** The folder in which a server keeps its data is closed, but for the warehouses that lie in it. */
    public static PathConfig of(Path dataFolder, String... warehouses) {
        return new PathConfig(List.of(dataFolder.toAbsolutePath()), List.of(warehouses), List.of());
    }
}
