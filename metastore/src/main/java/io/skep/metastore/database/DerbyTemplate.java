package io.skep.metastore.database;

import io.skep.common.file.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * An empty metastore database in Derby's files, as a zip file. The build creates it from Hive's schema script, which
 * takes seconds. A new data directory only unpacks it.
 */
public final class DerbyTemplate {
    private static final String RESOURCE = "derby-template.zip";

    private DerbyTemplate() {}

    /** Creates the template. Arguments: the schema script, the zip file to write. */
    public static void main(String[] arguments) throws IOException, SQLException {
        Path zip = Path.of(arguments[1]);
        Path folder = Files.createTempDirectory(zip.toAbsolutePath().getParent(), "derby-template");
        Path database = folder.resolve("database");
        System.setProperty(
                DerbyDatabase.LOG_PROPERTY, folder.resolve("derby.log").toString());
        // Durability matters for databases in use, not for one under construction.
        System.setProperty("derby.system.durability", "test");
        try (Connection connection = DriverManager.getConnection("jdbc:derby:" + database + ";create=true")) {
            SqlScript.parse(Files.readString(Path.of(arguments[0]))).run(connection);
        }
        DerbyDatabase.shutDown(database);
        pack(database, zip);
        Trees.delete(folder);
    }

    private static void pack(Path folder, Path zip) throws IOException {
        Path unfinished = zip.resolveSibling(zip.getFileName() + ".tmp");
        try (OutputStream file = Files.newOutputStream(unfinished);
                ZipOutputStream out = new ZipOutputStream(file);
                Stream<Path> walk = Files.walk(folder)) {
            List<Path> paths =
                    walk.filter(path -> !path.equals(folder)).sorted().toList();
            for (Path path : paths) {
                boolean isFolder = Files.isDirectory(path);
                out.putNextEntry(new ZipEntry(folder.relativize(path) + (isFolder ? "/" : "")));
                if (!isFolder) {
                    Files.copy(path, out);
                }
                out.closeEntry();
            }
        }
        Files.move(unfinished, zip, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Creates a database from the template. A process that dies halfway leaves nothing under the database's name. */
    static void unpack(Path database) throws IOException {
        Path unfinished = database.resolveSibling(database.getFileName() + ".new");
        Trees.delete(unfinished);
        try (InputStream resource = DerbyTemplate.class.getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                throw new IOException(RESOURCE + " is not on the class path; build the metastore module");
            }
            unpack(new ZipInputStream(resource), unfinished);
        }
        PrivateFiles.restrict(unfinished);
        Files.move(unfinished, database, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void unpack(ZipInputStream zip, Path folder) throws IOException {
        Files.createDirectories(folder);
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            Path path = folder.resolve(entry.getName()).normalize();
            if (!path.startsWith(folder)) {
                throw new IOException("entry leaves the folder: " + entry.getName());
            }
            if (entry.isDirectory()) {
                Files.createDirectories(path);
            } else {
                Files.copy(zip, path);
            }
        }
    }
}
