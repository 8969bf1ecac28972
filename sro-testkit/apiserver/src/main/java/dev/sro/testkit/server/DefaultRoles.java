package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the ClusterRoles that every cluster has, as a kube-apiserver 1.36 with its controllers shows them. They can be bound and
 * granted; as objects they are not there unless somebody makes them, and then those count. Those of controllers are not among them.
 */
final class DefaultRoles {
    private static final String LABEL = "rbac.authorization.k8s.io/aggregate-to-";
    private static final Set<String> AGGREGATED = Set.of("admin", "edit", "view");
    private static final JsonNode RULES = read();

    private DefaultRoles() {}

    private static JsonNode read() {
        try (InputStream in = DefaultRoles.class.getResourceAsStream("default-roles.json")) {
            if (in == null) {
                throw new IllegalStateException("default-roles.json is missing");
            }
            return Json.MAPPER.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The rules of a role, with those of roles that are labelled to be part of it; null if it is none of every cluster's.
     *
     * @param made the roles that there are as objects
     */
    static @Nullable List<JsonNode> rules(String name, Iterable<Stored> made) {
        JsonNode rules = RULES.get(name);
        if (rules == null) {
            return null;
        }
        List<JsonNode> all = new ArrayList<>(Json.elements(rules));
        if (AGGREGATED.contains(name)) {
            for (Stored role : made) {
                if (Json.text(role.object(), "metadata", "labels", LABEL + name).equals("true")) {
                    all.addAll(Json.elements(role.object().path("rules")));
                }
            }
        }
        return all;
    }
}
