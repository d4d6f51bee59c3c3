package io.skep.ql.insert;

import io.skep.ql.commit.TableFiles;
import io.skep.ql.statement.StatementContext;
import java.util.ArrayList;
import java.util.List;

/**
 * A file that a statement moves into a table as it is.
 *
 * @param given the path where the statement found it
 * @param path the path to move it from: the file itself or a copy
 */
public record LoadedFile(String given, String path) {
    /**
     * Returns files that can be moved into a folder by renaming, copying them where necessary. Copies belong to the
     * user.
     *
     * @param copies whether all files are copied
     * @param staging an empty folder for copies, which is made when it is needed
     */
    public static List<LoadedFile> near(
            List<TableFiles.TableFile> sources,
            boolean copies,
            String folder,
            String staging,
            StatementContext context) {
        TableFiles files = context.services().files();
        List<LoadedFile> here = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            String from = sources.get(i).path();
            if (copies || !files.movable(from, folder)) {
                String copy = staging + "/" + i;
                files.makeDirectory(staging);
                files.copy(from, copy);
                context.access().ofSession().files().give(copy);
                here.add(new LoadedFile(from, copy));
            } else {
                here.add(new LoadedFile(from, from));
            }
        }
        return here;
    }
}
