package io.skep.itests;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives test methods the one site of its type in the run: started for the first test that wants it, ended after the last one of the run;
 * after each test nothing may be left in it.
 */
public abstract class SharedSite<T extends AutoCloseable> implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(SharedSite.class);

    private final Class<T> type;
    private final Supplier<T> start;
    private final Consumer<T> nothingIsLeft;

    /** @param nothingIsLeft fails when a test has left anything */
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
        return context.getRoot().getStore(NAMESPACE).computeIfAbsent(type, key -> start.get(), type);
    }
}
