package dev.sro.runtime.operator;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks of the API server, in the words of its authorization. Immutable.
 *
 * @param verb get, list, watch, create, update, patch, delete, deletecollection
 * @param resource {@code plural.group}, with {@code /subresource}; empty for what is no resource, as discovery
 */
record ApiCall(String verb, String resource) {

    /** Reads it off method and address. */
    static ApiCall of(String method, URI uri) {
        List<String> path = new ArrayList<>(List.of(uri.getPath().substring(1).split("/", -1)));
        boolean core = path.size() > 2 && path.get(0).equals("api");
        boolean grouped = path.size() > 3 && path.get(0).equals("apis");
        if (!core && !grouped) {
            return new ApiCall(method.toLowerCase(Locale.ROOT), "");
        }
        String group = grouped ? "." + path.get(1) : "";
        List<String> rest = path.subList(grouped ? 3 : 2, path.size());
        if (rest.size() > 2 && rest.get(0).equals("namespaces") && !isOfNamespace(rest)) {
            rest = rest.subList(2, rest.size());
        }
        boolean named = rest.size() > 1;
        String resource = rest.get(0) + group + (rest.size() > 2 ? "/" + rest.get(2) : "");
        return new ApiCall(verb(method, named, uri.getQuery()), resource);
    }

    /** {@code namespaces/x/status} and {@code namespaces/x/finalize} are of the namespace, all else is in it. */
    private static boolean isOfNamespace(List<String> rest) {
        return rest.size() == 3 && (rest.get(2).equals("status") || rest.get(2).equals("finalize"));
    }

    private static String verb(String method, boolean named, @Nullable String query) {
        return switch (method) {
            case "POST" -> "create";
            case "PUT" -> "update";
            case "DELETE" -> named ? "delete" : "deletecollection";
            case "GET" -> named ? "get" : query != null && query.contains("watch=true") ? "watch" : "list";
            default -> method.toLowerCase(Locale.ROOT);
        };
    }
}
