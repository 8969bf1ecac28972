package dev.sro.testkit.server;

import org.jspecify.annotations.Nullable;

/** The verbs of the API: what authorization, recordings and faults go by. */
final class Verb {
    private Verb() {}

    static String derive(ApiRequest request, @Nullable RequestPath path) {
        boolean collection = path == null || path.name().isEmpty();
        return switch (request.method()) {
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> collection ? "deletecollection" : "delete";
            case "GET", "HEAD" ->
                request.isWatch()
                        ? "watch"
                        : collection && path != null && !path.gvr().plural().isEmpty() ? "list" : "get";
            default -> "";
        };
    }
}
