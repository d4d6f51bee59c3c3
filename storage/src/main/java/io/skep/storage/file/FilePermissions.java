package io.skep.storage.file;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;

/**
 * What HDFS lets a user do with files, by owners, permissions and ACLs. The NameNode is asked as that user, through the
 * process's own login, so groups and ACLs count as it knows them. Other file systems do not tell users apart and are
 * not asked. Permissions that were found are kept for {@link #KEPT}; refusals are not. Thread-safe.
 */
public final class FilePermissions {
    /** A permission that is taken away still counts for this time at most. */
    public static final Duration KEPT = Duration.ofSeconds(10);

    private static final long MAX_BYTES = 16 << 20;
    private static final int ENTRY_BYTES = 160;
    private static final Set<String> SCHEMES = Set.of("hdfs", "viewfs");

    private final Configuration configuration;
    private final Cache<Permission, Boolean> found;

    private record Permission(String user, String path, FsAction action) {}

    @FunctionalInterface
    private interface Question {
        /** Returns whether the answer is kept for the path. Fails where the user may not do what is asked. */
        boolean ask(FileSystem fileSystem, String path) throws IOException;
    }

    public FilePermissions(Configuration configuration) {
        this(configuration, Ticker.systemTicker());
    }

    FilePermissions(Configuration configuration, Ticker ticker) {
        this.configuration = new Configuration(configuration);
        this.found = Caffeine.newBuilder()
                .ticker(ticker)
                .expireAfterWrite(KEPT)
                .maximumWeight(MAX_BYTES)
                .weigher((Permission known, Boolean _) -> ENTRY_BYTES
                        + 2 * known.path().length()
                        + 2 * known.user().length())
                .build();
    }

    /** Whether a user is the one that the process itself is on HDFS. */
    public boolean isOwn(String user) {
        try {
            return UserGroupInformation.getLoginUser().getShortUserName().equals(user);
        } catch (IOException e) {
            throw FileErrors.of("cannot tell the process's user on", "HDFS", e);
        }
    }

    /** Whether the file system of a path has users, so that it is asked about them. */
    public static boolean hasUsers(String path) {
        int colon = path.indexOf(':');
        return colon > 0 && SCHEMES.contains(path.substring(0, colon));
    }

    /** Whether a path has users, and is not the root of its file system. */
    public static boolean isBelowRoot(String path) {
        return hasUsers(path) && path.length() > root(path).length();
    }

    /**
     * Requires that a user may list folders and read files. Paths that do not exist are not checked.
     *
     * @param folders absolute, with schemes
     * @param files the same; those of other file systems than HDFS are left out
     * @throws SkepException ACCESS_DENIED with the words of HDFS; AUTHORIZER_FAILED when the server may not ask as the
     *     user; OPERATION_CANCELED for an interrupted caller
     */
    public void requireReadable(String user, Collection<String> folders, Collection<String> files) {
        Set<String> listed = new LinkedHashSet<>(folders);
        files.forEach(file -> listed.add(parent(file)));
        each(user, listed, FsAction.READ_EXECUTE, (fileSystem, folder) -> list(fileSystem, user, folder));
        each(user, files, FsAction.READ, FilePermissions::read);
    }

    /**
     * Requires that a user may add entries to folders. Of a folder that does not exist, this is required of the nearest
     * one above it.
     *
     * @throws SkepException as above
     */
    public void requireWritable(String user, Collection<String> folders) {
        each(user, folders, FsAction.WRITE_EXECUTE, FilePermissions::write);
    }

    /**
     * Requires that a user may move files and folders away from the folders that they are in, also where only owners
     * may (sticky bit). What is in the moved folders is not checked. Entries that do not exist are not checked.
     *
     * @throws SkepException as above
     */
    public void requireRemovable(String user, Collection<String> entries) {
        Map<String, List<String>> byFolder = entries.stream().collect(Collectors.groupingBy(FilePermissions::parent));
        each(user, byFolder.keySet(), FsAction.ALL, (fileSystem, folder) -> {
            try {
                return remove(fileSystem, user, folder, byFolder.getOrDefault(folder, List.of()));
            } catch (FileNotFoundException e) {
                return false;
            }
        });
    }

    /** Returns whether the user may remove all entries of the folder. */
    private static boolean remove(FileSystem fileSystem, String user, String folder, List<String> entries)
            throws IOException {
        Path above = new Path(folder);
        fileSystem.access(above, FsAction.WRITE_EXECUTE);
        FileStatus status = fileSystem.getFileStatus(above);
        if (!status.getPermission().getStickyBit() || status.getOwner().equals(user)) {
            return true;
        }
        for (String entry : entries) {
            if (isOfAnother(fileSystem, user, entry)) {
                throw new org.apache.hadoop.security.AccessControlException("Permission denied: user=" + user
                        + ", access=DELETE, path=" + entry + ": its folder has the sticky bit");
            }
        }
        return false;
    }

