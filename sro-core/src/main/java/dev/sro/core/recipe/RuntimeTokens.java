package dev.sro.core.recipe;

import dev.sro.api.Pool;
import dev.sro.core.recipe.source.StateFileSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The words that recipes of early 2020 have where a later one has a template: {@code SPECIALRESOURCE.OPENSHIFT.IO.KERNELVERSION} and
 * its like, in names, keys and values. At first they counted in objects with the annotation {@code inject-runtime-info} alone, soon
 * in all; nobody means anything else by them. Immutable.
 */
final class RuntimeTokens {

    private static final String PREFIX = "SPECIALRESOURCE.OPENSHIFT.IO.";
    private static final String KERNEL = PREFIX + "KERNELVERSION";

    private final Map<String, String> values;

    private RuntimeTokens(Map<String, String> values) {
        this.values = values;
    }

    /** Whether a recipe has any. */
    static boolean isIn(StateFileSet files) {
        return files.files().values().stream().anyMatch(text -> text.contains(PREFIX));
    }

    /**
     * What they stand for in a pool.
     *
     * @param hardware as the ConfigMap names it, or the special resource
     * @param nodeFeature label of the nodes; empty for none
     * @param clusterVersion of OpenShift; empty elsewhere
     */
    static RuntimeTokens of(Pool pool, String hardware, String nodeFeature, String clusterVersion) {
        return new RuntimeTokens(Map.of(
                PREFIX + "HARDWARE",
                hardware,
                PREFIX + "NODEFEATURE",
                nodeFeature,
                PREFIX + "OPERATINGSYSTEM",
                RuntimeValues.systemMajor(pool),
                PREFIX + "CLUSTERVERSION",
                clusterVersion,
                KERNEL,
                pool.kernel().raw()));
    }

    /** Replaces them in an object, in place. A kernel in its name becomes {@link KernelPlaceholder}, as not all of it can be in one. */
    void replaceIn(GenericKubernetesResource object) {
        ObjectMeta metadata = object.getMetadata();
        metadata.setName(text(metadata.getName().replace(KERNEL, KernelPlaceholder.WORD)));
        if (metadata.getNamespace() != null) {
            metadata.setNamespace(text(metadata.getNamespace()));
        }
        if (metadata.getLabels() != null) {
            metadata.setLabels(texts(metadata.getLabels()));
        }
        if (metadata.getAnnotations() != null) {
            metadata.setAnnotations(texts(metadata.getAnnotations()));
        }
        object.setAdditionalProperties(map(object.getAdditionalProperties()));
    }

    private String text(String text) {
        if (!text.contains(PREFIX)) {
            return text;
        }
        String result = text;
        for (Map.Entry<String, String> token : values.entrySet()) {
            result = result.replace(token.getKey(), token.getValue());
        }
        return result;
    }

    private Map<String, String> texts(Map<String, String> given) {
        Map<String, String> result = new LinkedHashMap<>();
        // Values of a map that somebody wrote may be nothing.
        given.forEach((key, value) -> result.put(text(key), text(Objects.requireNonNullElse(value, ""))));
        return result;
    }

    private Map<String, Object> map(Map<?, ?> given) {
        Map<String, Object> result = new LinkedHashMap<>();
        given.forEach((key, value) -> result.put(text(String.valueOf(key)), value(value)));
        return result;
    }

    private @Nullable Object value(@Nullable Object value) {
        if (value instanceof String string) {
            return text(string);
        }
        if (value instanceof Map<?, ?> map) {
            return map(map);
        }
        return value instanceof List<?> list ? list.stream().map(this::value).toList() : value;
    }
}
