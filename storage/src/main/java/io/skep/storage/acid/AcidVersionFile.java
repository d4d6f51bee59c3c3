package io.skep.storage.acid;

import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.StorageFileSystem;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The file in each folder of bases and deltas that says which version of the layout its files have. */
public final class AcidVersionFile {
    public static final String NAME = "_orc_acid_version";

    /** The version in which an update is a delete event and an inserted row. */
    public static final int VERSION = 2;

    private AcidVersionFile() {}

    public static byte[] content() {
        return Integer.toString(VERSION).getBytes(StandardCharsets.UTF_8);
    }

    /** Creates the file. It must not exist. */
    public static void create(StorageFileSystem files, AcidFolder folder, String location) {
        String path = location + "/" + folder.name() + "/" + NAME;
        try (OutputStream out = files.create(path)) {
            out.write(content());
        } catch (IOException e) {
            throw new SkepException(StandardErrorCode.FILE_SYSTEM_ERROR, "cannot write " + path, e);
        }
    }
}
