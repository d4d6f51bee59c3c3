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

/** The views as JSON: overview, sessions, queries, queries/ID, figures, settings. */
final class ApiServlet extends HttpServlet {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final String QUERY = "/queries/";

    private final transient ServerView view;
    private final transient ObjectMapper json = new ObjectMapper();

    ApiServlet(ServerView view) {
        this.view = view;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Optional<?> answer = answer(request.getPathInfo());
        response.setContentType("application/json");
        response.setCharacterEncoding("UTF-8");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        if (answer.isEmpty()) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
        }
        Object body = answer.isPresent() ? answer.get() : Map.of("error", "there is nothing at this address");
        json.writeValue(response.getOutputStream(), body);
    }

    private Optional<?> answer(@Nullable String path) {
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
