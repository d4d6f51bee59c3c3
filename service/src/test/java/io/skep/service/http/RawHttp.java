package io.skep.service.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Requests and answers as bytes on a socket. */
final class RawHttp {
    private RawHttp() {}

    /** Returns the header of a call, with its user; further lines replace those of the same name. */
    static String header(String... lines) {
        StringBuilder header = new StringBuilder("POST /cliservice HTTP/1.1\r\n");
        for (String standard : List.of(
                "Host: localhost",
                "Content-Type: application/x-thrift",
                "Authorization: " + TestingHttpServer.basic("mallory"))) {
            String name = standard.substring(0, standard.indexOf(':') + 1);
            if (Arrays.stream(lines).noneMatch(line -> line.startsWith(name))) {
                header.append(standard).append("\r\n");
            }
        }
        for (String line : lines) {
            header.append(line).append("\r\n");
        }
        return header.append("\r\n").toString();
    }

    static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Returns an answer with its header. Its body must have a length. */
    static String answer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (!text(bytes).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the answer ends after '" + text(bytes) + "'");
            }
            bytes.write(next);
        }
        String header = text(bytes);
        int at = header.indexOf("Content-Length: ");
        int length = at < 0 ? 0 : Integer.parseInt(header.substring(at + 16, header.indexOf("\r\n", at)));
        bytes.write(in.readNBytes(length));
        return text(bytes);
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    /** Sends a request on a connection of its own and returns the answer. */
    static String ask(TestingHttpServer server, String request) throws IOException {
        try (Socket socket = server.socket()) {
            send(socket, request);
            return answer(socket);
        }
    }
}
