package io.skep.tez;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Passes the one {@link TezSite} of the run to test methods and closes it after the last test. After each test it
 * checks that nothing is left in the site's daemons.
 */
final class SharedTezSite implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(SharedTezSite.class);
    private static final int PLANNED = 8;

    /** A site and its folder. */
    private record Started(TezSite site, Path folder) implements AutoCloseable {
        static Started start() {
            try {
                Path folder = Files.createTempDirectory("skep-tez");
                return new Started(new TezSite(folder, PLANNED), folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            site.close();
            FileUtil.fullyDelete(folder.toFile());
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TezSite.class;
    }

    @Override
    public TezSite resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return site(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        assertThat(site(context).leftovers()).isEmpty();
    }

    private static TezSite site(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(Started.class, key -> Started.start(), Started.class)
                .site();
    }
}
