package dev.sro.testkit.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path of the API taken apart.
 *
 * @param gvr the type; its plural is empty for the discovery document of a group version
 * @param namespace null if the path names none
 * @param name empty for a whole collection
 * @param subresource empty if there is none
 */
record RequestPath(Gvr gvr, @Nullable String namespace, String name, String subresource) {
    /** Takes a path apart; null if it is no path of a resource. */
    static @Nullable RequestPath parse(String path) {
        List<String> parts = List.of(path.substring(1).split("/", -1));
        int at;
        String group;
        if (parts.get(0).equals("api") && parts.size() >= 2) {
            group = "";
            at = 1;
        } else if (parts.get(0).equals("apis") && parts.size() >= 3) {
            group = parts.get(1);
            at = 2;
        } else {
            return null;
        }
        String version = parts.get(at++);
        List<String> rest = parts.subList(at, parts.size());
        if (rest.size() > 1 && rest.get(0).equals("watch")) {
            rest = rest.subList(1, rest.size());
        }
        if (!rest.isEmpty() && rest.get(rest.size() - 1).isEmpty()) {
            rest = rest.subList(0, rest.size() - 1);
        }
        return resource(group, version, rest);
    }

    private static @Nullable RequestPath resource(String group, String version, List<String> rest) {
        if (rest.isEmpty()) {
            return new RequestPath(new Gvr(group, version, ""), null, "", "");
        }
        String namespace = null;
        boolean ofNamespace = rest.size() > 2
                && rest.get(0).equals("namespaces")
                && !(group.isEmpty()
                        && rest.size() == 3
                        && List.of("status", "finalize").contains(rest.get(2)));
        List<String> parts = rest;
        if (ofNamespace) {
            namespace = rest.get(1).isEmpty() ? null : rest.get(1);
            parts = rest.subList(2, rest.size());
        }
        if (parts.size() > 3) {
            return null;
        }
        return new RequestPath(
                new Gvr(group, version, parts.get(0)),
                namespace,
                parts.size() > 1 ? parts.get(1) : "",
                parts.size() > 2 ? parts.get(2) : "");
    }
}
