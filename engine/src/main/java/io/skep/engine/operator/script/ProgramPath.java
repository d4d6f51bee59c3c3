package io.skep.engine.operator.script;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the program of a command: in the working folder, then in the folders of the server's PATH. */
record ProgramPath(Path folder, List<String> path) {
    ProgramPath {
        path = List.copyOf(path);
    }

    /** @param variables the environment of this process */
    static ProgramPath of(Path folder, Map<String, String> variables) {
        return new ProgramPath(
                folder, List.of(variables.getOrDefault("PATH", "").split(File.pathSeparator, -1)));
    }

    /** Returns the command with the absolute path of its program. */
    List<String> resolved(List<String> command) {
        String program = command.getFirst();
        String found = find(program)
                .map(Path::toString)
                .orElseThrow(() -> ScriptErrors.start(
                        "There is no program '" + program + "', neither among the files of ADD FILE and ADD ARCHIVE nor"
                                + " in the PATH of the process that runs it",
                        null));
        return Stream.concat(Stream.of(found), command.stream().skip(1)).toList();
    }

    private Optional<Path> find(String program) {
        try {
            Path named = Path.of(program);
            if (named.isAbsolute()) {
                return Optional.of(named).filter(Files::isRegularFile);
            }
            return Stream.concat(
                            Stream.of(folder),
                            path.stream().filter(entry -> !entry.isBlank()).map(Path::of))
                    .map(entry -> entry.resolve(named).toAbsolutePath())
                    .filter(file -> Files.isRegularFile(file) && Files.isReadable(file))
                    .findFirst();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
