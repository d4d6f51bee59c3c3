package io.skep.llap.server;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.function.FunctionRegistry;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A query's functions: the built-in ones and those in the jars that its plan names. Thread-safe. */
final class QueryFunctions implements AutoCloseable {
    private final FunctionRegistry registry;
    private final List<URLClassLoader> loaders;

    private QueryFunctions(FunctionRegistry registry, List<URLClassLoader> loaders) {
        this.registry = registry;
        this.loaders = loaders;
    }

    static QueryFunctions of(List<String> jars, Map<String, String> settings) {
        ClassLoader parent = FunctionRegistry.class.getClassLoader();
        if (jars.isEmpty()) {
            return new QueryFunctions(new FunctionRegistry(settings, parent), List.of());
        }
        URLClassLoader loader =
                new URLClassLoader(jars.stream().map(QueryFunctions::url).toArray(URL[]::new), parent);
        return new QueryFunctions(new FunctionRegistry(settings, loader), List.of(loader));
    }

    private static URL url(String jar) {
        try {
            URI uri = URI.create(jar);
            URI found = uri.isAbsolute() ? uri : Path.of(jar).toUri();
            if (isLocal(found) && !Files.isReadable(Path.of(found))) {
                throw new SkepException(
                                StandardErrorCode.MISSING_FILE,
                                "the jar of functions " + jar + " is not on the machine of the daemon")
                        .withHint("put it there in the same place, or on a file system that all daemons reach");
            }
            return found.toURL();
        } catch (MalformedURLException | IllegalArgumentException e) {
            throw new SkepException(
                    StandardErrorCode.MISSING_FILE, "'" + jar + "' cannot be read as a jar of functions", e);
        }
    }

    private static boolean isLocal(URI uri) {
        return "file".equals(uri.getScheme());
    }

    FunctionRegistry registry() {
        return registry;
    }

    @Override
    public void close() {
        for (URLClassLoader loader : loaders) {
            try {
                loader.close();
            } catch (IOException e) {
                throw new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "cannot close a jar of functions", e);
            }
        }
    }
}
