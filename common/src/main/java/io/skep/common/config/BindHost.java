package io.skep.common.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** What a setting says that a process listens on. */
public final class BindHost {
    private BindHost() {}

    /**
     * Whether only this machine reaches a port on the host. So is an unknown name, which is refused later, when the
     * process listens on it.
     */
    public static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return true;
        }
    }
}
