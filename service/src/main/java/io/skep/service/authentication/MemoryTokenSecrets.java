package io.skep.service.authentication;

import org.apache.hadoop.io.Text;

/** Delegation tokens in the memory of this server. */
final class MemoryTokenSecrets extends TokenSecrets {
    MemoryTokenSecrets(DelegationTokenConfig config) {
        super(config);
    }

    @Override
    Count count(String asking) {
        Text user = new Text(asking);
        long ofUser = currentTokens.keySet().stream()
                .filter(token -> token.getRealUser().equals(user))
                .count();
        return new Count(currentTokens.size(), ofUser);
    }

    @Override
    void checkThere(HiveTokenIdentifier identifier) throws InvalidToken {
        var _ = retrievePassword(identifier);
    }
}
