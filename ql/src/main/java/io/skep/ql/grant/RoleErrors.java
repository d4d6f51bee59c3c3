package io.skep.ql.grant;

import io.skep.common.error.ClientError;
import io.skep.common.error.SkepException;
import io.skep.common.error.StandardErrorCode;

/** Errors of statements about roles and privileges, in Hive's words. Hive finds all of them when a statement runs. */
final class RoleErrors {
    private static final String ADMIN_ONLY =
            ". User has to belong to ADMIN role and have it as current role, for this action.";

    private static final String OR_ADMIN_OPTION = " Otherwise, grantor need to have ADMIN OPTION on role being granted"
            + " and have it as a current role for this action.";

    private RoleErrors() {}

    /** Returns an error for something that only the role admin may do. */
    static SkepException adminOnly(String words) {
        return denied(words + ADMIN_ONLY);
    }

    /** Returns an error for something that the role admin, or a member with the admin option, may do. */
    static SkepException adminOrOption(String words) {
        return denied(words + ADMIN_ONLY + OR_ADMIN_OPTION);
    }

    static SkepException denied(String words) {
        return new SkepException(StandardErrorCode.ACCESS_DENIED, words)
                .as(new ClientError(ClientError.GENERIC, "08S01", ClientError.Form.TASK));
    }

    static SkepException invalid(String words) {
        return new SkepException(StandardErrorCode.INVALID_GRANT, words);
    }
}
