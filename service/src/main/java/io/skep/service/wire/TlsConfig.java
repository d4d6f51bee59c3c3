package io.skep.service.wire;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Settings for encrypted connections of clients. Passwords are not part of it: {@link TlsStores} reads them when it
 * opens the files.
 *
 * @param enabled whether clients have to use TLS
 * @param keystore file with the server's key and certificates; present when enabled
 * @param keystoreType empty for the JDK's default type
 * @param algorithm of the key manager; empty for the JDK's default
 * @param excludedProtocols versions of TLS that are switched off, in lower case
 * @param binaryCiphers cipher suites of the binary transport; empty for the JDK's selection
 * @param excludedHttpCiphers names or patterns of cipher suites that the HTTP transport does not use
 * @param clientCertificates whether clients have to present a certificate
 * @param truststore file with the authorities of these certificates; present when they are required
 * @param truststoreType empty for the JDK's default type
 */
public record TlsConfig(
        boolean enabled,
        Optional<Path> keystore,
        String keystoreType,
        String algorithm,
        List<String> excludedProtocols,
        List<String> binaryCiphers,
        List<String> excludedHttpCiphers,
        boolean clientCertificates,
        Optional<Path> truststore,
        String truststoreType) {
    private static final String REQUIRED = "required";

    private static final PropertyType<Optional<Path>> FILE =
            new PropertyType<>("a file", text -> text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text)));

    static final Property<Boolean> ENABLED = new Property<>(
            "hive.server2.use.SSL",
            PropertyType.flag(),
            "false",
            "Whether clients have to use TLS, on both transports.");
    static final Property<Optional<Path>> KEYSTORE = new Property<>(
            "hive.server2.keystore.path", FILE, "", "File with the server's private key and its certificates.");
    static final Property<Optional<String>> KEYSTORE_PASSWORD = new Property<>(
            "hive.server2.keystore.password",
            PropertyType.optionalText(),
            "",
            "Password of that file and of its key; may be in a credential provider of Hadoop instead.");
    static final Property<String> KEYSTORE_TYPE = new Property<>(
            "hive.server2.keystore.type", PropertyType.text(), "", "Type of that file; empty: PKCS12 or JKS.");
    static final Property<String> ALGORITHM = new Property<>(
            "hive.server2.keymanagerfactory.algorithm",
            PropertyType.text(),
            "",
            "Algorithm of the JDK's key manager; empty: its default.");
    static final Property<String> EXCLUDED_PROTOCOLS = new Property<>(
            "hive.ssl.protocol.blacklist",
            PropertyType.text(),
            "SSLv2,SSLv3",
            "Versions of TLS that are switched off, separated by commas, of those that the JDK allows.");
    static final Property<String> BINARY_CIPHERS = new Property<>(
            "hive.server2.binary.include.ciphersuites",
            PropertyType.text(),
            "",
            "Cipher suites of the binary transport, separated by colons; empty: those that the JDK allows.");
    static final Property<String> EXCLUDED_HTTP_CIPHERS = new Property<>(
            "hive.server2.http.exclude.ciphersuites",
            PropertyType.text(),
            "",
            "Cipher suites that the HTTP transport does not use, names or patterns separated by commas.");
    static final Property<String> CLIENT_CERTIFICATES = new Property<>(
            "skep.thrift.tls.client-certificates",
            PropertyType.oneOf("none", REQUIRED),
            "none",
            "Whether clients have to present a certificate of an authority in the trust store. Their names are "
                    + "still those that they give.");
    static final Property<Optional<Path>> TRUSTSTORE = new Property<>(
            "skep.thrift.tls.truststore.path",
            FILE,
            "",
            "File with the certificates of the authorities that issue certificates of clients.");
    static final Property<Optional<String>> TRUSTSTORE_PASSWORD = new Property<>(
            "skep.thrift.tls.truststore.password",
            PropertyType.optionalText(),
            "",
            "Password of that file; may be in a credential provider of Hadoop instead.");
    static final Property<String> TRUSTSTORE_TYPE = new Property<>(
            "skep.thrift.tls.truststore.type", PropertyType.text(), "", "Type of that file; empty: PKCS12 or JKS.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(
            ENABLED,
            KEYSTORE,
            KEYSTORE_PASSWORD,
            KEYSTORE_TYPE,
            ALGORITHM,
            EXCLUDED_PROTOCOLS,
            BINARY_CIPHERS,
            EXCLUDED_HTTP_CIPHERS,
            CLIENT_CERTIFICATES,
            TRUSTSTORE,
            TRUSTSTORE_PASSWORD,
            TRUSTSTORE_TYPE);

    public TlsConfig {
        excludedProtocols = List.copyOf(excludedProtocols);
        binaryCiphers = List.copyOf(binaryCiphers);
        excludedHttpCiphers = List.copyOf(excludedHttpCiphers);
    }

    /** The reader reports invalid settings, and files that are required and not named. */
    public static TlsConfig of(SettingsReader reader) {
        TlsConfig config = new TlsConfig(
                reader.read(ENABLED),
                reader.read(KEYSTORE),
                reader.read(KEYSTORE_TYPE),
                reader.read(ALGORITHM),
                words(reader.read(EXCLUDED_PROTOCOLS).toLowerCase(Locale.ROOT), ","),
                words(reader.read(BINARY_CIPHERS), ":"),
                words(reader.read(EXCLUDED_HTTP_CIPHERS), ","),
                reader.read(CLIENT_CERTIFICATES).equals(REQUIRED),
                reader.read(TRUSTSTORE),
                reader.read(TRUSTSTORE_TYPE));
        if (config.enabled && config.keystore.isEmpty()) {
            reader.refuse(KEYSTORE.name(), "is not set, and " + ENABLED.name() + "=true needs it");
        }
        if (config.clientCertificates && !config.enabled) {
            reader.refuse(CLIENT_CERTIFICATES.name(), "=" + REQUIRED + " needs " + ENABLED.name() + "=true");
        }
        if (config.clientCertificates && config.truststore.isEmpty()) {
            reader.refuse(TRUSTSTORE.name(), "is not set, and " + CLIENT_CERTIFICATES.name() + " needs it");
        }
        config.excludedHttpCiphers.stream()
                .filter(cipher -> !isPattern(cipher))
                .forEach(cipher ->
                        reader.refuse(EXCLUDED_HTTP_CIPHERS.name(), "names '" + cipher + "', which is no pattern"));
        return config;
    }

    private static boolean isPattern(String text) {
        try {
            Pattern.compile(text);
            return true;
        } catch (PatternSyntaxException e) {
            return false;
        }
    }

    private static List<String> words(String text, String separator) {
        return Arrays.stream(text.split(separator, -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
    }
}
