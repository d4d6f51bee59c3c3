package io.skep.itests.authentication;

import io.skep.itests.client.ReleasedJars;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Hive's own verification of passwords by LDAP, from its release, in a class loader of its own. */
final class HiveLdap implements AutoCloseable {
    private final URLClassLoader loader;
    private final Constructor<?> settings;
    private final Method set;
    private final Constructor<?> provider;
    private final Method verify;

    HiveLdap() throws IOException, ReflectiveOperationException {
        Path folder = ReleasedJars.home().resolve("dist/hive-ldap-lib");
        if (!Files.isDirectory(folder)) {
            throw new IOException(folder + " is missing; build itests/hive-ldap first");
        }
        List<URL> jars = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                jars.add(file.toUri().toURL());
            }
        }
        loader = new URLClassLoader("hive-ldap", jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        Class<?> conf = Class.forName("org.apache.hadoop.hive.conf.HiveConf", true, loader);
        Class<?> type = Class.forName("org.apache.hive.service.auth.LdapAuthenticationProviderImpl", true, loader);
        settings = conf.getConstructor();
        set = conf.getMethod("set", String.class, String.class);
        provider = type.getConstructor(conf);
        verify = type.getMethod("Authenticate", String.class, String.class);
    }

    /** Returns Hive's verification with settings of a site. */
    Logins logins(Map<String, String> site) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            Object conf = settings.newInstance();
            for (Map.Entry<String, String> setting : site.entrySet()) {
                set.invoke(conf, setting.getKey(), setting.getValue());
            }
            return new Logins(provider.newInstance(conf));
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Logins with certain settings. */
    final class Logins {
        private final Object hive;

        private Logins(Object hive) {
            this.hive = hive;
        }

        /** Returns why Hive refuses a login; empty when it accepts it. */
        Optional<Throwable> refusal(String user, String password) throws IllegalAccessException {
            try {
                verify.invoke(hive, user, password);
                return Optional.empty();
            } catch (InvocationTargetException e) {
                return Optional.of(Objects.requireNonNullElse(e.getCause(), e));
            }
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
