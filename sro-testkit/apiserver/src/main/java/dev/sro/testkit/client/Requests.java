package dev.sro.testkit.client;

import dev.sro.testkit.server.ApiRequest;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Translates fabric8's requests. */
final class Requests {
    private Requests() {}

    static ApiRequest from(StandardHttpRequest request) {
        return new ApiRequest(
                request.method(),
                request.uri().getPath(),
                query(request.uri().getRawQuery()),
                request.getContentType(),
                request.header("Accept"),
                agent(request),
                identity(request),
                ApiRequest.bearer(request.header("Authorization")),
                body(request.body()));
    }

    private static String agent(StandardHttpRequest request) {
        String agent = request.header("User-Agent");
        return agent == null ? "fabric8-kubernetes-client" : agent;
    }

    private static ApiRequest.@Nullable Identity identity(StandardHttpRequest request) {
        String user = request.header("Impersonate-User");
        return user == null ? null : new ApiRequest.Identity(user, request.headers("Impersonate-Group"));
    }

    private static byte @Nullable [] body(StandardHttpRequest.@Nullable BodyContent body) {
        if (body == null) {
            return null;
        }
        if (body instanceof StandardHttpRequest.StringBodyContent text) {
            return text.getContent().getBytes(StandardCharsets.UTF_8);
        }
        if (body instanceof StandardHttpRequest.ByteArrayBodyContent bytes) {
            return bytes.getContent();
        }
        if (body instanceof StandardHttpRequest.InputStreamBodyContent stream) {
            try {
                return stream.getContent().readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new IllegalArgumentException("unknown kind of body: " + body.getClass());
    }

    static Map<String, List<String>> query(@Nullable String raw) {
        if (raw == null || raw.isEmpty()) {
            return Map.of();
        }
        Map<String, List<String>> query = new LinkedHashMap<>();
        for (String part : raw.split("&")) {
            int eq = part.indexOf('=');
            String key = decode(eq < 0 ? part : part.substring(0, eq));
            query.computeIfAbsent(key, k -> new ArrayList<>(1)).add(eq < 0 ? "" : decode(part.substring(eq + 1)));
        }
        return query;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
