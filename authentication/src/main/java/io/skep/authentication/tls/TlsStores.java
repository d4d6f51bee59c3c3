package io.skep.authentication.tls;

import io.skep.common.config.Property;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.UnrecoverableKeyException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The files with the server's key and with the authorities of clients' certificates, opened. Passwords come from the
 * site's settings or from Hadoop's credential providers. Errors name the setting that is wrong and never a password.
 */
public final class TlsStores {
    private final TlsConfig config;
    private final KeyStore keys;
    private final char[] keyPassword;
    private final Optional<KeyStore> authorities;

    private TlsStores(TlsConfig config, KeyStore keys, char[] keyPassword, Optional<KeyStore> authorities) {
        this.config = config;
        this.keys = keys;
        this.keyPassword = keyPassword;
        this.authorities = authorities;
    }

    /**
     * @param config settings that switch TLS on
     * @param site all settings of the site, with its credential providers
     * @throws SkepException INVALID_CONFIGURATION
     */
    public static TlsStores open(TlsConfig config, Configuration site) {
        char[] password =
                Objects.requireNonNullElse(password(site, config.properties().password()), new char[0]);
        KeyStore keys = load(
                config.keystore().orElseThrow(),
                config.keystoreType(),
                password,
                config.properties().keystore(),
                config.properties().password());
        Optional<KeyStore> authorities = Optional.empty();
        if (config.clientCertificates()) {
            authorities = Optional.of(load(
                    config.truststore().orElseThrow(),
                    config.truststoreType(),
                    password(site, TlsConfig.TRUSTSTORE_PASSWORD),
                    TlsConfig.TRUSTSTORE,
                    TlsConfig.TRUSTSTORE_PASSWORD));
        }
        return new TlsStores(config, keys, password, authorities);
    }

    private static char @Nullable [] password(Configuration site, Property<?> setting) {
        try {
            return site.getPassword(setting.name());
        } catch (IOException e) {
            throw wrong(setting, "cannot be read from a credential provider: " + e.getMessage(), e);
        }
    }

    private static KeyStore load(
            Path file, String type, char @Nullable [] password, Property<?> path, Property<?> secret) {
        try (InputStream content = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance(type.isEmpty() ? KeyStore.getDefaultType() : type);
            store.load(content, password);
            return store;
        } catch (NoSuchFileException e) {
            throw wrong(path, "names " + file + ", which is not there", e);
        } catch (IOException e) {
            throw e.getCause() instanceof UnrecoverableKeyException
                    ? wrong(secret, "is not the password of " + file, e)
                    : wrong(path, "names " + file + ", which cannot be read: " + e.getMessage(), e);
        } catch (GeneralSecurityException e) {
            throw wrong(path, "names " + file + ", which cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the certificates of the server's keys, without their chains.
     *
     * @throws SkepException INVALID_CONFIGURATION when the file contains no key
     */
    public List<X509Certificate> certificates() {
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            for (String alias : Collections.list(keys.aliases())) {
                if (keys.isKeyEntry(alias) && keys.getCertificate(alias) instanceof X509Certificate certificate) {
                    certificates.add(certificate);
                }
            }
        } catch (GeneralSecurityException e) {
            throw wrong(config.properties().keystore(), "cannot be read: " + e.getMessage(), e);
        }
        if (certificates.isEmpty()) {
            throw new SkepException(
                    StandardErrorCode.INVALID_CONFIGURATION,
                    config.properties().keystore().name() + " names a file without a private key");
        }
        return certificates;
    }

    public KeyManagerFactory keyManagers() {
        certificates();
        String algorithm = config.algorithm().isEmpty() ? KeyManagerFactory.getDefaultAlgorithm() : config.algorithm();
        try {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(algorithm);
            factory.init(keys, keyPassword);
            return factory;
        } catch (UnrecoverableKeyException e) {
            throw wrong(config.properties().password(), "is not the password of the key", e);
        } catch (GeneralSecurityException e) {
            throw wrong(config.properties().algorithm(), "'" + algorithm + "' cannot be used: " + e.getMessage(), e);
        }
    }

    /** Returns what verifies clients' certificates, if they are required. */
    public Optional<TrustManagerFactory> trustManagers() {
        return authorities.map(store -> {
            try {
                if (store.size() == 0) {
                    throw new KeyStoreException("it contains no certificate that can be read without a password");
                }
                TrustManagerFactory factory =
                        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                factory.init(store);
                return factory;
            } catch (GeneralSecurityException e) {
                throw wrong(TlsConfig.TRUSTSTORE, "cannot be used: " + e.getMessage(), e);
            }
        });
    }

    private static SkepException wrong(Property<?> setting, String problem, Exception cause) {
        return new SkepException(StandardErrorCode.INVALID_CONFIGURATION, setting.name() + " " + problem, cause);
    }
}
