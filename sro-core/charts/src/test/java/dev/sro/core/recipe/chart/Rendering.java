package dev.sro.core.recipe.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Short cuts for tests that render. */
final class Rendering {
    static final Map<String, Object> VALUES = Map.of(
            "specialresource",
            Map.of("metadata", Map.of("name", "my-device"), "spec", Map.of("namespace", "ns")),
            "kernelFullVersion",
            "5.14.0-427.el9.x86_64");

    static final RenderRequest.Cluster CLUSTER = cluster("v1", "apps/v1", "apps/v1/Deployment", "example.com/v1");

    private Rendering() {}

    /** Whether helm-java has a library for this machine. */
    static boolean engineIsHere() {
        return Rendering.class.getResource("/META-INF/services/com.marcnuri.helm.jni.NativeLibrary") != null;
    }

    static RenderRequest.Cluster cluster(String... apiVersions) {
        return new RenderRequest.Cluster("v1.30.1", new TreeSet<>(List.of(apiVersions)));
    }

    static RenderRequest request(Chart chart) {
        return request(chart, VALUES);
    }

    static RenderRequest request(Chart chart, Map<String, Object> values) {
        return new RenderRequest(chart, values, new RenderRequest.Release("rel", "ns"), CLUSTER, false);
    }

    /** The documents in a text, without empty ones. */
    static List<Object> documents(String text) {
        List<Object> documents = new ArrayList<>();
        LoadSettings settings =
                LoadSettings.builder().setAllowDuplicateKeys(true).build();
        for (Object document : new Load(settings).loadAllFromString(text)) {
            if (document != null) {
                documents.add(document);
            }
        }
        return documents;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> data(@Nullable String text) {
        assertThat(text).isNotNull();
        for (Object document : documents(text)) {
            if (((Map<String, Object>) document).get("data") instanceof Map<?, ?> data) {
                return (Map<String, Object>) data;
            }
        }
        throw new AssertionError("no data in " + text);
    }
}
