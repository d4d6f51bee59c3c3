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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The functions a session can use beyond the built-in ones: temporary ones, permanent ones, and the jars of both. */
public final class UserFunctions implements AutoCloseable {
    private final SessionSettings settings;
    private final Catalog catalog;
    private final Supplier<String> currentDatabase;
    /** Replaced as a whole by a change. */
    private Map<String, String> temporary = Map.of();

    private final Set<String> jars = new LinkedHashSet<>();
    private @Nullable URLClassLoader loader;
    private Set<String> loaded = Set.of();
    private @Nullable Known known;

    /** What the functions depend on. */
    private record Basis(
            Map<String, String> settings,
            ClassLoader classes,
            Map<String, String> temporary,
            List<Function> permanent,
            String database) {}

    /** The functions, and what they were made of: they serve all statements until that changes. */
    private record Known(Basis basis, FunctionCatalog catalog, FunctionRegistry registry) {}

    UserFunctions(SessionSettings settings, Catalog catalog, Supplier<String> currentDatabase) {
        this.settings = settings;
        this.catalog = catalog;
        this.currentDatabase = currentDatabase;
    }

    /**
     * @throws SkepException FUNCTION_NOT_FOUND when there is no such class, INVALID_ARGUMENT when it is no function,
     *     ACCESS_DENIED when it is that of a built-in function that is switched off
     */
    public synchronized void checkClass(String name, String className) {
        settings.rules().functions().checkClass(name, className);
        try {
            HiveFunctionCatalog.kindOfClass(Class.forName(className, false, classes()));
        } catch (ClassNotFoundException e) {
            throw new SkepException(StandardErrorCode.FUNCTION_NOT_FOUND, "there is no class " + className, e)
                    .withHint("ADD JAR makes the classes of a jar known");
        }
    }

    public synchronized void addTemporary(String name, String className) {
        Map<String, String> changed = new TreeMap<>(temporary);
        changed.put(name, className);
        temporary = Map.copyOf(changed);
    }

    /** Whether there was one. */
    public synchronized boolean dropTemporary(String name) {
        Map<String, String> changed = new TreeMap<>(temporary);
        boolean was = changed.remove(name) != null;
        temporary = Map.copyOf(changed);
        return was;
    }

    public synchronized boolean isTemporary(String name) {
        return temporary.containsKey(name);
    }

    /**
     * @param jar that statements may name
     * @throws SkepException MISSING_FILE, INVALID_PATH, or DISK_FULL when the session's jars would be larger than they may be
     */
    public synchronized void addJar(Path jar) {
        if (!Files.isReadable(jar)) {
            throw new SkepException(StandardErrorCode.MISSING_FILE, jar + " does not exist");
        }
        if (!isJar(jar)) {
            throw new SkepException(StandardErrorCode.INVALID_PATH, jar + " is not a regular file")
                    .withHint("only files and folders with classes can be added");
        }
        String location = jar.toAbsolutePath().toUri().toString();
        checkSize(location);
        jars.add(location);
        closeLoader();
    }

    /** Folders of classes do not count: they are not copied. */
    private void checkSize(String added) {
        Set<String> all = new LinkedHashSet<>(jars);
        all.add(added);
        long bytes = all.stream().mapToLong(UserFunctions::size).sum();
        long most = settings.rules().maxJarBytes();
        if (bytes > most) {
            throw new SkepException(
                            StandardErrorCode.DISK_FULL,
                            "with " + added + " the session's jars have " + bytes + " bytes, and may have " + most)
                    .withHint("DELETE JAR those that are not needed, or raise " + SettingRules.MAX_JARS.name());
        }
    }

    /** A jar that is gone by now has none. */
    private static long size(String location) {
        Path path = Path.of(URI.create(location));
        try {
            return Files.isRegularFile(path) ? Files.size(path) : 0;
        } catch (IOException gone) {
            return 0;
        }
    }

    /** @throws SkepException INVALID_PATH when it is no path */
    public synchronized void removeJar(String location) {
        try {
            Path path = location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
            jars.remove(path.toAbsolutePath().toUri().toString());
        } catch (IllegalArgumentException e) {
            throw new SkepException(StandardErrorCode.INVALID_PATH, "the path '" + location + "' is none", e);
        }
        closeLoader();
    }

    /** A pipe or a device can hold for ever who opens it, and cannot be interrupted. */
    private static boolean isJar(Path path) {
        return Files.isRegularFile(path) || Files.isDirectory(path);
    }

    public synchronized List<String> jars() {
        return List.copyOf(jars);
    }

    /** The session's jars and those that permanent functions name, as far as they can be read here. */
    public synchronized Set<String> resources() {
        Set<String> all = new LinkedHashSet<>(jars);
        for (Function function : catalog.functions()) {
            function.resources().stream().flatMap(UserFunctions::readable).forEach(all::add);
        }
        return all;
    }

    private static Stream<String> readable(String resource) {
        try {
            Path path = resource.startsWith("file:") ? Path.of(URI.create(resource)) : Path.of(resource);
            return Files.isReadable(path) && isJar(path)
                    ? Stream.of(path.toAbsolutePath().toUri().toString())
                    : Stream.empty();
        } catch (IllegalArgumentException e) {
            // No path of this machine; a query that uses the function says that its class is not there.
            return Stream.empty();
        }
    }

    /** Whether the session has neither functions nor jars of its own. */
    public synchronized boolean isPlain() {
        return temporary.isEmpty() && jars.isEmpty();
    }

    /** All functions as the analyzer sees them. */
    public synchronized FunctionCatalog catalog() {
        return known().catalog();
    }

    /** The same functions for evaluation within the server. */
    public synchronized FunctionRegistry registry() {
        return known().registry();
    }

    private Known known() {
        Basis basis = new Basis(settings.forRun(), classes(), temporary, catalog.functions(), currentDatabase.get());
        Known last = known;
        if (last == null || !last.basis().equals(basis)) {
            last = new Known(
                    basis,
                    new HiveFunctionCatalog(
                            basis.settings(),
                            basis.classes(),
                            classNames(basis),
                            settings.rules().functions()),
                    new FunctionRegistry(basis.settings(), basis.classes()));
            known = last;
        }
        return last;
    }

    private static Map<String, String> classNames(Basis basis) {
        Map<String, String> names = new TreeMap<>();
        for (Function function : basis.permanent()) {
            names.put(function.database() + "." + function.name(), function.className());
            if (function.database().equals(basis.database())) {
                names.put(function.name(), function.className());
            }
        }
        names.putAll(basis.temporary());
        return names;
    }

    private ClassLoader classes() {
        Set<String> resources = resources();
        if (resources.isEmpty()) {
            return UserFunctions.class.getClassLoader();
        }
        if (loader == null || !resources.equals(loaded)) {
            closeLoader();
            loader = new URLClassLoader(urls(resources), UserFunctions.class.getClassLoader());
            loaded = resources;
        }
        return loader;
    }

    private static URL[] urls(Set<String> jars) {
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
