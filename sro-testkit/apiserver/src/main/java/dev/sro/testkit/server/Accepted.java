package dev.sro.testkit.server;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Refuses requests whose client accepts nothing that the API can be written in. Stateless. */
final class Accepted {
    private static final Set<String> KNOWN = Set.of(
            "application/json",
            "application/yaml",
            "application/vnd.kubernetes.protobuf",
            "application/cbor",
            "application/*",
            "*/*");
    private static final String FORMS = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

    private Accepted() {}

    static void check(ApiRequest request, @Nullable RequestPath path) {
        String accept = request.accept();
        if (accept == null || accept.isBlank() || accept.startsWith("application/json") || !ofApi(request.path())) {
            return;
        }
        for (String form : accept.split(",", -1)) {
            if (KNOWN.contains(Bodies.mediaType(form.trim()))) {
                return;
            }
        }
        boolean list = request.method().equals("GET")
                && path != null
                && !path.gvr().plural().isEmpty()
                && path.name().isEmpty();
        String streams = ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
        throw new ApiException(
                406,
                "NotAcceptable",
                "406: Not Acceptable\n\nAvailable representations: " + FORMS + (list ? streams : ""),
                Json.object());
    }

    /** The answer in the form that the client likes best: as YAML, if he names that first. */
    static ApiResponse inForm(ApiRequest request, ApiResponse answer) {
        String accept = request.accept();
        boolean yaml = accept != null
                && Bodies.mediaType(accept.split(",", 2)[0].trim()).equals("application/yaml")
                && answer.contentType().equals(ApiResponse.JSON)
                && ofApi(request.path());
        return yaml
                ? new ApiResponse(answer.status(), "application/yaml", answer.headers(), YamlText.write(answer.json()))
                : answer;
    }

    private static boolean ofApi(String path) {
        return path.equals("/api") || path.equals("/apis") || path.startsWith("/api/") || path.startsWith("/apis/");
    }
}
