package io.skep.ql.insert;

import io.skep.common.concurrent.InterruptibleText;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.ql.commit.TableFiles;
import io.skep.ql.parse.SyntaxNode;
import io.skep.ql.statement.StatementContext;
import io.skep.ql.statement.SyntaxText;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The files that the path of a LOAD names: a file, the files of a folder, or the files whose names match a pattern.
 *
 * @param path the absolute path of the file or folder, or of the folder with the pattern
 */
record LoadSource(String path, List<TableFiles.TableFile> files) {
    LoadSource {
        files = List.copyOf(files);
    }

    /**
     * @param local whether a path without a scheme is on the server's machine
     * @throws SkepException MISSING_FILE, or SEMANTIC_ERROR when a folder contains folders
     */
    static LoadSource of(SyntaxNode path, boolean local, StatementContext context) {
        String text = SyntaxText.string(path);
        if (text.isBlank()) {
            throw missing(path, text);
        }
        String absolute = text.matches("(?s)[A-Za-z][A-Za-z0-9+.-]*:.*") || text.startsWith("/")
                ? text
                : System.getProperty("user.dir") + "/" + text;
        TableFiles files = context.services().files();
        String qualified = context.services().paths().check(absolute, local, path.position());
        String name = qualified.substring(qualified.lastIndexOf('/') + 1);
        String folder = qualified.substring(0, qualified.lastIndexOf('/'));
        List<TableFiles.TableFile> found =
                isPattern(name) ? matching(folder, name, path, files) : at(qualified, path, files);
        if (found.isEmpty()) {
            throw missing(path, qualified);
        }
        return new LoadSource(qualified, found);
    }

    private static boolean isPattern(String name) {
        return name.contains("*") || name.contains("?") || name.contains("[");
    }

    private static List<TableFiles.TableFile> at(String path, SyntaxNode where, TableFiles files) {
        if (!files.exists(path)) {
            return List.of();
        }
        List<TableFiles.TableFile> found = files.files(path);
        for (TableFiles.TableFile file : found) {
            String below = file.path().substring(Math.min(file.path().length(), path.length()));
            if (below.lastIndexOf('/') > 0) {
                throw new SkepException(
                                StandardErrorCode.SEMANTIC_ERROR,
                                "Invalid path " + where.text() + ": source contains directory: "
                                        + file.path().substring(0, file.path().lastIndexOf('/')))
                        .at(where.position());
            }
        }
        return found;
    }

    private static List<TableFiles.TableFile> matching(
            String folder, String pattern, SyntaxNode where, TableFiles files) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            switch (c) {
                case '*' -> regex.append(".*");
                case '?' -> regex.append('.');
                case '[', ']', '-' -> regex.append(c);
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        Pattern names = compiled(regex.toString(), where);
        return files.files(folder).stream()
                .filter(file ->
                        file.path().substring(0, file.path().lastIndexOf('/')).equals(folder))
                .filter(file -> names.matcher(new InterruptibleText(
                                file.path().substring(file.path().lastIndexOf('/') + 1)))
                        .matches())
                .toList();
    }

    private static Pattern compiled(String regex, SyntaxNode where) {
        try {
            return Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            throw new SkepException(
                            StandardErrorCode.INVALID_PATH,
                            "Invalid path " + where.text() + ": the pattern of its last name is none",
                            e)
                    .withHint("in patterns * stands for anything, ? for one character, [abc] for one of some")
                    .at(where.position());
        }
    }

    private static SkepException missing(SyntaxNode path, String looked) {
        return new SkepException(
                        StandardErrorCode.MISSING_FILE,
                        "Invalid path '" + path.text() + "': No files matching path " + looked)
                .at(path.position())
                .as(StandardErrorCode.INVALID_PATH.client());
    }
}
