package io.skep.llap.client.rpc;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings for the RPC between servers and daemons.
 *
 * @param timeout a peer that is silent for this long is lost
 * @param secretFile file whose content is the secret that both sides know
 * @param tlsCertificate PEM, with its chain: the certificate that this process presents to the other side; used with
 *     tlsKey
 * @param tlsKey PEM, PKCS 8
 * @param tlsTrust PEM: the certificates that daemons are verified with; connections are encrypted when it is set
 * @param peerCertificates whether a daemon requires of each process that connects a certificate that tlsTrust
 *     verifies
 */
public record RpcConfig(
        Duration timeout,
        Optional<Path> secretFile,
        Optional<Path> tlsCertificate,
        Optional<Path> tlsKey,
        Optional<Path> tlsTrust,
        boolean peerCertificates) {
    private static final String REQUIRED = "required";
    private static final Duration LEAST = Duration.ofMillis(100);

    static final Property<Duration> TIMEOUT = new Property<>(
            "skep.llap.rpc.timeout",
            new PropertyType<>("a time of 100ms or more (ms without a unit)", RpcConfig::timeout),
            "10s",
            "Time after which a silent daemon or server counts as lost. Its tasks fail or run again.");
    public static final Property<Optional<Path>> SECRET_FILE = new Property<>(
            "skep.llap.rpc.secret-file",
            PropertyType.optionalFile(),
            "",
            "File with the secret that servers and daemons share; required for a daemon that listens beyond the "
                    + "loopback.");
    static final Property<Optional<Path>> TLS_CERTIFICATE = new Property<>(
            "skep.llap.rpc.tls.certificate",
            PropertyType.optionalFile(),
            "",
            "PEM file with the certificate of this process and its chain: a daemon's, and a server's where daemons "
                    + "require it.");
    static final Property<Optional<Path>> TLS_KEY = new Property<>(
            "skep.llap.rpc.tls.key",
            PropertyType.optionalFile(),
            "",
            "PEM file (PKCS 8) with the key of that certificate.");
    static final Property<Optional<Path>> TLS_TRUST = new Property<>(
            "skep.llap.rpc.tls.trust",
            PropertyType.optionalFile(),
            "",
            "PEM file with the authorities that certify daemons, and servers where daemons require it; connections "
                    + "to daemons are encrypted when it is set.");

    static final Property<String> TLS_PEERS = new Property<>(
            "skep.llap.rpc.tls.peer-certificates",
            PropertyType.oneOf("none", REQUIRED),
            "none",
            "Whether a daemon requires a certificate of one of these authorities of servers and daemons that connect "
                    + "to it (mutual TLS), in addition to the secret.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES =
            List.of(TIMEOUT, SECRET_FILE, TLS_CERTIFICATE, TLS_KEY, TLS_TRUST, TLS_PEERS);

    /** The properties that name files, which a process on another machine needs as well. */
    public static final List<Property<Optional<Path>>> FILES =
            List.of(SECRET_FILE, TLS_CERTIFICATE, TLS_KEY, TLS_TRUST);

    public RpcConfig {
        if (tlsCertificate.isPresent() != tlsKey.isPresent()) {
            throw new IllegalArgumentException(
                    TLS_CERTIFICATE.name() + " and " + TLS_KEY.name() + " are set both or not at all");
        }
        if (peerCertificates && (tlsCertificate.isEmpty() || tlsTrust.isEmpty())) {
            throw new IllegalArgumentException(TLS_PEERS.name() + "=" + REQUIRED + " needs " + TLS_CERTIFICATE.name()
                    + ", " + TLS_KEY.name() + " and " + TLS_TRUST.name());
        }
    }

    private static Duration timeout(String text) {
        Duration value = PropertyType.time(Duration.ofMillis(1)).parse(text);
        if (value.compareTo(LEAST) < 0) {
            throw new IllegalArgumentException();
        }
        return value;
    }

    public static RpcConfig of(SettingsReader settings) {
        return new RpcConfig(
                settings.read(TIMEOUT),
                settings.read(SECRET_FILE),
                settings.read(TLS_CERTIFICATE),
                settings.read(TLS_KEY),
                settings.read(TLS_TRUST),
                settings.read(TLS_PEERS).equals(REQUIRED));
    }
}
