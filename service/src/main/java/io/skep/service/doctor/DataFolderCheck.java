package io.skep.service.doctor;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks the folders on local disk: whether they are writable, and how much space is free for spilled rows. */
record DataFolderCheck(Path data, Path spill) implements Check {
    private static final long MIN_FREE_BYTES = 10L << 30;

    @Override
    public String part() {
        return "data folder";
    }

    @Override
    public List<Finding> run() throws IOException {
        Path there = nearest(data);
        if (!Files.isDirectory(there) || !Files.isWritable(there)) {
            return List.of(Finding.failure(
                    part(),
                    there + " cannot be written" + (there.equals(data) ? "" : ", so " + data + " cannot be made"),
                    "give it to the user that runs the server, or name another one with --data"));
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(
                there.equals(data)
                        ? Finding.ok(part(), data + " can be written")
                        : Finding.note(part(), data + " is not there yet; the first start makes it"));
        FileStore disk = Files.getFileStore(nearest(spill));
        findings.add(space(spill, disk.getUsableSpace()));
        return findings;
    }

    static Finding space(Path folder, long free) {
        String text = MemoryCheck.text(free) + " free for spilled rows in " + folder;
        return free >= MIN_FREE_BYTES
                ? Finding.ok("local disk", text)
                : Finding.warning(
                        "local disk",
                        text,
                        "free " + MemoryCheck.text(MIN_FREE_BYTES)
                                + " or more; large joins and sorts fail with DISK_FULL without it");
    }

    /** Returns the folder, or the nearest one above it that exists. */
    static Path nearest(Path folder) {
        Path at = folder.toAbsolutePath();
        while (!Files.exists(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }
}
