package io.skep.ql.path;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SecretSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where statements may read and write files.
 *
 * @param closedFolders local folders that no statement may name, nor folders in or above them: what servers keep for themselves
 * @param warehouses folders of tables, with their scheme; statements may name those in a closed folder and what is below them
 * @param localRoots local folders; a {@code file:} path is refused unless it is in one of them or in a warehouse; empty for no limit
 */
public record PathConfig(List<Path> closedFolders, List<String> warehouses, List<Path> localRoots) {
    public static final Property<List<Path>> LOCAL_ROOTS = new Property<>(
            "skep.statements.local-roots",
            new PropertyType<>("absolute folders with commas between them", PathConfig::folders),
            "",
            "Folders of the server's machine that statements may name, with all that is in them, besides the warehouse: in LOCATION,"
                    + " LOAD, INSERT DIRECTORY, ADD JAR and CREATE FUNCTION; empty for all that the server's user may read.");

    public static final List<Property<?>> PROPERTIES = List.of(LOCAL_ROOTS);

    public PathConfig {
        closedFolders = List.copyOf(closedFolders);
        warehouses = List.copyOf(warehouses);
        localRoots = List.copyOf(localRoots);
    }

    /** The folder in which a server keeps its data is closed, but for the warehouses that lie in it. */
    public static PathConfig of(Path dataFolder, String... warehouses) {
        return new PathConfig(List.of(dataFolder.toAbsolutePath()), List.of(warehouses), List.of());
    }

    /** With one more closed folder, such as that of the server's settings. */
    public PathConfig closing(Path folder) {
        List<Path> closed = new ArrayList<>(closedFolders);
        closed.add(folder.toAbsolutePath());
        return new PathConfig(closed, warehouses, localRoots);
    }

    public PathConfig withLocalRoots(List<Path> roots) {
        return new PathConfig(closedFolders, warehouses, roots);
    }

    private static List<Path> folders(String list) {
        List<Path> folders = SecretSettings.names(list).stream().map(Path::of).toList();
        if (!folders.stream().allMatch(Path::isAbsolute)) {
            throw new IllegalArgumentException();
        }
        return folders;
    }
}
