package io.skep.ql.optimize;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.calcite.rel.metadata.JaninoRelMetadataProvider;
import org.apache.calcite.rel.metadata.MetadataHandler;
import org.apache.calcite.rel.metadata.MetadataHandlerProvider;

/**
 * Caches Calcite's compiled dispatchers, one for each kind of metadata. By default, Calcite gives each query
 * placeholders that throw on first use, and acquires a process-wide lock to replace them. Here a query starts with the
 * dispatchers that are already compiled. Each of the others has one shared placeholder, which holds no state.
 * Thread-safe.
 */
final class CompiledHandlers implements MetadataHandlerProvider {
    private final JaninoRelMetadataProvider compiler;
    private final Map<Class<?>, MetadataHandler<?>> compiled = new ConcurrentHashMap<>();
    private final Map<Class<? extends MetadataHandler<?>>, MetadataHandler<?>> standIns = new ConcurrentHashMap<>();

    CompiledHandlers(JaninoRelMetadataProvider compiler) {
        this.compiler = compiler;
    }

    @Override
    public <H extends MetadataHandler<?>> H handler(Class<H> kind) {
        MetadataHandler<?> known = compiled.get(kind);
        return kind.cast(known == null ? standIns.computeIfAbsent(kind, compiler::handler) : known);
    }

    @Override
    public <H extends MetadataHandler<?>> H revise(Class<H> kind) {
        MetadataHandler<?> known = compiled.get(kind);
        if (known != null) {
            return kind.cast(known);
        }
        H made = compiler.revise(kind);
        compiled.put(kind, made);
        return made;
    }
}