    private static boolean isOfAnother(FileSystem fileSystem, String user, String entry) throws IOException {
        try {
            return !fileSystem.getFileStatus(new Path(entry)).getOwner().equals(user);
        } catch (FileNotFoundException e) {
            return false;
        }
    }

    private void each(String user, Collection<String> paths, FsAction action, Question question) {
        Map<String, List<String>> unknown = paths.stream()
                .filter(FilePermissions::hasUsers)
                .filter(path -> found.getIfPresent(new Permission(user, path, action)) == null)
                .distinct()
                .collect(Collectors.groupingBy(FilePermissions::root, LinkedHashMap::new, Collectors.toList()));
        unknown.forEach((root, asked) -> ask(user, root, asked, action, question));
    }

    /** Lists a folder as the user, which tells of most files that they may be read. */
    private boolean list(FileSystem fileSystem, String user, String folder) throws IOException {
        try {
            RemoteIterator<FileStatus> entries = fileSystem.listStatusIterator(new Path(folder));
            while (entries.hasNext()) {
                FileStatus entry = entries.next();
                if (!entry.isDirectory() && isReadable(entry, user)) {
                    String path = folder + "/" + entry.getPath().getName();
                    found.put(new Permission(user, path, FsAction.READ), true);
                }
            }
            return true;
        } catch (FileNotFoundException e) {
            return false;
        }
    }

    private static boolean read(FileSystem fileSystem, String file) throws IOException {
        try {
            fileSystem.access(new Path(file), FsAction.READ);
            return true;
        } catch (FileNotFoundException e) {
            return false;
        }
    }

    /** Whether an entry's permissions alone say that a user may read it, whatever groups the user is in. */
    private static boolean isReadable(FileStatus entry, String user) {
        FsPermission permission = entry.getPermission();
        if (entry.getOwner().equals(user)) {
            return permission.getUserAction().implies(FsAction.READ);
        }
        return !entry.hasAcl()
                && permission.getGroupAction().implies(FsAction.READ)
                && permission.getOtherAction().implies(FsAction.READ);
    }

    private static boolean write(FileSystem fileSystem, String folder) throws IOException {
        boolean exists = true;
        for (Path path = new Path(folder); path != null; path = path.getParent()) {
            try {
                fileSystem.access(path, FsAction.WRITE_EXECUTE);
                return exists;
            } catch (FileNotFoundException e) {
                // The folder will be created in the one above it.
                exists = false;
            }
        }
        return false;
    }

    private void ask(String user, String root, List<String> paths, FsAction action, Question question) {
        try {
            UserGroupInformation own = UserGroupInformation.getLoginUser();
            UserGroupInformation.createProxyUser(user, own).doAs((PrivilegedExceptionAction<Void>) () -> {
                // Hadoop would keep a shared client of each user until the process ends.
                try (FileSystem fileSystem = FileSystem.newInstance(new Path(root).toUri(), configuration)) {
                    for (String path : paths) {
                        Interruption.check();
                        if (question.ask(fileSystem, path)) {
                            found.put(new Permission(user, path, action), true);
                        }
                    }
                }
                return null;
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(
                    StandardErrorCode.OPERATION_CANCELED, "cancelled while HDFS was asked about " + user, e);
        } catch (IOException e) {
            throw failed(user, root, e);
        }
    }

    private static SkepException failed(String user, String root, IOException e) {
        IOException cause = e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
        if (cause instanceof AuthorizationException) {
            return new SkepException(
                            StandardErrorCode.AUTHORIZER_FAILED,
                            "HDFS does not say what " + user + " may do: " + firstLine(cause),
                            e)
                    .withHint("the server asks as the user, which HDFS must allow it by hadoop.proxyuser settings");
        }
        if (cause instanceof org.apache.hadoop.security.AccessControlException) {
            return new SkepException(StandardErrorCode.ACCESS_DENIED, firstLine(cause), e)
                    .withHint(
                            "with hive.server2.enable.doAs users need the permissions of HDFS on the files of tables");
        }
        return FileErrors.of("cannot ask for the permissions of " + user + " on", root, e);
    }

    private static String firstLine(IOException cause) {
        return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    }

    /** Returns the folder that holds a path, or the root of the path's file system. */
    public static String parent(String path) {
        String root = root(path);
        int end = path.lastIndexOf('/');
        return end < root.length() ? root : path.substring(0, end);
    }

    /** Returns the root of a path's file system, such as {@code hdfs://namenode:8020/}. */
    private static String root(String path) {
        int authority = path.indexOf("://");
        int end = authority < 0 ? path.indexOf('/') : path.indexOf('/', authority + 3);
        return end < 0 ? path : path.substring(0, end + 1);
    }
}
