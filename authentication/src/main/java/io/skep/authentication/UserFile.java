package io.skep.authentication;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.ForcedFolders;
import io.skep.common.file.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A file of users with hashed passwords, in the format of Apache's {@code htpasswd -B}: a line {@code name:hash} for
 * each user, with bcrypt's hash. Empty lines are skipped. Lines that begin with {@code #} are comments, which a change
 * moves to the begin. Only its owner may access
 * it. Several processes may change it.
 */
public final class UserFile {
    private static final long MAX_BYTES = 16 << 20;
    private static final String BCRYPT = "\\$2[aby]\\$\\d\\d\\$[./A-Za-z0-9]{53}";

    private final Path path;

    public UserFile(Path path) {
        this.path = path;
    }

    /**
     * Returns names and hashes.
     *
     * @throws IOException when the file cannot be read
     * @throws SkepException INVALID_CONFIGURATION when others may read it, or a line is wrong
     */
    public SortedMap<String, String> read() throws IOException {
        if (!PrivateFiles.isPrivate(path)) {
            throw refused("is open to other users of this machine").withHint("chmod 600 " + path);
        }
        if (Files.size(path) > MAX_BYTES) {
            throw refused("has more than " + MAX_BYTES + " bytes");
        }
        SortedMap<String, String> users = new TreeMap<>();
        int number = 0;
        for (String line : Files.readAllLines(path)) {
            number++;
            if (line.isBlank() || isComment(line)) {
                continue;
            }
            // The line is not part of the error, because it may have a password.
            int colon = line.indexOf(':');
            if (colon <= 0 || !line.substring(colon + 1).matches(BCRYPT)) {
                throw refused("has no name and bcrypt hash in line " + number);
            }
            if (users.put(line.substring(0, colon), line.substring(colon + 1)) != null) {
                throw refused("has a user twice: line " + number);
            }
        }
        return users;
    }

    private SkepException refused(String why) {
        return new SkepException(StandardErrorCode.INVALID_CONFIGURATION, "the file of users " + path + " " + why);
    }

    /**
     * Changes the users while no other process does. A process that dies meanwhile leaves the old file.
     *
     * @param change changes names and hashes; what it throws leaves the file as it is
     */
    public void change(Consumer<SortedMap<String, String>> change) throws IOException {
        Path lock = beside(".lock");
        try (FileChannel channel = PrivateFiles.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock _ = channel.lock()) {
            boolean exists = Files.exists(path);
            SortedMap<String, String> users = exists ? read() : new TreeMap<>();
            change.accept(users);
            replace(exists ? comments() : List.of(), users);
        }
    }

    private List<String> comments() throws IOException {
        return Files.readAllLines(path).stream().filter(UserFile::isComment).toList();
    }

    private static boolean isComment(String line) {
        return line.startsWith("#");
    }

    private void replace(List<String> comments, SortedMap<String, String> users) throws IOException {
        StringBuilder text = new StringBuilder();
        comments.forEach(line -> text.append(line).append('\n'));
        users.forEach((name, hash) -> text.append(name).append(':').append(hash).append('\n'));
        Path made = beside(".new");
        Files.deleteIfExists(made);
        try (FileChannel out = PrivateFiles.open(made, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text.toString());
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(made, path, StandardCopyOption.ATOMIC_MOVE);
        ForcedFolders.forceAbove(path);
    }

    private Path beside(String suffix) {
        return path.resolveSibling(path.getFileName() + suffix);
    }
}
