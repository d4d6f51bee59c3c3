package io.skep.metastore.database;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * The embedded metastore database. Every committed change is on disk before its commit returns. Only one process may
 * open it. The {@link DataDirectory} that contains it is locked first, so Derby never has to detect a second process.
 */
public final class DerbyDatabase implements AutoCloseable {
    /** The database's name in the data folder. */
    public static final String FOLDER = "metastore";

    static final String LOG_PROPERTY = "derby.stream.error.file";
    private static final String DEFAULT_PERMISSIONS = "derby.storage.useDefaultFilePermissions";

    /** The SQLSTATE with which Derby reports that a database was shut down. */
    private static final String SHUT_DOWN = "08006";

    private final Path folder;

    private DerbyDatabase(Path folder) {
        this.folder = folder;
    }

    /** @param folder Derby's own folder; created from the template when it does not exist */
    public static DerbyDatabase open(Path folder) {
        try {
            if (!Files.exists(folder)) {
                DerbyTemplate.unpack(folder);
            }
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR, "cannot make the metastore database " + folder + ": " + e, e);
        }
        // Files that Derby creates are accessible only to this process's user.
        System.setProperty(DEFAULT_PERMISSIONS, "false");
        if (System.getProperty(LOG_PROPERTY) == null) {
            System.setProperty(LOG_PROPERTY, folder.resolveSibling("derby.log").toString());
        }
        return new DerbyDatabase(folder);
    }

    public String url() {
        return "jdbc:derby:" + folder;
    }

    @Override
    public void close() {
        shutDown(folder);
    }

    static void shutDown(Path folder) {
        try {
            DriverManager.getConnection("jdbc:derby:" + folder + ";shutdown=true")
                    .close();
        } catch (SQLException e) {
            if (!SHUT_DOWN.equals(e.getSQLState())) {
                throw new SkepException(
                        StandardErrorCode.METASTORE_ERROR,
                        "cannot close the metastore database " + folder + ": " + e,
                        e);
            }
        }
    }
}
