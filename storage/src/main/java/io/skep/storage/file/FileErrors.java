package io.skep.storage.file;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.common.kerberos.KerberosFailures;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/** Translates I/O failures into errors for users. */
public final class FileErrors {
    private FileErrors() {}

    /** @param doing the operation that failed, as in "cannot read" */
    public static SkepException of(String doing, String path, IOException failure) {
        IOException cause = failure instanceof RemoteException remote ? remote.unwrapRemoteException() : failure;
        SkepException error = new SkepException(code(cause), doing + " " + path + ": " + text(cause), failure);
        String hint = hint(cause);
        return hint.isEmpty() ? error : error.withHint(hint);
    }

    /** Whether a failure or one of its causes is a full file system. */
    public static boolean diskFull(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            String message = String.valueOf(at.getMessage()).toLowerCase(Locale.ROOT);
            if (at instanceof ClusterStorageCapacityExceededException
                    || message.contains("no space left on device")
                    || message.contains("quota exceeded")
                    || message.contains("not enough space")) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a failure comes from the file system or from the connection to it. Such a failure says nothing about the
     * file's content.
     */
    static boolean ofFileSystem(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            switch (at) {
                case FileNotFoundException _,
                        NoSuchFileException _,
                        AccessControlException _,
                        AccessDeniedException _,
                        BlockMissingException _,
                        RemoteException _,
                        SocketException _,
                        SocketTimeoutException _,
                        UnknownHostException _ -> {
                    return true;
                }
                default -> {}
            }
        }
        return false;
    }

    private static StandardErrorCode code(IOException cause) {
        if (diskFull(cause)) {
            return StandardErrorCode.DISK_FULL;
        }
        return switch (cause) {
            case FileNotFoundException e
            when String.valueOf(e.getMessage()).contains("Permission denied") -> StandardErrorCode.ACCESS_DENIED;
            case FileNotFoundException _ -> StandardErrorCode.MISSING_FILE;
            case NoSuchFileException _ -> StandardErrorCode.MISSING_FILE;
            case AccessControlException _ -> StandardErrorCode.ACCESS_DENIED;
            case AccessDeniedException _ -> StandardErrorCode.ACCESS_DENIED;
            default -> StandardErrorCode.FILE_SYSTEM_ERROR;
        };
    }

    /** Returns advice for the user, or empty text when no advice is known. */
    private static String hint(IOException cause) {
        if (KerberosFailures.lacksTicket(cause)) {
            return "the process has no valid ticket of Kerberos: its log says why it gets none from its keytab";
        }
        return switch (cause) {
            case ClusterStorageCapacityExceededException _ ->
                "raise the quota or delete files, and run the statement again";
            case SafeModeException _ ->
                "HDFS takes no changes in safe mode; run the statement again when the NameNode has left it";
            case BlockMissingException _ ->
                "start the DataNodes that hold the block, or write the file again if they are gone for good";
            case SocketException _, SocketTimeoutException _, UnknownHostException _ ->
                "see that the file system runs and can be reached from here, and run the statement again";
            default -> diskFull(cause) ? "free space on the file system and run the statement again" : "";
        };
    }

    private static String text(IOException cause) {
        String message = cause.getMessage();
        return message == null
                ? cause.getClass().getSimpleName()
                // The NameNode sends its stack trace with the message.
                : message.lines().findFirst().orElse("");
    }
}
