package io.skep.itests.hdfs;

import java.util.Map;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives test methods the one {@link HdfsServer} of the run, ended after the last test; after each test nothing may be left in it. */
public final class SharedHdfsServer implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(SharedHdfsServer.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == HdfsServer.class;
    }

    @Override
    public HdfsServer resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return server(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        server(context).server().assertNothingLeft();
    }

    private static HdfsServer server(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(HdfsServer.class, key -> HdfsServer.start(Map.of()), HdfsServer.class);
    }
}
