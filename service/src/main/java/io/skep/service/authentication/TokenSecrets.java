package io.skep.service.authentication;

import java.io.IOException;
import org.apache.hadoop.security.token.delegation.AbstractDelegationTokenSecretManager;

/** Makes and verifies delegation tokens by Hadoop's own class, which decides who may renew and cancel them. */
abstract class TokenSecrets extends AbstractDelegationTokenSecretManager<HiveTokenIdentifier> {
    TokenSecrets(DelegationTokenConfig config) {
        super(
                config.keyInterval().toMillis(),
                config.maxLifetime().toMillis(),
                config.renewInterval().toMillis(),
                config.gcInterval().toMillis());
    }

    @Override
    public HiveTokenIdentifier createIdentifier() {
        return new HiveTokenIdentifier();
    }

    /** The thread that removes what has ended is there once there is a token. */
    synchronized void begin() throws IOException {
        if (!isRunning()) {
            startThreads();
        }
    }

    /** How many tokens there are. */
    record Count(long all, long ofUser) {}

    /** @param asking the user who has asked for those that are counted apart */
    abstract Count count(String asking);

    /**
     * Checks that a token is still there and has not ended.
     *
     * @throws InvalidToken when it is not
     */
    abstract void checkThere(HiveTokenIdentifier identifier) throws InvalidToken;
}
