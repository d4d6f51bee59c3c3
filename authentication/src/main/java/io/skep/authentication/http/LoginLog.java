package io.skep.authentication.http;

import java.util.Optional;

/** Takes the logins to web pages, for an audit log. Implementations are thread-safe. */
public interface LoginLog {
    /** Takes none. */
    LoginLog NONE = new LoginLog() {
        @Override
        public void loggedIn(String address, String user) {}

        @Override
        public void refused(String address, Optional<String> user, String why) {}
    };

    /**
     * Records a user who may see the pages, before any is sent.
     *
     * @throws io.skep.common.error.SkepException AUDIT_LOG_FAILED when the pages must not be sent therefore
     */
    void loggedIn(String address, String user);

    /**
     * Records a login that is refused.
     *
     * @param user the name that it has, if it has one
     * @param why without passwords and tokens
     */
    void refused(String address, Optional<String> user, String why);
}
