package dev.sro.runtime.webhook;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What answers at which path. A path that ends with a slash stands for all below it. Immutable; as thread-safe as the functions are,
 * which must be pure: the API server may ask twice, and may not store what it asked about.
 */
public final class AdmissionEndpoints {

    private final TreeMap<String, Function<AdmissionRequest, AdmissionResponse>> byPath;
    private final KubernetesSerialization serialization = new KubernetesSerialization();

    /** These, by path. */
    public AdmissionEndpoints(Map<String, Function<AdmissionRequest, AdmissionResponse>> byPath) {
        this.byPath = new TreeMap<>(byPath);
    }

    /**
     * The answer to a review; empty when nothing answers at this path.
     *
     * @param path without the query
     * @param body JSON of an AdmissionReview
     * @return JSON of an AdmissionReview
     * @throws IllegalArgumentException if the body is none
     */
    public Optional<String> answer(String path, String body) {
        Optional<Function<AdmissionRequest, AdmissionResponse>> found = find(path);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        AdmissionRequest request = AdmissionRequest.of(path, parse(body));
        AdmissionResponse response = found.get().apply(request);
        return Optional.of(serialization.asJson(response.review(request.uid(), serialization::asJson)));
    }

    private Optional<Function<AdmissionRequest, AdmissionResponse>> find(String path) {
        Function<AdmissionRequest, AdmissionResponse> exact = byPath.get(path);
        return exact != null
                ? Optional.of(exact)
                : byPath.descendingMap().entrySet().stream()
                        .filter(each -> each.getKey().endsWith("/") && path.startsWith(each.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst();
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> parse(String body) {
        Map<String, Object> review;
        try {
            review = serialization.unmarshal(body, Map.class);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("the body is no JSON object", e);
        }
        if (review == null) {
            throw new IllegalArgumentException("the body is empty");
        }
        return review;
    }
}
