package dev.sro.testkit.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The form of an answer that a client accepts: of its clauses, the heaviest first, the first one that can be served, as the original
 * chooses. Immutable.
 *
 * @param yaml whether it is written as YAML; else as JSON
 * @param as what the answer is turned into; null for what it is
 */
record Negotiation(boolean yaml, @Nullable Target as) {

    /** What an answer is turned into: a table, or metadata alone. */
    record Target(String kind, String group, String version) {
        boolean isMeta() {
            return group.equals("meta.k8s.io") && (version.equals("v1") || version.equals("v1beta1"));
        }

        String apiVersion() {
            return group + "/" + version;
        }
    }

    /** What a place of the API can serve. */
    @FunctionalInterface
    interface Endpoint {

        /** @param form {@code json}, {@code yaml} or {@code vnd.kubernetes.protobuf} */
        boolean serves(String form, @Nullable Target as);
    }

    /** Places whose answers are not turned into anything, and errors. */
    static final Endpoint PLAIN = (form, as) -> as == null;

    /** The roots of discovery. */
    static final Endpoint ROOT = (form, as) -> as != null
            && as.kind().equals("APIGroupDiscoveryList")
            && as.group().equals("apidiscovery.k8s.io")
            && as.version().equals("v2");

    private static final Negotiation JSON = new Negotiation(false, null);
    private static final String PROTOBUF = "vnd.kubernetes.protobuf";
    private static final List<String> FORMS = List.of("json", "yaml", PROTOBUF);

    private record Clause(String type, String form, double weight, Map<String, String> parameters) {

        /** Not an order, as in the original: a clause without a star goes before one that has one, whatever they weigh. */
        boolean goesBefore(Clause other) {
            return weight > other.weight
                    || (!type.equals("*") && other.type.equals("*"))
                    || (!form.equals("*") && other.form.equals("*"));
        }

        boolean fits(String known) {
            return (type.equals("application") && (form.equals(known) || form.equals("*")))
                    || (type.equals("*") && form.equals("*"));
        }

        @Nullable Target target() {
            String kind = parameters.get("as");
            String group = parameters.get("g");
            String version = parameters.get("v");
            return kind == null && group == null && version == null
                    ? null
                    : new Target(orEmpty(kind), orEmpty(group), orEmpty(version));
        }

        private static String orEmpty(@Nullable String text) {
            return text == null ? "" : text;
        }
    }

    /** Objects and lists of a type. Custom resources have no protobuf. */
    static Endpoint of(ResourceType type) {
        return (form, as) -> {
            if (as == null) {
                return !type.custom() || !form.equals(PROTOBUF);
            }
            return as.isMeta()
                    && switch (as.kind()) {
                        case "Table" -> !form.equals(PROTOBUF);
                        case "PartialObjectMetadata", "PartialObjectMetadataList" -> true;
                        default -> false;
                    };
        };
    }

    /** The choice; empty if nothing of it can be served. Protobuf is promised here and nowhere written. */
    static Optional<Negotiation> choose(@Nullable String accept, Endpoint endpoint) {
        if (accept == null || accept.isEmpty() || accept.equals("application/json") || accept.equals("*/*")) {
            return endpoint.serves("json", null) ? Optional.of(JSON) : Optional.empty();
        }
        for (Clause clause : clauses(accept)) {
            Target target = clause.target();
            for (String form : FORMS) {
                if (clause.fits(form) && endpoint.serves(form, target) && streams(clause)) {
                    return Optional.of(new Negotiation(form.equals("yaml"), target));
                }
            }
        }
        return Optional.empty();
    }

    private static boolean streams(Clause clause) {
        String stream = clause.parameters().getOrDefault("stream", "");
        return stream.isEmpty() || stream.equals("watch");
    }

    /** The choice for a request. */
    static Negotiation of(ApiRequest request, Endpoint endpoint) {
        return choose(request.accept(), endpoint)
                .orElseThrow(() -> new ApiException(
                        406,
                        "NotAcceptable",
                        "only the following media types are accepted: application/json, application/yaml,"
                                + " application/vnd.kubernetes.protobuf"));
    }

    private static List<Clause> clauses(String accept) {
        List<Clause> clauses = new ArrayList<>();
        for (String part : accept.split(",")) {
            Clause clause = clause(part.strip());
            if (clause != null) {
                int at = clauses.size();
                while (at > 0 && clause.goesBefore(clauses.get(at - 1))) {
                    at--;
                }
                clauses.add(at, clause);
            }
        }
        return clauses;
    }

    private static @Nullable Clause clause(String part) {
        String[] words = part.split(";");
        String[] type = (words.length == 0 ? "" : words[0]).split("/", -1);
        boolean star = type.length == 1 && type[0].strip().equals("*");
        if (!star && (type.length != 2 || type[1].isEmpty())) {
            return null;
        }
        double weight = 1;
        Map<String, String> parameters = new HashMap<>();
        for (int i = 1; i < words.length; i++) {
            String[] parameter = words[i].split("=", -1);
            if (parameter.length != 2 || parameter[1].isEmpty()) {
                continue;
            }
            if (parameter[0].strip().equals("q")) {
                weight = weight(parameter[1]);
            } else {
                parameters.put(parameter[0].strip(), parameter[1].strip());
            }
        }
        return new Clause(type[0].strip(), star ? "*" : type[1].strip(), weight, parameters);
    }

    private static double weight(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
