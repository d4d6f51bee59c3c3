package io.skep.llap.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A self-signed certificate for the loopback address.
 *
 * @param certificate as PEM
 * @param key as PEM
 */
record Certificate(Path certificate, Path key) {
    private static final String PASSWORD = "changeit";
    private static final String ALIAS = "daemon";

    static Certificate make(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve("daemon.p12");
        String options = "-genkeypair -alias " + ALIAS + " -keyalg EC -groupname secp256r1 -dname CN=daemon"
                + " -ext SAN=ip:127.0.0.1 -validity 2 -storetype PKCS12 -storepass " + PASSWORD;
        ProcessBuilder keytool = new ProcessBuilder(options.split(" ", -1)).inheritIO();
        keytool.command()
                .addFirst(Path.of(System.getProperty("java.home"), "bin", "keytool")
                        .toString());
        keytool.command().add("-keystore");
        keytool.command().add(store.toString());
        assertThat(keytool.start().waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return new Certificate(
                pem(
                        folder.resolve("daemon.pem"),
                        "CERTIFICATE",
                        keys.getCertificate(ALIAS).getEncoded()),
                pem(
                        folder.resolve("daemon.key"),
                        "PRIVATE KEY",
                        keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
    }

    private static Path pem(Path file, String kind, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}
