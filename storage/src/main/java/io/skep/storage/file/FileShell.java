package io.skep.storage.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skep.common.concurrent.Interruption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.shell.Command;
import org.apache.hadoop.fs.shell.CommandFactory;
import org.apache.hadoop.fs.shell.FsCommand;
import org.jspecify.annotations.Nullable;

/**
 * The commands of Hadoop's file system shell, with their output as text. They have the rights of this process, and
 * take any path: callers check what they pass.
 */
public final class FileShell {
    /** The limit of what a command may print. */
    public static final int MAX_OUTPUT_BYTES = 4 << 20;

    private static final int MAX_ERROR_BYTES = 8 << 10;

    private final Configuration configuration;

    /**
     * What a command has printed.
     *
     * @param status 0 if the command succeeded
     */
    public record Result(int status, String output, String errors) {}

    FileShell(Configuration configuration) {
        this.configuration = new Configuration(configuration);
        // Commands that copy switch on the checksum files of local files, which this class does not have.
        this.configuration.setClass("fs.file.impl", RawLocalFiles.class, FileSystem.class);
        // The process has another object for local files.
        this.configuration.setBoolean("fs.file.impl.disable.cache", true);
    }

    /**
     * Runs a command.
     *
     * @param name such as {@code -ls}
     * @throws SkepException NOT_SUPPORTED for an unknown command, MEMORY_LIMIT_EXCEEDED when it prints too much,
     *     OPERATION_CANCELED when the thread is interrupted while it prints
     */
    public Result run(String name, List<String> arguments) {
        CommandFactory factory = new CommandFactory(configuration);
        FsCommand.registerCommands(factory);
        Command command = factory.getInstance(name, configuration);
        if (command == null) {
            throw new SkepException(StandardErrorCode.NOT_SUPPORTED, name + " is no command of files");
        }
        Collected output = new Collected(MAX_OUTPUT_BYTES, true);
        Collected errors = new Collected(MAX_ERROR_BYTES, false);
        int status;
        try (PrintStream out = new PrintStream(output, false, UTF_8);
                PrintStream err = new PrintStream(errors, false, UTF_8)) {
            command.out = out;
            command.err = err;
            status = run(command, arguments, err);
        }
        if (output.stopped != null) {
            throw output.stopped;
        }
        return new Result(status, output.text(), errors.text());
    }

    private static int run(Command command, List<String> arguments, PrintStream err) {
        try {
            return command.run(arguments.toArray(String[]::new));
        } catch (RuntimeException e) {
            // The command's arguments are wrong, or its output was stopped.
            err.println(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
            return -1;
        }
    }

    /**
     * Returns the paths that a pattern matches, at most a number.
     *
     * @throws SkepException INVALID_ARGUMENT when the pattern is none, or matches more paths
     */
    public List<String> matches(String pattern, int most) {
        try {
            Path path = new Path(pattern);
            FileSystem files = path.getFileSystem(configuration);
            FileStatus @Nullable [] found = files.globStatus(path);
            if (found == null) {
                return List.of();
            }
            if (found.length > most) {
                throw new SkepException(
                        StandardErrorCode.INVALID_ARGUMENT,
                        pattern + " matches " + found.length + " paths, more than " + most);
            }
            return Arrays.stream(found)
                    .map(status -> status.getPath().toString())
                    .toList();
        } catch (IOException e) {
            throw FileErrors.of("cannot list", pattern, e);
        }
    }

    /** Keeps the first bytes. Commands catch what a stream throws, so the reason for it is kept. */
    private static final class Collected extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final int most;
        private final boolean stops;
        private @Nullable SkepException stopped;

        /** @param stops whether more bytes stop the command; otherwise they are dropped */
        private Collected(int most, boolean stops) {
            this.most = most;
            this.stops = stops;
        }

        @Override
        public void write(int value) {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] from, int start, int count) {
            int room = most - bytes.size();
            if (stops) {
                check(count <= room);
            }
            bytes.write(from, start, Math.min(count, room));
        }

        private void check(boolean fits) {
            try {
                Interruption.check();
                if (!fits) {
                    throw new SkepException(
                            StandardErrorCode.MEMORY_LIMIT_EXCEEDED, "the command prints more than " + most + " bytes");
                }
            } catch (SkepException e) {
                stopped = stopped == null ? e : stopped;
                throw e;
            }
        }

        private String text() {
            return bytes.toString(UTF_8);
        }
    }
}
