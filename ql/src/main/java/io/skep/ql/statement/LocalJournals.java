package io.skep.ql.statement;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.statement.TableCommits.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** Journals of commits on the server's own disk, one file each. */
final class LocalJournals {
    private static final String SUFFIX = ".commit";

    private final Path folder;

    LocalJournals(Path folder) {
        this.folder = folder;
    }

    /** Forces a journal to the disk; one of the same name is replaced. */
    void write(String name, List<Step> steps) {
        try {
            Files.createDirectories(folder);
            Path partial = folder.resolve(name + ".partial");
            Files.write(
                    partial,
                    CommitSteps.encode(steps),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DSYNC);
            Files.move(partial, folder.resolve(name + SUFFIX), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    List<Step> read(String name) {
        try {
            return CommitSteps.decode(Files.readAllBytes(folder.resolve(name + SUFFIX)));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    boolean exists(String name) {
        return Files.exists(folder.resolve(name + SUFFIX));
    }

    void delete(String name) {
        try {
            Files.deleteIfExists(folder.resolve(name + SUFFIX));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** The names of all that are there, sorted. */
    List<String> names() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> journals = Files.list(folder)) {
            return journals.map(path -> path.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static SkepException failed(IOException e) {
        return new SkepException(
                StandardErrorCode.FILE_SYSTEM_ERROR, "the commit journal failed: " + e.getMessage(), e);
    }
}
