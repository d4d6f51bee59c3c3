package io.skep.authentication.jwt;

import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Settings for signed tokens.
 *
 * @param keyUrls of sets of public keys (JWKS); present when tokens are accepted
 * @param issuer who has to have issued a token; absent: anyone with one of the keys
 * @param audience for whom a token has to be; absent: for anyone
 */
public record JwtConfig(List<URI> keyUrls, Optional<String> issuer, Optional<String> audience) {
    public static final Property<List<URI>> KEY_URLS = new Property<>(
            "hive.server2.authentication.jwt.jwks.url",
            new PropertyType<>("URLs with https, http or file, separated by commas", JwtConfig::urls),
            "",
            "Sets of the public keys (JWKS) that sign tokens.");
    static final Property<Optional<String>> ISSUER = new Property<>(
            "skep.authentication.jwt.issuer",
            PropertyType.optionalText(),
            "",
            "The issuer (iss) that tokens must have; empty: any whose key is in the sets.");
    static final Property<Optional<String>> AUDIENCE = new Property<>(
            "skep.authentication.jwt.audience",
            PropertyType.optionalText(),
            "",
            "The audience (aud) that tokens must name; empty: tokens for other services are accepted too.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = List.of(KEY_URLS, ISSUER, AUDIENCE);

    public static JwtConfig of(SettingsReader reader) {
        return new JwtConfig(reader.read(KEY_URLS), reader.read(ISSUER), reader.read(AUDIENCE));
    }

    private static List<URI> urls(String text) {
        List<URI> urls = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String url = part.strip();
            if (url.isEmpty()) {
                continue;
            }
            try {
                URI parsed = new URI(url);
                switch (String.valueOf(parsed.getScheme()).toLowerCase(Locale.ROOT)) {
                    case "https", "http" -> {
                        if (parsed.getRawAuthority() == null) {
                            throw new IllegalArgumentException(url);
                        }
                    }
                    case "file" -> {
                        if (parsed.getRawAuthority() != null || parsed.getPath() == null) {
                            throw new IllegalArgumentException(url);
                        }
                    }
                    default -> throw new IllegalArgumentException(url);
                }
                urls.add(parsed);
            } catch (URISyntaxException e) {
                throw new IllegalArgumentException(url, e);
            }
        }
        return List.copyOf(urls);
    }
}
