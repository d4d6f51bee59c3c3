package io.skep.authentication.tls;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The settings for the server's own key: those of the transports for clients, and those of the web pages.
 *
 * @param enabled whether TLS is used
 * @param keystore file with the private key and its certificates
 * @param password of that file and of its key
 * @param keystoreType of that file
 * @param algorithm of the JDK's key manager
 * @param excludedHttpCiphers cipher suites that HTTP does not use
 */
public record TlsProperties(
        Property<Boolean> enabled,
        Property<Optional<Path>> keystore,
        Property<Optional<String>> password,
        Property<String> keystoreType,
        Property<String> algorithm,
        Property<String> excludedHttpCiphers) {
    public static final TlsProperties OF_CLIENTS = new TlsProperties(
            new Property<>(
                    "hive.server2.use.SSL",
                    PropertyType.flag(),
                    "false",
                    "Whether clients have to use TLS, on both transports."),
            new Property<>(
                    "hive.server2.keystore.path",
                    PropertyType.optionalFile(),
                    "",
                    "File with the server's private key and its certificates."),
            new Property<>(
                    "hive.server2.keystore.password",
                    PropertyType.optionalText(),
                    "",
                    "Password of that file and of its key; may be in a credential provider of Hadoop instead."),
            new Property<>(
                    "hive.server2.keystore.type", PropertyType.text(), "", "Type of that file; empty: PKCS12 or JKS."),
            new Property<>(
                    "hive.server2.keymanagerfactory.algorithm",
                    PropertyType.text(),
                    "",
                    "Algorithm of the JDK's key manager; empty: its default."),
            new Property<>(
                    "hive.server2.http.exclude.ciphersuites",
                    PropertyType.text(),
                    "",
                    "Cipher suites that the HTTP transport does not use, names or patterns separated by commas."));

    static final TlsProperties OF_PAGES = new TlsProperties(
            new Property<>(
                    "hive.server2.webui.use.ssl",
                    PropertyType.flag(),
                    "false",
                    "Whether the web pages are served by HTTPS."),
            new Property<>(
                    "hive.server2.webui.keystore.path",
                    PropertyType.optionalFile(),
                    "",
                    "File with the private key of the web pages and its certificates."),
            new Property<>(
                    "hive.server2.webui.keystore.password",
                    PropertyType.optionalText(),
                    "",
                    "Password of that file and of its key; may be in a credential provider of Hadoop instead."),
            new Property<>(
                    "hive.server2.webui.keystore.type",
                    PropertyType.text(),
                    "",
                    "Type of that file; empty: PKCS12 or JKS."),
            new Property<>(
                    "hive.server2.webui.keymanagerfactory.algorithm",
                    PropertyType.text(),
                    "",
                    "Algorithm of the JDK's key manager; empty: its default."),
            new Property<>(
                    "hive.server2.webui.exclude.ciphersuites",
                    PropertyType.text(),
                    "",
                    "Cipher suites that the web pages do not use, names or patterns separated by commas."));

    /** Like Hive's, daemons have a switch of their own, and the key of the server's pages. */
    static final TlsProperties OF_DAEMON_PAGES = new TlsProperties(
            new Property<>(
                    "hive.llap.daemon.web.ssl",
                    PropertyType.flag(),
                    "false",
                    "Whether the web pages of a daemon in a process of its own are served by HTTPS, with the key of "
                            + "hive.server2.webui.keystore.path."),
            OF_PAGES.keystore(),
            OF_PAGES.password(),
            OF_PAGES.keystoreType(),
            OF_PAGES.algorithm(),
            OF_PAGES.excludedHttpCiphers());

    /** Returns all of them, for the reference. */
    List<Property<?>> all() {
        return List.of(enabled, keystore, password, keystoreType, algorithm, excludedHttpCiphers);
    }
}
