package io.skep.storage.file;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;

/**
 * The file system of paths that do not name one.
 *
 * @param prefix the prefix that such a path gets: {@code file:}, or scheme and authority
 */
public record DefaultFileSystem(String prefix) {
    public static final DefaultFileSystem LOCAL = new DefaultFileSystem("file:");

    public static final Property<DefaultFileSystem> PROPERTY = new Property<>(
            "fs.defaultFS",
            new PropertyType<>("the URI of a file system, such as hdfs://namenode:8020", DefaultFileSystem::parse),
            "file:///",
            "File system of paths without a scheme.");

    static DefaultFileSystem of(Configuration configuration) {
        return PROPERTY.type().parse(configuration.get(PROPERTY.name(), PROPERTY.defaultValue()));
    }

    private static DefaultFileSystem parse(String text) {
        URI uri = URI.create(text);
        if ("file".equals(uri.getScheme())) {
            return LOCAL;
        }
        if (uri.getScheme() == null || uri.getAuthority() == null) {
            throw new IllegalArgumentException();
        }
        return new DefaultFileSystem(uri.getScheme() + "://" + uri.getAuthority());
    }

    public boolean isLocal() {
        return equals(LOCAL);
    }

    /** Returns the path with its file system. A path that already names one is returned unchanged. */
    public String qualified(String path) {
        return path.startsWith("/") ? prefix + path : path;
    }
}
