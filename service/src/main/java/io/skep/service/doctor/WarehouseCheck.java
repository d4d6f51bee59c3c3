package io.skep.service.doctor;

import io.skep.common.config.SecurityProperties;
import io.skep.common.error.SkepException;
import io.skep.metastore.MetastoreConfig;
import io.skep.storage.file.HadoopFileSystem;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** Writes, reads and deletes a file in each folder of tables, and uses it to check the file system's clock. */
record WarehouseCheck(MetastoreConfig metastore, Configuration hadoop, HadoopAccess access) implements Check {
    @Override
    public String part() {
        return "file system";
    }

    @Override
    public List<Finding> run() throws IOException {
        Optional<Finding> problem = access.problem(part());
        if (problem.isPresent()) {
            return List.of(problem.get());
        }
        HadoopFileSystem files = new HadoopFileSystem(hadoop);
        List<Finding> findings = new ArrayList<>();
        for (String folder : Stream.of(metastore.warehouse(), metastore.externalWarehouse())
                .distinct()
                .toList()) {
            try {
                findings.addAll(examine(files, folder));
            } catch (SkepException e) {
                findings.add(Finding.failure(
                        part(), e, "see that the file system is up, and that the server's user may write " + folder));
            }
        }
        return findings;
    }

    private List<Finding> examine(HadoopFileSystem files, String folder) throws IOException {
        if (files.find(folder).isEmpty()) {
            return List.of(Finding.note(part(), folder + " is not there yet; the first table makes it"));
        }
        byte[] sent = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
        String probe = folder + "/.doctor-" + new String(sent, StandardCharsets.US_ASCII);
        try {
            Instant before = Instant.now();
            try (OutputStream out = files.create(probe)) {
                out.write(sent);
            }
            Instant after = Instant.now();
            // Some file systems truncate times to whole seconds.
            Instant written = Instant.ofEpochMilli(files.status(probe).version().modificationTime());
            byte[] read;
            try (InputStream in = files.openDecompressed(files.status(probe).version())) {
                read = in.readAllBytes();
            }
            if (!Arrays.equals(sent, read)) {
                return List.of(Finding.failure(
                        part(), folder + " gives other bytes than were written", "have the file system checked"));
            }
            List<Finding> findings = new ArrayList<>();
            findings.add(Finding.ok(part(), folder + " can be written and read"));
            Clocks.compare(part(), before.minusSeconds(1), written, after).ifPresent(findings::add);
            refusedOwner(files, probe).ifPresent(findings::add);
            return findings;
        } finally {
            files.delete(probe);
        }
    }

    /** Returns the problem of a server that has to give files to its users and may not. */
    private Optional<Finding> refusedOwner(HadoopFileSystem files, String probe) {
        if (!Boolean.parseBoolean(hadoop.getTrimmed(SecurityProperties.DO_AS.name(), "false"))) {
            return Optional.empty();
        }
        try {
            files.give(probe, "nobody");
            return Optional.empty();
        } catch (SkepException e) {
            return Optional.of(Finding.failure(
                    part(),
                    e,
                    SecurityProperties.DO_AS.name() + " gives files to users: make the server's user a superuser of"
                            + " HDFS (dfs.permissions.superusergroup), or set it to 'false'"));
        }
    }
}
