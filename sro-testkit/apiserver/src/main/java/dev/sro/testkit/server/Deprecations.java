package dev.sro.testkit.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Types that the server warns of whenever they are asked for, whatever becomes of the request. Stateless. */
final class Deprecations {
    private static final Map<Gvr, String> WARNINGS = Map.of(
            new Gvr("", "v1", "endpoints"),
            "299 - \"v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\"",
            new Gvr("", "v1", "componentstatuses"),
            "299 - \"v1 ComponentStatus is deprecated in v1.19+\"");

    private Deprecations() {}

    /** The answer with what is to be said of its type. */
    static ApiResponse warned(Gvr type, ApiResponse answer, CustomTypes customTypes) {
        String warning =
                customTypes.deprecation(type).map(ResourceVerbs::header).orElse(WARNINGS.get(type));
        if (warning == null) {
            return answer;
        }
        List<String> all = new ArrayList<>();
        all.add(warning);
        all.addAll(answer.headers().getOrDefault("Warning", List.of()));
        return answer.with("Warning", all);
    }
}
