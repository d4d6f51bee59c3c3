package io.skep.ql.testing;

import io.skep.ql.SqlSession;
import io.skep.ql.compiler.RandomSchema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/** Files of all formats for LOAD statements, intact and damaged, by name. */
public record LoadedFiles(Map<String, byte[]> content) {
    /** Writes the files with an engine. */
    public static LoadedFiles make(TestingEngine engine) throws IOException {
        Map<String, byte[]> content = new TreeMap<>();
        try (SqlSession session = engine.session()) {
            for (String format : RandomSchema.FORMATS) {
                engine.run(session, "create table loaded (c0 int, c1 string, c2 double) stored as " + format);
                engine.run(session, "insert into loaded values (1, 'a', 1.5), (null, '', null), (-7, 'x,y', 1e10)");
                byte[] whole = Files.readAllBytes(onlyFile(Path.of(URI.create(engine.location("loaded")))));
                content.put(format, whole);
                content.put(format + "-cut", Arrays.copyOf(whole, whole.length / 2));
                engine.run(session, "drop table loaded");
            }
        }
        content.put("empty", new byte[0]);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write("1\u0001a\n".getBytes(StandardCharsets.UTF_8));
        }
        content.put("text.gz", packed.toByteArray());
        return new LoadedFiles(content);
    }

    private static Path onlyFile(Path table) throws IOException {
        try (Stream<Path> files = Files.list(table)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /**
     * Copies all files to a new folder, because LOAD moves its files. Returns the paths of the copies and of the
     * folder.
     */
    public List<String> copies(Path folder) throws IOException {
        List<String> paths =
                new ArrayList<>(List.of(Files.createDirectories(folder).toString()));
        for (Map.Entry<String, byte[]> file : content.entrySet()) {
            paths.add(
                    Files.write(folder.resolve(file.getKey()), file.getValue()).toString());
        }
        return paths;
    }
}
