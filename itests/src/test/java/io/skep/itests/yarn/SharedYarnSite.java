package io.skep.itests.yarn;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives test methods the one {@link YarnSite} of the run, ended after the last test; after each test nothing may be left in its daemons. */
final class SharedYarnSite implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(SharedYarnSite.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == YarnSite.class;
    }

    @Override
    public YarnSite resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return site(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        site(context).assertNothingLeft();
    }

    private static YarnSite site(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(YarnSite.class, key -> YarnSite.start(), YarnSite.class);
    }
}
