package dev.sro.core.client.source;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlException;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What the Secret with Grafana's data sources says of the cluster's Prometheus. Stateless. */
final class PrometheusSource {

    private static final String KEY = "prometheus.yaml";

    /** Whom recipes of 2019 logged in as where the Secret names nobody. */
    private static final String USER = "internal";

    private PrometheusSource() {}

    /** Values of the words in dashboards; empty if the Secret is not what it was in OpenShift 4. */
    static Map<String, String> placeholders(Secret secret) {
        String encoded = Objects.requireNonNullElse(secret.getData(), Map.<String, String>of())
                .getOrDefault(KEY, "");
        try {
            String text = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
            List<Map<String, Object>> documents = Yaml.documents(KEY, text);
            Map<String, Object> source = documents.stream()
                    .flatMap(document -> ValueTrees.maps(document, "datasources").stream())
                    .findFirst()
                    .orElse(Map.of());
            String password = ValueTrees.text(source, "basicAuthPassword");
            Map<String, String> values = new LinkedHashMap<>();
            values.put("REPLACE_PROM_URL", ValueTrees.text(source, "url"));
            values.put("REPLACE_PROM_USER", USER);
            values.put(
                    "REPLACE_PROM_PASS",
                    password.isEmpty() ? ValueTrees.text(source, "secureJsonData", "basicAuthPassword") : password);
            return values.containsValue("") ? Map.of() : values;
        } catch (IllegalArgumentException | YamlException e) {
            return Map.of();
        }
    }
}
