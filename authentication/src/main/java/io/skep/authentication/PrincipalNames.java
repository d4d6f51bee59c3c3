package io.skep.authentication;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import org.apache.hadoop.security.authentication.util.KerberosName;

/**
 * User names of principals by Hadoop's rules. Thread-safe.
 *
 * <p>Hadoop's class has its rules in static fields, and Hadoop's own login sets them: without Kerberos in Hadoop, to
 * rules that accept the principals of every realm. So each instance has a copy of the class that nobody else knows.
 */
final class PrincipalNames {
    private final MethodHandle parse;
    private final MethodHandle shortName;

    /**
     * @param rules in the form of {@code hadoop.security.auth_to_local}
     * @param mechanism hadoop or mit
     * @throws IllegalArgumentException when the rules have another form
     */
    PrincipalNames(String rules, String mechanism) {
        try {
            Class<?> copy = new CopyLoader().loadClass(CopyLoader.COPIED);
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodType ofText = MethodType.methodType(void.class, String.class);
            this.parse = lookup.findConstructor(copy, ofText);
            this.shortName = lookup.findVirtual(copy, "getShortName", MethodType.methodType(String.class));
            lookup.findStatic(copy, "setRules", ofText).invoke(rules);
            lookup.findStatic(copy, "setRuleMechanism", ofText).invoke(mechanism);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError("Hadoop's rules for principals cannot be used", e);
        }
    }

    /** @throws AuthenticationException when no rule matches the principal, or the name is not one of a user */
    String user(String principal) throws AuthenticationException {
        String name;
        try {
            name = (String) shortName.invoke(parse.invoke(principal));
        } catch (IOException | IllegalArgumentException e) {
            throw new AuthenticationException(
                    "the principal '" + printable(principal) + "' has no user name by the rules of "
                            + KerberosConfig.NAME_RULES.name() + ": " + printable(String.valueOf(e.getMessage())),
                    e);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AuthenticationException("the rules of " + KerberosConfig.NAME_RULES.name() + " failed", e);
        }
        Optional<String> problem = name.isEmpty() ? Optional.of("a user name is not empty") : UserNames.problem(name);
        if (problem.isPresent()) {
            throw new AuthenticationException("the principal '" + printable(principal)
                    + "' has no valid user name by the rules of " + KerberosConfig.NAME_RULES.name() + ": "
                    + problem.get());
        }
        return name;
    }

    /** Returns the text as it may appear in a log. */
    private static String printable(String text) {
        return UserNames.problem(text).isPresent() ? text.replaceAll("[^ -~]", "?") : text;
    }

    /** Defines Hadoop's class anew. Everything else comes from the loader of the original. */
    private static final class CopyLoader extends ClassLoader {
        private static final String COPIED = KerberosName.class.getName();
        private static final ClassLoader ORIGINAL = KerberosName.class.getClassLoader();

        CopyLoader() {
            super(ORIGINAL);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(COPIED) && !name.startsWith(COPIED + "$")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = ORIGINAL.getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
