package io.skep.llap.client.rpc;

import com.google.common.hash.Hashing;
import com.google.common.io.MoreFiles;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.PlanFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Local files that plans name: their content hashes, and their paths for daemons that request a content. Thread-safe.
 */
final class PlanFiles {
    private static final int REMEMBERED = 256;

    /** The state of a file when it was read. */
    private record Version(Path path, long bytes, FileTime modified) {}

    @GuardedBy("this")
    private final Map<Version, String> hashes = remembering();

    @GuardedBy("this")
    private final Map<String, Path> paths = remembering();

    private static <K, V> Map<K, V> remembering() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > REMEMBERED;
            }
        };
    }

    /**
     * Returns those of the files that are on this machine. A daemon looks for the others by itself.
     *
     * @throws SkepException MISSING_FILE when a local file cannot be read
     */
    List<PlanFile> of(List<String> locations) {
        List<PlanFile> files = new ArrayList<>();
        for (String location : locations) {
            local(location)
                    .filter(Files::isRegularFile)
                    .ifPresent(path -> files.add(new PlanFile(location, hash(path))));
        }
        return files;
    }

    private static Optional<Path> local(String location) {
        try {
            URI uri = URI.create(location);
            return !uri.isAbsolute()
                    ? Optional.of(Path.of(location))
                    : Optional.of(uri)
                            .filter(one -> "file".equals(one.getScheme()))
                            .map(Path::of);
        } catch (IllegalArgumentException e) {
            // Not a URI, but a path with characters that URIs do not allow.
            return Optional.of(Path.of(location));
        }
    }

    private String hash(Path path) {
        try {
            Version version = new Version(path, Files.size(path), Files.getLastModifiedTime(path));
            synchronized (this) {
                String known = hashes.get(version);
                if (known != null) {
                    paths.put(known, path);
                    return known;
                }
            }
            String hash = MoreFiles.asByteSource(path).hash(Hashing.sha256()).toString();
            synchronized (this) {
                hashes.put(version, hash);
                paths.put(hash, path);
            }
            return hash;
        } catch (IOException e) {
            throw new SkepException(StandardErrorCode.MISSING_FILE, "the file " + path + " cannot be read: " + e, e);
        }
    }

    /** Returns the path of a content that a plan has named. */
    synchronized Optional<Path> find(String hash) {
        return Optional.ofNullable(paths.get(hash));
    }
}
