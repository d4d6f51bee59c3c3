package io.skep.itests.daemons;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives test methods the one {@link RemoteServer} of the run, ended after the last test; after each test nothing may be left in its daemons. */
final class SharedRemoteServer implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(SharedRemoteServer.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RemoteServer.class;
    }

    @Override
    public RemoteServer resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return server(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        assertThat(server(context).leftovers()).isEmpty();
    }

    private static RemoteServer server(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(RemoteServer.class, key -> RemoteServer.start(), RemoteServer.class);
    }
}
