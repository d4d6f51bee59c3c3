package io.skep.common.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Folders that survive a power failure. A new folder does so when the entries of its parent folder have been forced to
 * the disk.
 */
public final class ForcedFolders {
    private ForcedFolders() {}

    /** Creates a folder and its missing parents, and forces them to the disk. */
    public static void create(Path folder) throws IOException {
        List<Path> missing = new ArrayList<>();
        for (Path at = folder; at != null && !Files.isDirectory(at); at = at.getParent()) {
            missing.add(at);
        }
        Files.createDirectories(folder);
        for (Path made : missing) {
            forceAbove(made);
        }
    }

    /** Forces the entry of a folder, and all other entries of its parent. */
    public static void forceAbove(Path folder) throws IOException {
        Path above = folder.toAbsolutePath().getParent();
        if (above != null) {
            try (FileChannel channel = FileChannel.open(above, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
