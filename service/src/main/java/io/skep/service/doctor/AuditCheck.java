package io.skep.service.doctor;

import io.skep.llap.client.audit.AuditConfig;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Checks whether the audit log can be written, and whether the disk has room for all of its files. */
record AuditCheck(AuditConfig config) implements Check {
    @Override
    public String part() {
        return "audit log";
    }

    @Override
    public List<Finding> run() throws IOException {
        if (!config.enabled()) {
            return List.of(Finding.note(part(), "not used: skep.audit.enabled switches it on"));
        }
        Path there = DataFolderCheck.nearest(config.folder());
        Path current = config.currentFile();
        if (!Files.isDirectory(there)
                || !Files.isWritable(there)
                || Files.exists(current) && !Files.isWritable(current)) {
            return List.of(Finding.failure(
                    part(),
                    config.folder() + " cannot be written",
                    "make it writable for the user that runs the server, or set " + AuditConfig.FOLDER.name()));
        }
        FileStore disk = Files.getFileStore(there);
        long free = disk.getUsableSpace();
        long wanted = Math.multiplyHigh(config.maxFileBytes(), config.maxFiles()) == 0
                ? config.maxFileBytes() * config.maxFiles()
                : Long.MAX_VALUE;
        String text = MemoryCheck.text(free) + " free in " + config.folder() + ", its files may have "
                + MemoryCheck.text(wanted);
        return List.of(
                free >= wanted
                        ? Finding.ok(part(), text)
                        : Finding.warning(
                                part(),
                                text,
                                config.refuses()
                                        ? "statements are refused when the disk is full: free space, or lower "
                                                + AuditConfig.MAX_FILES.name()
                                        : "lines are lost when the disk is full: free space, or lower "
                                                + AuditConfig.MAX_FILES.name()));
    }
}
