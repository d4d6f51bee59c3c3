package io.skep.ql.path;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SecretSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Settings for the paths that statements may read and write.
 *
 * @param closedFolders local folders that the server keeps for itself; no statement may name them, or folders in or
 *     above them
 * @param warehouses folders of tables, with their scheme; statements may name warehouses in a closed folder and
 *     everything below them
 * @param localRoots local folders; a {@code file:} path is rejected unless it is in one of them or in a warehouse;
 *     empty for no limit
 * @param schemes schemes, in lower case, of file systems that statements may name in addition to those of the
 *     warehouses
 */
public record PathConfig(
        List<Path> closedFolders, List<String> warehouses, List<Path> localRoots, List<String> schemes) {
    private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*");

    public static final Property<List<Path>> LOCAL_ROOTS = new Property<>(
            "skep.statements.local-roots",
            new PropertyType<>("absolute folders with commas between them", PathConfig::folders),
            "",
            "Folders of the server's machine that statements may name, with their contents, in addition to the "
                    + "warehouse: in LOCATION, LOAD, INSERT DIRECTORY, ADD JAR and CREATE FUNCTION; empty: all "
                    + "that the server's user may read.");

    public static final Property<List<String>> SCHEMES = new Property<>(
            "skep.statements.schemes",
            new PropertyType<>("schemes of file systems with commas between them", PathConfig::schemes),
            "file,hdfs,viewfs,ofs,o3fs,s3a,s3,adl,obs,abfs,abfss,wasb,wasbs,gs,oss,cosn",
            "Schemes of file systems that statements may name, in addition to those of the warehouse. Schemes "
                    + "that reach other file systems or web servers (har, http, https, ftp, webhdfs) bypass the "
                    + "rules for paths, or let the server send requests to other machines.");

    public static final List<Property<?>> PROPERTIES = List.of(LOCAL_ROOTS, SCHEMES);

    public PathConfig {
        closedFolders = List.copyOf(closedFolders);
        warehouses = List.copyOf(warehouses);
        localRoots = List.copyOf(localRoots);
        schemes = List.copyOf(schemes);
    }

    /** Creates settings with the schemes that are allowed by default. */
    public PathConfig(List<Path> closedFolders, List<String> warehouses, List<Path> localRoots) {
        this(closedFolders, warehouses, localRoots, schemes(SCHEMES.defaultValue()));
    }

    /** Creates settings in which the folder of the server's data is closed, except for the warehouses in it. */
    public static PathConfig of(Path dataFolder, String... warehouses) {
        return new PathConfig(List.of(dataFolder.toAbsolutePath()), List.of(warehouses), List.of());
    }

    /** Returns these settings with an additional closed folder, such as the folder of the server's settings. */
    public PathConfig withClosedFolder(Path folder) {
        List<Path> closed = new ArrayList<>(closedFolders);
        closed.add(folder.toAbsolutePath());
        return new PathConfig(closed, warehouses, localRoots, schemes);
    }

    public PathConfig withLocalRoots(List<Path> roots) {
        return new PathConfig(closedFolders, warehouses, roots, schemes);
    }

    public PathConfig withSchemes(List<String> allowed) {
        return new PathConfig(closedFolders, warehouses, localRoots, allowed);
    }

    private static List<String> schemes(String list) {
        List<String> schemes = SecretSettings.names(list).stream()
                .map(scheme -> scheme.toLowerCase(Locale.ROOT))
                .toList();
        if (!schemes.stream().allMatch(scheme -> SCHEME.matcher(scheme).matches())) {
            throw new IllegalArgumentException();
        }
        return schemes;
    }

    private static List<Path> folders(String list) {
        List<Path> folders = SecretSettings.names(list).stream().map(Path::of).toList();
        if (!folders.stream().allMatch(Path::isAbsolute)) {
            throw new IllegalArgumentException();
        }
        return folders;
    }
}
