package io.skep.service.server;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.file.PrivateFiles;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;

/**
 * The address of a running server. The file {@code server.properties} in its data folder contains it for other
 * commands.
 */
public record ServerAddress(long pid, String jdbcUrl, String uiUrl) {
    private static final String FILE = "server.properties";

    public static ServerAddress of(SkepServer server) {
        return new ServerAddress(ProcessHandle.current().pid(), server.jdbcUrl(), server.uiUrl());
    }

    public void write(Path data) {
        Properties properties = new Properties();
        properties.setProperty("pid", Long.toString(pid));
        properties.setProperty("jdbc.url", jdbcUrl);
        properties.setProperty("ui.url", uiUrl);
        Path partial = data.resolve(FILE + ".partial");
        try (Writer writer = Files.newBufferedWriter(PrivateFiles.create(partial))) {
            properties.store(writer, null);
        } catch (IOException e) {
            throw failed(e);
        }
        try {
            Files.move(partial, data.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Returns the address of the server that runs on the folder, or that was killed on it. */
    public static Optional<ServerAddress> read(Path data) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(data.resolve(FILE))) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new SkepException(
                    StandardErrorCode.FILE_SYSTEM_ERROR, "cannot read the server's address: " + e.getMessage(), e);
        }
        return Optional.of(new ServerAddress(
                Long.parseLong(properties.getProperty("pid", "0")),
                properties.getProperty("jdbc.url", ""),
                properties.getProperty("ui.url", "")));
    }

    public static void remove(Path data) {
        try {
            Files.deleteIfExists(data.resolve(FILE));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static SkepException failed(IOException e) {
        return new SkepException(
                StandardErrorCode.FILE_SYSTEM_ERROR, "cannot note the server's address: " + e.getMessage(), e);
    }
}
