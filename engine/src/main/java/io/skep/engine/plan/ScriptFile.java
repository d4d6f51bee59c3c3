package io.skep.engine.plan;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.net.URI;

/**
 * A file that scripts find in their working folder, under the last part of its path.
 *
 * @param uri where the process that has planned the query finds it
 * @param archive whether the folder has the contents of the archive, in a folder of that name
 */
public record ScriptFile(String uri, boolean archive) {
    /** Returns the name in the working folder. */
    public String name() {
        String path = URI.create(uri).getPath();
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            throw new SkepException(StandardErrorCode.INVALID_PATH, "'" + uri + "' does not end with a file's name");
        }
        return name;
    }
}
