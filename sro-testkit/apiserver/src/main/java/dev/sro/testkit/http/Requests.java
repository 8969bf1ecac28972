package dev.sro.testkit.http;

import dev.sro.testkit.server.ApiRequest;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.NameValuePair;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.jspecify.annotations.Nullable;

/** Requests as the API server takes them, of those that came over HTTP. Stateless. */
final class Requests {
    private Requests() {}

    static ApiRequest of(ClassicHttpRequest request) throws IOException {
        String target = request.getRequestUri();
        int mark = target.indexOf('?');
        String agent = header(request, "User-Agent");
        return new ApiRequest(
                request.getMethod(),
                path(mark < 0 ? target : target.substring(0, mark)),
                mark < 0 ? Map.of() : query(target.substring(mark + 1)),
                header(request, "Content-Type"),
                header(request, "Accept"),
                agent == null ? "unknown" : agent,
                identity(request),
                ApiRequest.bearer(header(request, "Authorization")),
                body(request.getEntity()));
    }

    private static ApiRequest.@Nullable Identity identity(ClassicHttpRequest request) {
        String user = header(request, "Impersonate-User");
        if (user == null) {
            return null;
        }
        List<String> groups = Arrays.stream(request.getHeaders("Impersonate-Group"))
                .map(NameValuePair::getValue)
                .toList();
        return new ApiRequest.Identity(user, groups);
    }

    private static byte @Nullable [] body(@Nullable HttpEntity entity) throws IOException {
        if (entity == null) {
            return null;
        }
        byte[] body = EntityUtils.toByteArray(entity);
        return body == null || body.length == 0 ? null : body;
    }

    private static @Nullable String header(ClassicHttpRequest request, String name) {
        Header header = request.getFirstHeader(name);
        return header == null ? null : header.getValue();
    }

    private static Map<String, List<String>> query(String raw) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        for (String part : raw.split("&")) {
            int eq = part.indexOf('=');
            String key = decoded(eq < 0 ? part : part.substring(0, eq));
            if (!key.isEmpty()) {
                query.computeIfAbsent(key, k -> new ArrayList<>()).add(eq < 0 ? "" : decoded(part.substring(eq + 1)));
            }
        }
        return query;
    }

    /** A plus sign is itself in a path, and a blank in a query. */
    private static String path(String raw) {
        return decoded(raw.replace("+", "%2B"));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
