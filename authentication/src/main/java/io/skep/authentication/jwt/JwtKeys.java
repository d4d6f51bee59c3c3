package io.skep.authentication.jwt;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys that sign tokens. They are read at the start, again when they are old, and again when a token fits
 * none of them, but not more often than a client may cause. A set that cannot be read keeps its last keys. Thread-safe.
 */
final class JwtKeys {
    private static final Logger LOG = LoggerFactory.getLogger(JwtKeys.class);

    /** A key that its issuer has withdrawn is accepted no longer than that. */
    static final Duration MAX_AGE = Duration.ofMinutes(10);

    /** Unknown keys cause no more than one attempt in this time. */
    static final Duration MIN_AGE = Duration.ofSeconds(30);

    private static final int MAX_KEYS = 1000;
    private static final int MIN_RSA_BITS = 2048;

    private final List<KeySource> sources;
    private final InstantSource clock;
    private final Duration patience;
    private final ReentrantLock reading = new ReentrantLock();

    /** The keys of each source. Replaced with {@link #reading} held. */
    private volatile Keys current;

    /**
     * The keys at a time.
     *
     * @param attempted when they were read last, or could not be
     */
    private record Keys(List<List<JWK>> ofSources, Instant attempted) {
        Keys {
            ofSources = List.copyOf(ofSources);
        }
    }

    /**
     * Reads the keys. Servers that do not answer are asked again later.
     *
     * @param timeout for reading a set, and for waiting for another thread that reads them
     * @throws SkepException INVALID_CONFIGURATION when a file cannot be read
     */
    JwtKeys(List<URI> urls, Duration timeout, InstantSource clock) {
        this.sources = urls.stream().map(url -> new KeySource(url, timeout)).toList();
        this.clock = clock;
        this.patience = timeout;
        List<List<JWK>> first = new ArrayList<>();
        for (KeySource source : sources) {
            if (source.isPlain()) {
                LOG.warn(
                        "keys for tokens come from {} as they are: who changes them can log in as anyone",
                        source.url());
            }
            try {
                first.add(read(source));
            } catch (IOException e) {
                if (source.isFile()) {
                    throw new SkepException(
                            StandardErrorCode.INVALID_CONFIGURATION,
                            JwtConfig.KEY_URLS.name() + " names " + source.url() + ", which cannot be used: "
                                    + e.getMessage(),
                            e);
                }
                LOG.warn("no keys for tokens from {}: {}", source.url(), e.toString());
                first.add(List.of());
            }
        }
        this.current = new Keys(first, clock.instant());
    }

    /** Returns the keys that may have signed a token, by the names, types and algorithms that it and they state. */
    List<JWK> matching(JWSHeader header) {
        if (isOlderThan(MAX_AGE) && reading.tryLock()) {
            try {
                refreshIfOlderThan(MAX_AGE);
            } finally {
                reading.unlock();
            }
        }
        JWKMatcher matcher = JWKMatcher.forJWSHeader(header);
        if (matcher == null) {
            return List.of();
        }
        List<JWK> all = current.ofSources.stream().flatMap(List::stream).toList();
        return new JWKSelector(matcher).select(new JWKSet(all));
    }

    /** Reads the keys again because a token fits none, unless they are new. Returns whether they may have changed. */
    boolean refresh() {
        Instant before = current.attempted;
        if (!isOlderThan(MIN_AGE)) {
            return false;
        }
        try {
            if (!reading.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        try {
            refreshIfOlderThan(MIN_AGE);
        } finally {
            reading.unlock();
        }
        return !current.attempted.equals(before);
    }

    private boolean isOlderThan(Duration age) {
        return !clock.instant().isBefore(current.attempted.plus(age));
    }

    private void refreshIfOlderThan(Duration age) {
        if (!isOlderThan(age)) {
            return;
        }
        List<List<JWK>> read = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            KeySource source = sources.get(i);
            try {
                read.add(read(source));
            } catch (IOException e) {
                LOG.warn("the keys for tokens from {} stay as they are: {}", source.url(), e.toString());
                read.add(current.ofSources.get(i));
            }
        }
        current = new Keys(read, clock.instant());
    }

    /** Secret keys and short ones are left out. */
    static List<JWK> read(KeySource source) throws IOException {
        List<JWK> keys;
        try {
            keys = JWKSet.parse(source.read()).getKeys();
        } catch (ParseException e) {
            throw new IOException("it is not a set of keys", e);
        }
        if (keys.size() > MAX_KEYS) {
            throw new IOException("it has more than " + MAX_KEYS + " keys");
        }
        List<JWK> usable = keys.stream()
                .filter(key -> key instanceof AsymmetricJWK)
                .filter(key -> !(key instanceof RSAKey) || key.size() >= MIN_RSA_BITS)
                .map(JWK::toPublicJWK)
                .toList();
        if (usable.isEmpty()) {
            throw new IOException(
                    "it has no public key of RSA with " + MIN_RSA_BITS + " bits, or of an elliptic curve");
        }
        LOG.info("{} keys for tokens from {}", usable.size(), source.url());
        return usable;
    }
}
