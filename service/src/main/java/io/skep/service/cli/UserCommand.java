package io.skep.service.cli;

import io.skep.authentication.AuthenticationConfig;
import io.skep.authentication.PasswordHash;
import io.skep.authentication.UserFile;
import io.skep.authentication.UserNames;
import io.skep.common.cli.HelpOption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.storage.file.SiteFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Implements {@code bin/skep user}: the users of a server with {@code hive.server2.authentication=FILE}. */
@Command(
        name = "user",
        description = "Changes the file of users and hashed passwords by which a server with"
                + " hive.server2.authentication=FILE verifies its clients. The server sees a change at the next login.",
        synopsisSubcommandLabel = "COMMAND")
final class UserCommand {
    @Mixin
    HelpOption help = new HelpOption();

    @Spec
    @Nullable
    CommandSpec spec;

    /** Where the file of users is. */
    static final class Place {
        @Option(names = "--file", paramLabel = "FILE", description = "The file of users.")
        Optional<Path> file = Optional.empty();

        @Option(
                names = "--conf",
                paramLabel = "DIR",
                description = "Folder of the server's site files, whose skep.authentication.user-file names the file.")
        Optional<Path> conf = Optional.empty();

        private UserFile open() {
            Map<String, String> site = conf.map(folder -> SiteFiles.read(folder, SiteFiles.OF_SERVERS))
                    .orElse(Map.of());
            Path path = file.or(() -> Optional.ofNullable(site.get(AuthenticationConfig.USER_FILE.name()))
                            .map(Path::of))
                    .orElseThrow(() -> new SkepException(
                                    StandardErrorCode.INVALID_CONFIGURATION, "it is not said which file of users")
                            .withHint("name it with --file FILE, or the folder of site files with --conf DIR"));
            return new UserFile(path.toAbsolutePath());
        }

        private void change(Consumer<SortedMap<String, String>> change) {
            UserFile users = open();
            try {
                users.change(change);
            } catch (IOException e) {
                throw unusable(e);
            }
        }

        private Set<String> names() {
            UserFile users = open();
            try {
                return users.read().keySet();
            } catch (IOException e) {
                throw unusable(e);
            }
        }

        private static SkepException unusable(IOException e) {
            return new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION, "the file of users cannot be used: " + e, e);
        }
    }

    @Command(
            name = "add",
            description = "Adds a user. The password is asked for, or read from standard input when that is no"
                    + " terminal.")
    void add(@Mixin HelpOption asked, @Mixin Place place, @Parameters(paramLabel = "NAME") String name) {
        Optional<String> problem = name.isEmpty() || name.indexOf(':') >= 0 || name.startsWith("#")
                ? Optional.of("a user name is not empty, has no colon and does not begin with #")
                : UserNames.problem(name);
        if (problem.isPresent()) {
            throw refused(problem.get());
        }
        String hash = PasswordHash.of(password());
        place.change(users -> {
            if (users.putIfAbsent(name, hash) != null) {
                throw refused("there is a user " + name + " already")
                        .withHint("bin/skep user passwd changes a password");
            }
        });
    }

    @Command(
            name = "passwd",
            description = "Changes a password. It is asked for, or read from standard input when that is no terminal.")
    void passwd(@Mixin HelpOption asked, @Mixin Place place, @Parameters(paramLabel = "NAME") String name) {
        String hash = PasswordHash.of(password());
        place.change(users -> {
            requireUser(users, name);
            users.put(name, hash);
        });
    }

    @Command(name = "remove", description = "Removes a user. Open sessions of the user stay open.")
    void remove(@Mixin HelpOption asked, @Mixin Place place, @Parameters(paramLabel = "NAME") String name) {
        place.change(users -> {
            requireUser(users, name);
            users.remove(name);
        });
    }

    @Command(name = "list", description = "Lists the users.")
    void list(@Mixin HelpOption asked, @Mixin Place place) {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        place.names().forEach(out::println);
        out.flush();
    }

    private static void requireUser(SortedMap<String, String> users, String name) {
        if (!users.containsKey(name)) {
            throw refused("there is no user " + name);
        }
    }

    private static String password() {
        String password = PasswordInput.read("Password: ");
        if (PasswordInput.isTerminal() && !password.equals(PasswordInput.read("The password again: "))) {
            throw refused("the passwords differ");
        }
        Optional<String> problem = PasswordHash.problem(password);
        if (problem.isPresent()) {
            throw refused(problem.get());
        }
        return password;
    }

    private static SkepException refused(String why) {
        return new SkepException(StandardErrorCode.INVALID_ARGUMENT, why);
    }
}
