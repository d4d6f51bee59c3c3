package io.skep.ql.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.skep.common.error.ClientError;
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

/**
 * The functions that a session can use in addition to the built-in ones: temporary ones, permanent ones, and the jars
 * of both.
 */
public final class UserFunctions implements AutoCloseable {
    private final SessionSettings settings;
    private final Catalog catalog;
    private final Supplier<String> currentDatabase;
    /** Each change replaces the whole map. */
    @GuardedBy("this")
    private Map<String, String> temporary = Map.of();

    @GuardedBy("this")
    private final Set<String> jars = new LinkedHashSet<>();

    @GuardedBy("this")
    private @Nullable URLClassLoader loader;

    @GuardedBy("this")
    private Set<String> loaded = Set.of();

    @GuardedBy("this")
    private @Nullable Known known;

    /** The state that the functions depend on. */
    private record Basis(
            Map<String, String> settings,
            ClassLoader classes,
            Map<String, String> temporary,
            List<Function> permanent,
            String database) {}

    /** The functions, and the state that they were built from. They serve all statements until that state changes. */
    private record Known(Basis basis, FunctionCatalog catalog, FunctionRegistry registry) {}

    UserFunctions(SessionSettings settings, Catalog catalog, Supplier<String> currentDatabase) {
        this.settings = settings;
        this.catalog = catalog;
        this.currentDatabase = currentDatabase;
    }

    /**
     * @throws SkepException FUNCTION_NOT_FOUND when the class does not exist, INVALID_ARGUMENT when it is not a
     *     function, ACCESS_DENIED when it is the class of a built-in function that is disabled
     */
    public synchronized void checkClass(String name, String className) {
        settings.rules().functions().checkClass(name, className);
        try {
            HiveFunctionCatalog.kindOfClass(Class.forName(className, false, classes()));
        } catch (ClassNotFoundException e) {
            throw new SkepException(
                            StandardErrorCode.FUNCTION_NOT_FOUND,
                            "Unable to load UDF class: java.lang.ClassNotFoundException: " + className,
                            e)
                    .as(new ClientError(1, "08S01", ClientError.Form.TASK))
                    .withHint("ADD JAR makes the classes of a jar known");
        }
    }

    public synchronized void addTemporary(String name, String className) {
        Map<String, String> changed = new TreeMap<>(temporary);
        changed.put(name, className);
        temporary = Map.copyOf(changed);
    }

    /** Drops a temporary function. Returns whether it existed. */
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
     * @param jar a path that statements may name
     * @throws SkepException MISSING_FILE, INVALID_PATH, or DISK_FULL when the session's jars would exceed their size
     *     limit
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

    /** Checks the total size of the jars. Folders of classes do not count, since they are not copied. */
    @GuardedBy("this")
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

    /** Returns the size of a jar; 0 if it has been deleted. */
    private static long size(String location) {
        Path path = Path.of(URI.create(location));
        try {
            return Files.isRegularFile(path) ? Files.size(path) : 0;
        } catch (IOException gone) {
            return 0;
        }
    }

    /** @throws SkepException INVALID_PATH when it is not a path */
    public synchronized void removeJar(String location) {
        try {
            Path path = location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
            jars.remove(path.toAbsolutePath().toUri().toString());
        } catch (IllegalArgumentException e) {
            throw new SkepException(StandardErrorCode.INVALID_PATH, "the path '" + location + "' is none", e);
        }
        closeLoader();
    }

    /** Excludes pipes and devices, since opening one can block for ever and cannot be interrupted. */
    private static boolean isJar(Path path) {
        return Files.isRegularFile(path) || Files.isDirectory(path);
    }

    public synchronized List<String> jars() {
        return List.copyOf(jars);
    }

    /** Returns the session's jars and the jars that permanent functions name, as far as this server can read them. */
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
            // The resource is not a path on this machine. A query that uses the function reports that its class is
            // missing.
            return Stream.empty();
        }
    }

    /** Whether the session has neither functions nor jars of its own. */
    public synchronized boolean isPlain() {
        return temporary.isEmpty() && jars.isEmpty();
    }

    /** Returns all functions as the analyzer sees them. */
    public synchronized FunctionCatalog catalog() {
        return known().catalog();
    }

    /** Returns the built-in and the permanent functions, the latter under their full names alone. */
    public synchronized FunctionCatalog permanent() {
        Basis basis = known().basis();
        Map<String, String> names = new TreeMap<>();
        addPermanent(basis, names);
        return new HiveFunctionCatalog(
                basis.settings(), basis.classes(), names, settings.rules().functions());
    }

    /** Returns the same functions for evaluation within the server. */
    public synchronized FunctionRegistry registry() {
        return known().registry();
    }

    @GuardedBy("this")
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
        addPermanent(basis, names);
        for (Function function : basis.permanent()) {
            if (function.database().equals(basis.database())) {
                names.put(function.name(), function.className());
            }
        }
        names.putAll(basis.temporary());
        return names;
    }

    private static void addPermanent(Basis basis, Map<String, String> names) {
        basis.permanent()
                .forEach(function -> names.put(function.database() + "." + function.name(), function.className()));
    }

    @GuardedBy("this")
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

    @GuardedBy("this")
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
