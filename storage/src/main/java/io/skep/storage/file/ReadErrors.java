package io.skep.storage.file;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;

/** Translates a failure of a format library into an error: a missing file, or a file with damaged content. */
public final class ReadErrors {
    private ReadErrors() {}

    /** @param place the place in the file, as in "stripe at 3" */
    public static SkepException of(String path, String place, Exception cause) {
        return switch (cause) {
            case SkepException e -> e;
            case IOException e when FileErrors.ofFileSystem(e) -> FileErrors.of("cannot read", path, e);
            default -> corrupt(path, place, cause);
        };
    }

    private static SkepException corrupt(String path, String place, Exception cause) {
        String reason = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        return new SkepException(
                        StandardErrorCode.CORRUPT_FILE, "cannot decode " + path + ", " + place + ": " + reason, cause)
                .withHint("write the file again, or drop it from the table's folder");
    }
}
