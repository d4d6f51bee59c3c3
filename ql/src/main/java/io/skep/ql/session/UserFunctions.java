package io.skep.ql.session;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.engine.function.FunctionCatalog;
import io.skep.engine.function.FunctionRegistry;
import io.skep.engine.function.HiveFunctionCatalog;
import io.skep.metastore.Catalog;
import io.skep.metastore.Function;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The functions a session can use beyond the built-in ones: temporary ones, permanent ones, and the jars of both. */
public final class UserFunctions implements AutoCloseable {
    private final SessionSettings settings;
    private final Catalog catalog;
    private final Map<String, String> temporary = new TreeMap<>();
    private final Set<String> jars = new LinkedHashSet<>();
    private @Nullable URLClassLoader loader;

    private final Supplier<String> currentDatabase;

    UserFunctions(SessionSettings settings, Catalog catalog, Supplier<String> currentDatabase) {
        this.settings = settings;
        this.catalog = catalog;
        this.currentDatabase = currentDatabase;
    }

    /** @throws SkepException FUNCTION_NOT_FOUND when there is no such class, INVALID_ARGUMENT when it is no function */
    public synchronized void checkClass(String className) {
        try {
            HiveFunctionCatalog.kindOfClass(Class.forName(className, false, classes()));
        } catch (ClassNotFoundException e) {
            throw new SkepException(StandardErrorCode.FUNCTION_NOT_FOUND, "there is no class " + className, e)
                    .withHint("ADD JAR makes the classes of a jar known");
        }
    }

    public synchronized void addTemporary(String name, String className) {
        temporary.put(name, className);
    }

    /** Whether there was one. */
    public synchronized boolean dropTemporary(String name) {
        return temporary.remove(name) != null;
    }

    public synchronized boolean isTemporary(String name) {
        return temporary.containsKey(name);
    }

    /** @param location a path or URI of a local jar */
    public synchronized void addJar(String location) {
        Path path = location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
        if (!Files.isReadable(path)) {
            throw new SkepException(StandardErrorCode.MISSING_FILE, location + " does not exist");
        }
        jars.add(path.toAbsolutePath().toUri().toString());
        closeLoader();
    }

    public synchronized void removeJar(String location) {
        Path path = location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
        jars.remove(path.toAbsolutePath().toUri().toString());
        closeLoader();
    }

    public synchronized List<String> jars() {
        return List.copyOf(jars);
    }

    /** All functions as the analyzer sees them. */
    public synchronized FunctionCatalog catalog() {
        return new HiveFunctionCatalog(settings.forRun(), classes(), classNames());
    }

    /** The same functions for evaluation within the server. */
    public synchronized FunctionRegistry registry() {
        return new FunctionRegistry(settings.forRun(), classes());
    }

    private Map<String, String> classNames() {
        Map<String, String> names = new TreeMap<>();
        for (Function function : catalog.functions()) {
            names.put(function.database() + "." + function.name(), function.className());
            if (function.database().equals(currentDatabase.get())) {
                names.put(function.name(), function.className());
            }
        }
        names.putAll(temporary);
        return names;
    }

    private ClassLoader classes() {
        if (jars.isEmpty()) {
            return UserFunctions.class.getClassLoader();
        }
        if (loader == null) {
            loader = new URLClassLoader(urls(), UserFunctions.class.getClassLoader());
        }
        return loader;
    }

    private URL[] urls() {
        List<URL> urls = new ArrayList<>();
        for (String jar : jars) {
            try {
                urls.add(URI.create(jar).toURL());
            } catch (MalformedURLException e) {
                throw new SkepException(StandardErrorCode.MISSING_FILE, "not a location of a jar: " + jar, e);
            }
        }
        return urls.toArray(URL[]::new);
    }

    private void closeLoader() {
        if (loader != null) {
            try {
                loader.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            loader = null;
        }
    }

    @Override
    public synchronized void close() {
        closeLoader();
    }
}
