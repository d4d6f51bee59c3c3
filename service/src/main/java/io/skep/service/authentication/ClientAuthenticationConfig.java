package io.skep.service.authentication;

import io.skep.authentication.AuthenticationConfig;
import io.skep.common.config.Property;
import io.skep.common.config.PropertyType;
import io.skep.common.config.SettingsReader;
import java.util.List;
import java.util.stream.Stream;

/**
 * Settings for the authentication of a server's clients.
 *
 * @param users how users log in
 * @param delegationTokens settings of tokens, which go with {@code KERBEROS}
 * @param proxyUsers whether users may act as other ones
 */
public record ClientAuthenticationConfig(
        AuthenticationConfig users, DelegationTokenConfig delegationTokens, boolean proxyUsers) {
    static final Property<Boolean> PROXY_USERS = new Property<>(
            "hive.server2.allow.user.substitution",
            PropertyType.flag(),
            "true",
            "Whether users may act as other ones (hive.server2.proxy.user, doAs), by hadoop.proxyuser.USER.hosts, "
                    + ".users and .groups.");

    /** All properties, for the reference. */
    public static final List<Property<?>> PROPERTIES = Stream.of(
                    AuthenticationConfig.PROPERTIES, List.of(PROXY_USERS), DelegationTokenConfig.PROPERTIES)
            .<Property<?>>flatMap(List::stream)
            .toList();

    /** @param binary whether clients may use the binary transport */
    public static ClientAuthenticationConfig of(SettingsReader reader, boolean binary) {
        return new ClientAuthenticationConfig(
                AuthenticationConfig.of(reader, binary), DelegationTokenConfig.of(reader), reader.read(PROXY_USERS));
    }
}
