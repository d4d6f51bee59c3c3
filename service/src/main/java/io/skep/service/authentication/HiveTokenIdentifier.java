package io.skep.service.authentication;

import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.delegation.AbstractDelegationTokenIdentifier;

/** What a delegation token of HiveServer2 says: owner, renewer, who has asked for it, times, and a number. */
final class HiveTokenIdentifier extends AbstractDelegationTokenIdentifier {
    private static final Text KIND = new Text("HIVE_DELEGATION_TOKEN");

    /** Hadoop's classes fill it. */
    HiveTokenIdentifier() {}

    HiveTokenIdentifier(String owner, String renewer, String asking) {
        super(new Text(owner), new Text(renewer), new Text(asking));
    }

    @Override
    public Text getKind() {
        return KIND;
    }
}
