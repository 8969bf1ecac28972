package dev.sro.testkit.server;

import java.util.Set;

/** Refuses requests whose client accepts nothing that a path of the built-in API is written in, and writes answers as it likes. Stateless. */
final class Accepted {
    private static final Set<String> KNOWN =
            Set.of("application/json", "application/yaml", "application/vnd.kubernetes.protobuf", "*/*");
    private static final String FORMS = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
    private static final String STREAMS =
            ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
    private static final int REFUSED = 400;

    private Accepted() {}

    /**
     * Looks at the types alone, whatever their parameters.
     *
     * @param list whether it can be watched, too
     */
    static void check(ApiRequest request, boolean list) {
        check(request, KNOWN, FORMS + (list ? STREAMS : ""));
    }

    /** The same where there is JSON alone. */
    static void checkJson(ApiRequest request) {
        check(request, Set.of("application/json", "*/*"), "application/json");
    }

    private static void check(ApiRequest request, Set<String> known, String forms) {
        String accept = request.accept();
        if (accept == null || accept.isBlank()) {
            return;
        }
        for (String form : accept.split(",", -1)) {
            if (known.contains(form.split(";", 2)[0].strip())) {
                return;
            }
        }
        throw new ApiException(
                406, "NotAcceptable", "406: Not Acceptable\n\nAvailable representations: " + forms, Json.object());
    }

    /** As YAML, if the client likes that best. An error is turned into nothing else: who asked for a table gets it as JSON. */
    static ApiResponse inForm(ApiRequest request, ApiResponse answer) {
        if (!answer.contentType().equals(ApiResponse.JSON) || !ofApi(request.path())) {
            return answer;
        }
        Negotiation.Endpoint endpoint =
                answer.status() < REFUSED ? (form, as) -> as == null || as.isMeta() : Negotiation.PLAIN;
        boolean yaml = Negotiation.choose(request.accept(), endpoint)
                .map(Negotiation::yaml)
                .orElse(false);
        return yaml
                ? new ApiResponse(answer.status(), "application/yaml", answer.headers(), YamlText.write(answer.json()))
                : answer;
    }

    private static boolean ofApi(String path) {
        return path.equals("/api") || path.equals("/apis") || path.startsWith("/api/") || path.startsWith("/apis/");
    }
}
