package io.skep.storage.file;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import org.apache.hadoop.security.AccessControlException;

/** What an I/O failure means to a user. */
public final class FileErrors {
    private FileErrors() {}

    /** @param doing what failed, as in "cannot read" */
    public static SkepException of(String doing, String path, IOException cause) {
        String message = doing + " " + path + ": " + text(cause);
        if (diskFull(cause)) {
            return new SkepException(StandardErrorCode.DISK_FULL, message, cause)
                    .withHint("free space on the file system and run the statement again");
        }
        return new SkepException(code(cause), message, cause);
    }

    /** Whether a failure, or what it was caused by, is a file system without space. */
    public static boolean diskFull(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            String message = String.valueOf(at.getMessage()).toLowerCase(Locale.ROOT);
            if (message.contains("no space left on device")
                    || message.contains("quota exceeded")
                    || message.contains("not enough space")) {
                return true;
            }
        }
        return false;
    }

    private static StandardErrorCode code(IOException cause) {
        return switch (cause) {
            case FileNotFoundException e
            when String.valueOf(e.getMessage()).contains("Permission denied") -> StandardErrorCode.ACCESS_DENIED;
            case FileNotFoundException e -> StandardErrorCode.MISSING_FILE;
            case NoSuchFileException e -> StandardErrorCode.MISSING_FILE;
            case AccessControlException e -> StandardErrorCode.ACCESS_DENIED;
            case AccessDeniedException e -> StandardErrorCode.ACCESS_DENIED;
            default -> StandardErrorCode.FILE_SYSTEM_ERROR;
        };
    }

    private static String text(IOException cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
