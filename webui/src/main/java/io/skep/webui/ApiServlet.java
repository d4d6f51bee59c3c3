package io.skep.webui;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Serves the views as JSON: overview, sessions, queries, queries/ID, figures, settings. */
final class ApiServlet extends HttpServlet {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final String QUERY = "/queries/";

    private transient volatile @Nullable ServerView view;
    private final transient ObjectMapper json = new ObjectMapper();

    void show(ServerView shown) {
        view = shown;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ServerView shown = view;
        response.setContentType("application/json");
        response.setCharacterEncoding("UTF-8");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        if (shown == null) {
            refuse(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "the server starts");
            return;
        }
        Optional<?> answer = answer(shown, request.getPathInfo());
        if (answer.isPresent()) {
            json.writeValue(response.getOutputStream(), answer.get());
        } else {
            refuse(response, HttpServletResponse.SC_NOT_FOUND, "there is nothing at this address");
        }
    }

    private void refuse(HttpServletResponse response, int status, String why) throws IOException {
        response.setStatus(status);
        json.writeValue(response.getOutputStream(), Map.of("error", why));
    }

    private static Optional<?> answer(ServerView view, @Nullable String path) {
        if (path == null) {
            return Optional.empty();
        }
        if (path.startsWith(QUERY)) {
            return view.query(path.substring(QUERY.length()));
        }
        return switch (path) {
            case "/overview" -> Optional.of(view.overview());
            case "/sessions" -> Optional.of(view.sessions());
            case "/queries" -> Optional.of(view.queries());
            case "/figures" -> Optional.of(view.figures());
            case "/settings" -> Optional.of(view.settings());
            default -> Optional.empty();
        };
    }
}
