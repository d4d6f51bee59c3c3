package io.skep.itests;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Passes test methods the one site of its type that the tests of a JVM share. The site starts before the first test
 * that needs it and closes after the last test of the JVM. With several test JVMs JUnit runs each class by itself, and
 * only its session spans them. After each test the site must contain no leftovers.
 */
public abstract class SharedSite<T extends AutoCloseable> implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(SharedSite.class);

    private final Class<T> type;
    private final Supplier<T> start;
    private final Consumer<T> nothingIsLeft;

    /** @param nothingIsLeft fails if a test left anything behind */
    protected SharedSite(Class<T> type, Supplier<T> start, Consumer<T> nothingIsLeft) {
        this.type = type;
        this.start = start;
        this.nothingIsLeft = nothingIsLeft;
    }

    @Override
    public final boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == type;
    }

    @Override
    public final T resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return site(context);
    }

    @Override
    public final void afterEach(ExtensionContext context) {
        nothingIsLeft.accept(site(context));
    }

    private T site(ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE).computeIfAbsent(type, key -> start.get(), type);
    }
}
