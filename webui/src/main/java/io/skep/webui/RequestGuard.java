package io.skep.webui;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Accepts only requests that read and whose Host header names this machine. An attacker may point the name of another
 * site at this address (DNS rebinding). Requests of that site's pages carry its name in the Host header, and are
 * refused.
 */
final class RequestGuard extends Handler.Wrapper {
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[?[0-9a-f:.]*:[0-9a-f:.]*(%[0-9a-z]+)?]?");
    private static final String LOCAL = "localhost";

    private final Set<String> names = new HashSet<>();

    /** @param hosts names of this machine in addition to those that it knows itself */
    RequestGuard(Handler handler, InetAddress listening, List<String> hosts) {
        super(handler);
        names.add(LOCAL);
        hosts.forEach(this::add);
        if (!listening.isLoopbackAddress()) {
            addOwn();
        }
    }

    private void add(String name) {
        names.add(name.strip().toLowerCase(Locale.ROOT));
    }

    private void addOwn() {
        try {
            InetAddress own = InetAddress.getLocalHost();
            add(own.getHostName());
            add(own.getCanonicalHostName());
        } catch (UnknownHostException e) {
            // A machine without a name is reached by its address.
            names.remove("");
        }
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        boolean reads = HttpMethod.GET.is(request.getMethod()) || HttpMethod.HEAD.is(request.getMethod());
        if (!reads) {
            response.getHeaders().put("Allow", "GET, HEAD");
            Response.writeError(request, response, callback, HttpStatus.METHOD_NOT_ALLOWED_405);
            return true;
        }
        if (!isOwn(Request.getServerName(request))) {
            Response.writeError(
                    request,
                    response,
                    callback,
                    HttpStatus.MISDIRECTED_REQUEST_421,
                    "this server is not known under that name; see skep.webui.hosts");
            return true;
        }
        return super.handle(request, response, callback);
    }

    private boolean isOwn(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return ADDRESS.matcher(name).matches() || names.contains(name);
    }
}
