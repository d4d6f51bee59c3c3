package io.skep.common.testing;

import io.skep.common.file.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A PKCS12 file with a key and its self-signed certificate for the loopback address, made by the JDK's keytool. It is
 * the key store of the one side and the trust store of the other.
 */
public record SelfSigned(Path file) {
    public static final String PASSWORD = "changeit-S3CRET";

    /** Makes a file whose certificate is valid for the next two days. */
    public static SelfSigned make(Path file) throws IOException, InterruptedException {
        return make(file, "-1d", 3);
    }

    /** Does the same with a key of RSA, for programs that do not read the JDK's form of other keys. */
    public static SelfSigned makeRsa(Path file) throws IOException, InterruptedException {
        return make(file, "-1d", 3, "-keyalg RSA -keysize 2048");
    }

    /**
     * @param from the begin of the certificate's validity, as keytool reads it
     * @param days the length of its validity
     */
    public static SelfSigned make(Path file, String from, int days) throws IOException, InterruptedException {
        return make(file, from, days, "-keyalg EC -groupname secp256r1");
    }

    private static SelfSigned make(Path file, String from, int days, String key)
            throws IOException, InterruptedException {
        String options = "-genkeypair -alias server " + key + " -dname CN=localhost"
                + " -ext SAN=ip:127.0.0.1,dns:localhost -storetype PKCS12 -storepass " + PASSWORD;
        List<String> command = new ArrayList<>(List.of(options.split(" ", -1)));
        command.addFirst(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-startdate", from, "-validity", Integer.toString(days), "-keystore", file.toString()));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed: " + output);
        }
        return new SelfSigned(file);
    }

    /** Writes the key and the certificate as texts, in the format of OpenSSL. Nobody else may read the key. */
    public void writePem(Path key, Path certificate) throws IOException, GeneralSecurityException {
        KeyStore store = load(file);
        String alias = store.aliases().nextElement();
        try (FileChannel out = PrivateFiles.open(key, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            byte[] encoded = store.getKey(alias, PASSWORD.toCharArray()).getEncoded();
            out.write(StandardCharsets.US_ASCII.encode(pem("PRIVATE KEY", encoded)));
        }
        Files.writeString(
                certificate, pem("CERTIFICATE", store.getCertificate(alias).getEncoded()));
    }

    private static String pem(String kind, byte[] content) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
    }

    private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(file)) {
            store.load(content, PASSWORD.toCharArray());
        }
        return store;
    }

    /** Returns a client's context that trusts this certificate, and presents {@code own}, if it is given. */
    public SSLContext trustedBy(SelfSigned... own) throws IOException, GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(load(file));
        SSLContext context = SSLContext.getInstance("TLS");
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        if (own.length > 0) {
            keys.init(load(own[0].file), PASSWORD.toCharArray());
        } else {
            keys.init(null, null);
        }
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
