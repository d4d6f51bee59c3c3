package io.skep.service.doctor;

import io.skep.service.http.HttpConfig;
import io.skep.service.server.ServerAddress;
import io.skep.service.server.ServerConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks the server that runs on the data folder. When none runs, checks whether its ports are free. */
record ServerCheck(Path data, ServerConfig config) implements Check {
    private static final int CONNECT_MILLIS = 5_000;

    @Override
    public String part() {
        return "server";
    }

    @Override
    public List<Finding> run() throws IOException {
        Optional<ServerAddress> noted = ServerAddress.read(data);
        if (noted.isEmpty()) {
            return notRunning(Finding.note(part(), "none runs on " + data));
        }
        ServerAddress server = noted.get();
        if (ProcessHandle.of(server.pid()).filter(ProcessHandle::isAlive).isEmpty()) {
            return notRunning(Finding.warning(
                    part(),
                    "process " + server.pid() + " ended without stopping",
                    "start it again: the start ends the commits that were under way"));
        }
        return List.of(
                answers("server", server.jdbcUrl().replaceFirst("^jdbc:", ""), server.pid()),
                answers("web pages", server.uiUrl(), server.pid()));
    }

    private Finding answers(String part, String address, long pid) {
        URI uri = URI.create(address);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()), CONNECT_MILLIS);
            return Finding.ok(part, address + " takes connections (process " + pid + ")");
        } catch (IOException e) {
            return Finding.failure(
                    part,
                    address + " takes no connection: " + e.getMessage(),
                    "look into the log of process " + pid + "; stop and start it if it hangs");
        }
    }

    private List<Finding> notRunning(Finding first) throws IOException {
        List<Finding> findings = new ArrayList<>(List.of(first));
        InetAddress host = InetAddress.getByName(config.bindHost());
        if (config.wire().isBinary()) {
            port(host, config.port(), "hive.server2.thrift.port").ifPresent(findings::add);
        }
        if (config.wire().isHttp()) {
            port(host, config.http().port(), HttpConfig.PORT.name()).ifPresent(findings::add);
        }
        port(host, config.uiPort(), "hive.server2.webui.port").ifPresent(findings::add);
        return findings;
    }

    private Optional<Finding> port(InetAddress host, int port, String setting) {
        try (ServerSocket socket = new ServerSocket(port, 1, host)) {
            return socket.isBound() ? Optional.empty() : Optional.of(taken(host, port, setting, "not bound"));
        } catch (IOException e) {
            return Optional.of(taken(host, port, setting, String.valueOf(e.getMessage())));
        }
    }

    private Finding taken(InetAddress host, int port, String setting, String why) {
        return Finding.failure(
                part(),
                "cannot listen on " + host.getHostAddress() + ":" + port + ": " + why,
                "end what has the port, or set " + setting + " to another one");
    }
}
