package io.skep.webui;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.util.Map;

/** Serves the page's own files from the class path. */
final class PageServlet extends HttpServlet {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final Map<String, String> TYPES = Map.of(
            "/index.html",
            "text/html",
            "/page.css",
            "text/css",
            "/page.js",
            "text/javascript",
            "/icon.svg",
            "image/svg+xml");

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String asked = request.getPathInfo();
        String path = asked == null || asked.equals("/") ? "/index.html" : asked;
        String type = TYPES.get(path);
        if (type == null) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        response.setContentType(type);
        response.setCharacterEncoding("UTF-8");
        response.setHeader("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-cache");
        try (InputStream file = PageServlet.class.getResourceAsStream(path.substring(1))) {
            if (file == null) {
                throw new IOException("the page's file " + path + " is not on the class path");
            }
            file.transferTo(response.getOutputStream());
        }
    }
}
