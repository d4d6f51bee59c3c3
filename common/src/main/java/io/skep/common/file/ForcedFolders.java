package io.skep.common.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Folders that survive a power cut. A new folder does so when the entries of the one above it have been forced to the disk. */
public final class ForcedFolders {
    private ForcedFolders() {}

    /** Makes a folder and those above it that are missing, and forces them to the disk. */
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

    /** Forces the entry of a folder, and all others beside it. */
    public static void forceAbove(Path folder) throws IOException {
        Path above = folder.toAbsolutePath().getParent();
        if (above != null) {
            try (FileChannel channel = FileChannel.open(above, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
