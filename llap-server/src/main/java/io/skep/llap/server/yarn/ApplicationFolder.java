package io.skep.llap.server.yarn;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.llap.client.yarn.LaunchTokens;
import io.skep.llap.client.yarn.PackageUpload;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;

/**
 * The application's folder in the cluster's file system, through which commands, master and daemons communicate. Each
 * file has one writer and is replaced as a whole. Thread-safe.
 */
final class ApplicationFolder {
    private static final FsPermission OWNER_ONLY = new FsPermission("700");
    private static final JsonMapper JSON = new JsonMapper();

    private static final String WANTED = "wanted.json";
    private static final String REPORT = "report.json";
    private static final String DAEMONS = "daemons";

    private final FileContext files;
    private final Path folder;
    private final Configuration configuration;

    ApplicationFolder(Path folder, Configuration configuration) {
        this.folder = folder;
        this.configuration = configuration;
        try {
            this.files = FileContext.getFileContext(folder.toUri(), configuration);
        } catch (IOException e) {
            throw failed("use", e);
        }
    }

    Path path() {
        return folder;
    }

    /** Lets a container's node fetch the files of the folder, also where the file system has Kerberos. */
    ContainerLaunchContext withTokens(ContainerLaunchContext container) {
        LaunchTokens.fetch(folder, configuration).ifPresent(container::setTokens);
        return container;
    }

    /** Creates an upload of packages into the folder. */
    PackageUpload upload() {
        return new PackageUpload(files, new Path(folder, "package"));
    }

    /** Creates the folder, readable for its owner only, because settings may contain passwords. */
    void create() {
        try {
            files.mkdir(folder, OWNER_ONLY, true);
            files.mkdir(new Path(folder, DAEMONS), OWNER_ONLY, true);
        } catch (IOException e) {
            throw failed("make", e);
        }
    }

    void delete() {
        try {
            files.delete(folder, true);
        } catch (FileNotFoundException gone) {
            return;
        } catch (IOException e) {
            throw failed("delete", e);
        }
    }

    boolean exists() {
        try {
            return files.util().exists(folder);
        } catch (IOException e) {
            throw failed("look at", e);
        }
    }

    Optional<DesiredState> wanted() {
        return read(new Path(folder, WANTED), DesiredState.class);
    }

    void want(DesiredState wanted) {
        write(new Path(folder, WANTED), wanted);
    }

    Optional<MasterReport> report() {
        return read(new Path(folder, REPORT), MasterReport.class);
    }

    void report(MasterReport report) {
        write(new Path(folder, REPORT), report);
    }

    Optional<DaemonPackage> contents(long generation) {
        return read(new Path(folder, "package-" + generation + ".json"), DaemonPackage.class);
    }

    void contents(long generation, DaemonPackage contents) {
        write(new Path(folder, "package-" + generation + ".json"), contents);
    }

    /** Returns the address that the daemon in the container has announced. */
    Optional<DaemonAddress> address(String container) {
        return read(daemon(container), DaemonAddress.class);
    }

    void announce(String container, DaemonAddress address) {
        write(daemon(container), address);
    }

    void forget(String container) {
        try {
            files.delete(daemon(container), false);
        } catch (FileNotFoundException gone) {
            return;
        } catch (IOException e) {
            throw failed("delete from", e);
        }
    }

    /** Returns the containers whose daemons have announced themselves, including dead ones. */
    List<String> announced() {
        try {
            List<String> containers = new ArrayList<>();
            RemoteIterator<FileStatus> found = files.listStatus(new Path(folder, DAEMONS));
            while (found.hasNext()) {
                String name = found.next().getPath().getName();
                if (name.endsWith(".json")) {
                    containers.add(name.substring(0, name.length() - ".json".length()));
                }
            }
            return containers;
        } catch (FileNotFoundException gone) {
            return List.of();
        } catch (IOException e) {
            throw failed("list", e);
        }
    }

    private Path daemon(String container) {
        return new Path(new Path(folder, DAEMONS), container + ".json");
    }

    private <T> Optional<T> read(Path file, Class<T> type) {
        try (InputStream in = files.open(file)) {
            return Optional.of(JSON.readValue(in.readAllBytes(), type));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        } catch (JacksonException e) {
            throw new SkepException(StandardErrorCode.CORRUPT_FILE, file + " is not as Skep writes it: " + e, e);
        } catch (IOException e) {
            throw failed("read " + file.getName() + " in", e);
        }
    }

    private void write(Path file, Object content) {
        Path partial = new Path(file.getParent(), "." + file.getName() + "." + UUID.randomUUID());
        try {
            try (OutputStream out = files.create(partial, EnumSet.of(CreateFlag.CREATE))) {
                out.write(JSON.writeValueAsBytes(content));
            }
            files.rename(partial, file, Options.Rename.OVERWRITE);
        } catch (IOException e) {
            throw failed("write " + file.getName() + " to", e);
        }
    }

    private SkepException failed(String what, IOException e) {
        return new SkepException(
                StandardErrorCode.FILE_SYSTEM_ERROR,
                "cannot " + what + " the application's folder " + folder + ": " + e.getMessage(),
                e);
    }
}
