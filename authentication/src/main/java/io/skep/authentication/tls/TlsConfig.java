package io.skep.authentication.tls;

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
import java.util.stream.Stream;

/**
 * Settings for encrypted connections of clients, or for the web pages. Passwords are not part of it: {@link TlsStores}
 * reads them when it opens the files.
 *
 * @param properties where these settings come from
 * @param enabled whether TLS is used
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
        TlsProperties properties,
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
    static final Property<String> CLIENT_CERTIFICATES = new Property<>(
            "skep.thrift.tls.client-certificates",
            PropertyType.oneOf("none", REQUIRED),
            "none",
            "Whether clients have to present a certificate of an authority in the trust store. Their names are "
                    + "still those that they give.");
    static final Property<Optional<Path>> TRUSTSTORE = new Property<>(
            "skep.thrift.tls.truststore.path",
            PropertyType.optionalFile(),
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
    public static final List<Property<?>> PROPERTIES = Stream.of(
                    TlsProperties.OF_CLIENTS.all(),
                    List.of(
                            EXCLUDED_PROTOCOLS,
                            BINARY_CIPHERS,
                            CLIENT_CERTIFICATES,
                            TRUSTSTORE,
                            TRUSTSTORE_PASSWORD,
                            TRUSTSTORE_TYPE),
                    TlsProperties.OF_PAGES.all(),
                    List.<Property<?>>of(TlsProperties.OF_DAEMON_PAGES.enabled()))
            .flatMap(List::stream)
            .toList();

    public TlsConfig {
        excludedProtocols = List.copyOf(excludedProtocols);
        binaryCiphers = List.copyOf(binaryCiphers);
        excludedHttpCiphers = List.copyOf(excludedHttpCiphers);
    }

    /** Reads the settings for clients. The reader reports invalid ones, and files that are required and not named. */
    public static TlsConfig of(SettingsReader reader) {
        TlsConfig config = of(
                reader,
                TlsProperties.OF_CLIENTS,
                reader.read(CLIENT_CERTIFICATES).equals(REQUIRED));
        if (config.clientCertificates && !config.enabled) {
            reader.refuse(
                    CLIENT_CERTIFICATES.name(),
                    "=" + REQUIRED + " needs " + config.properties.enabled().name() + "=true");
        }
        if (config.clientCertificates && config.truststore.isEmpty()) {
            reader.refuse(TRUSTSTORE.name(), "is not set, and " + CLIENT_CERTIFICATES.name() + " needs it");
        }
        return config;
    }

    /** Like {@link #of}, for the web pages. Their users have no certificates. */
    public static TlsConfig ofPages(SettingsReader reader) {
        return of(reader, TlsProperties.OF_PAGES, false);
    }

    /** Like {@link #ofPages}, for the web pages of a daemon in a process of its own. */
    public static TlsConfig ofDaemonPages(SettingsReader reader) {
        return of(reader, TlsProperties.OF_DAEMON_PAGES, false);
    }

    private static TlsConfig of(SettingsReader reader, TlsProperties properties, boolean clientCertificates) {
        TlsConfig config = new TlsConfig(
                properties,
                reader.read(properties.enabled()),
                reader.read(properties.keystore()),
                reader.read(properties.keystoreType()),
                reader.read(properties.algorithm()),
                words(reader.read(EXCLUDED_PROTOCOLS).toLowerCase(Locale.ROOT), ","),
                words(reader.read(BINARY_CIPHERS), ":"),
                words(reader.read(properties.excludedHttpCiphers()), ","),
                clientCertificates,
                reader.read(TRUSTSTORE),
                reader.read(TRUSTSTORE_TYPE));
        if (config.enabled && config.keystore.isEmpty()) {
            reader.refuse(
                    properties.keystore().name(),
                    "is not set, and " + properties.enabled().name() + "=true needs it");
        }
        config.excludedHttpCiphers.stream()
                .filter(cipher -> !isPattern(cipher))
                .forEach(cipher -> reader.refuse(
                        properties.excludedHttpCiphers().name(), "names '" + cipher + "', which is no pattern"));
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
