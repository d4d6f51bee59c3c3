package io.skep.service.cli;

import io.skep.common.cli.HelpOption;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import io.skep.reader.Login;
import io.skep.service.flight.FlightQuery;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Implements {@code bin/skep llap read}. */
@Command(
        name = "read",
        description = "Writes the rows of a query, which it reads over Arrow Flight from a server and its daemons, as a"
                + " program outside of the server does.")
final class ReadCommand implements Callable<Integer> {
    @Mixin
    HelpOption help = new HelpOption();

    @Option(
            names = "--url",
            required = true,
            paramLabel = "URL",
            description = "The server's port of Flight SQL: grpc+tcp://host:port, or grpc+tls://host:port.")
    URI url = URI.create("");

    @Option(names = "--query", required = true, paramLabel = "SQL", description = "The query.")
    String query = "";

    @Option(names = "--format", paramLabel = "FORMAT", description = "csv (the default) or arrow.")
    String format = "csv";

    @Option(names = "--output", paramLabel = "FILE", description = "A file for the rows, not standard output.")
    Optional<Path> output = Optional.empty();

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "Log in. The password is asked for, or read from standard input when that is no terminal.")
    Optional<String> user = Optional.empty();

    @Option(
            names = "--trust",
            paramLabel = "FILE",
            description = "PEM file with the authorities that certify server and daemons.")
    Optional<Path> trust = Optional.empty();

    @Override
    public Integer call() throws IOException {
        FlightQuery.Format form = format();
        Optional<Login> login = user.map(name -> new Login(name, PasswordInput.read("Password: ")));
        FlightQuery asked = new FlightQuery(url, login, trust);
        if (output.isEmpty()) {
            OutputStream out = new BufferedOutputStream(System.out);
            asked.write(query, form, out);
            out.flush();
            return 0;
        }
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(output.get()))) {
            asked.write(query, form, out);
        }
        return 0;
    }

    private FlightQuery.Format format() {
        return switch (format.toLowerCase(Locale.ROOT)) {
            case "csv" -> FlightQuery.Format.CSV;
            case "arrow" -> FlightQuery.Format.ARROW;
            default ->
                throw new SkepException(
                        StandardErrorCode.INVALID_ARGUMENT, "the format is arrow or csv, not '" + format + "'");
        };
    }
}
