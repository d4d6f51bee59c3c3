package io.skep.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.skep.authentication.UserFile;
import io.skep.common.cli.CommandRunner;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TestUserCommand {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String input, String... arguments) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            return CommandRunner.run(
                    SkepMain.tree().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)), arguments);
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void usersAreAddedChangedListedAndRemoved(@TempDir Path folder) throws Exception {
        String file = folder.resolve("users").toString();
        assertThat(run("secret\n", "user", "add", "ann", "--file", file)).isZero();
        assertThat(run("secret\n", "user", "add", "bob", "--file", file)).isZero();
        String before = new UserFile(Path.of(file)).read().get("ann");
        assertThat(run("other\n", "user", "passwd", "ann", "--file", file)).isZero();
        assertThat(new UserFile(Path.of(file)).read().get("ann")).isNotEqualTo(before);
        assertThat(run("", "user", "list", "--file", file)).isZero();
        assertThat(out.toString()).isEqualToIgnoringNewLines("ann\nbob\n");
        assertThat(run("", "user", "remove", "bob", "--file", file)).isZero();
        assertThat(new UserFile(Path.of(file)).read()).containsOnlyKeys("ann");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theSiteFilesNameTheFile(@TempDir Path folder) throws Exception {
        Path users = folder.resolve("users");
        Files.writeString(
                folder.resolve("skep-site.xml"),
                "<configuration><property><name>skep.authentication.user-file</name><value>" + users
                        + "</value></property></configuration>");
        assertThat(run("secret\n", "user", "add", "ann", "--conf", folder.toString()))
                .as(err.toString())
                .isZero();
        assertThat(new UserFile(users).read()).containsOnlyKeys("ann");
    }

    @Test
    void wrongRequestsChangeNothing(@TempDir Path folder) throws Exception {
        String file = folder.resolve("users").toString();
        assertThat(run("secret\n", "user", "add", "ann", "--file", file)).isZero();
        String before = Files.readString(Path.of(file));
        assertThat(run("x\n", "user", "add", "ann", "--file", file)).isOne();
        assertThat(err.toString()).contains("there is a user ann already");
        assertThat(run("x\n", "user", "add", "a:b", "--file", file)).isOne();
        assertThat(run("x\n", "user", "add", "#a", "--file", file)).isOne();
        assertThat(run("x\n", "user", "add", "a\nb", "--file", file)).isOne();
        assertThat(run("", "user", "add", "bob", "--file", file)).isOne();
        assertThat(run("x".repeat(73) + "\n", "user", "add", "bob", "--file", file))
                .isOne();
        assertThat(run("x\n", "user", "passwd", "bob", "--file", file)).isOne();
        assertThat(run("", "user", "remove", "bob", "--file", file)).isOne();
        assertThat(run("", "user", "list")).isOne();
        assertThat(err.toString()).contains("--file FILE");
        assertThat(Files.readString(Path.of(file))).isEqualTo(before);
    }
}
