package dev.sro.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.vendors.PublishedCrds;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The definitions that the kit has: strict about every field, and about no field that the published ones have. */
class CommonDefinitionsTest {

    private static final String FITS = """
        - apiVersion: monitoring.coreos.com/v1
          kind: ServiceMonitor
          metadata: {name: a, namespace: schemas}
          spec:
            selector: {matchLabels: {app: a}}
            namespaceSelector: {matchNames: [a]}
            endpoints:
            - port: metrics
              path: /metrics
              scheme: https
              interval: 1m30s
              honorLabels: true
              bearerTokenFile: /var/run/token
              tlsConfig: {caFile: /ca.crt, serverName: a.b.svc, ca: {configMap: {name: c, key: k}}}
              relabelings: [{action: replace, sourceLabels: [a], targetLabel: node}]
        - apiVersion: monitoring.coreos.com/v1
          kind: PodMonitor
          metadata: {name: a, namespace: schemas}
          spec:
            selector: {matchExpressions: [{key: app, operator: Exists}]}
            podMetricsEndpoints: [{port: metrics, targetPort: 9400, params: {match: [a, b]}}]
        - apiVersion: monitoring.coreos.com/v1
          kind: PrometheusRule
          metadata: {name: a, namespace: schemas}
          spec:
            groups:
            - name: a
              interval: 30s
              rules:
              - {alert: Hot, expr: "t > 90", for: 5m, labels: {severity: warning}, annotations: {summary: hot}}
              - {record: a:b, expr: 1}
        - apiVersion: nfd.k8s-sigs.io/v1alpha1
          kind: NodeFeatureRule
          metadata: {name: a}
          spec:
            rules:
            - name: r
              labels: {x: "true"}
              taints: [{key: a, value: b, effect: NoSchedule}]
              matchAny:
              - matchFeatures: [{feature: kernel.version, matchName: {op: InRegexp, value: [m]}}]
              matchFeatures:
              - feature: pci.device
                matchExpressions: {vendor: {op: In, value: ["1bcd"]}}
        """;

    private static GenericKubernetesResource object(String yaml) {
        return new KubernetesSerialization().unmarshal("---\n" + yaml, GenericKubernetesResource.class);
    }

    @Test
    void whatFitsIsAccepted() {
        try (ManifestSchemas schemas = ManifestSchemas.ofKit(Optional.empty())) {
            for (String one : FITS.split("(?m)^- ")) {
                if (!one.isBlank()) {
                    assertThat(schemas.check(object(one.replaceAll("(?m)^  ", ""))))
                            .as(one)
                            .isEmpty();
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ServiceMonitor | {selector: {}, endpoints: [{port: a, intervall: 1s}]}  | spec.endpoints[0].intervall",
                "ServiceMonitor | {selector: {}, endpoints: [{port: a, interval: soon}]} | spec.endpoints[0].interval",
                "ServiceMonitor | {selector: {matchLabel: {}}, endpoints: []}            | spec.selector.matchLabel",
                "ServiceMonitor | {selector: {}}                                         | spec.endpoints: Required value",
                "PodMonitor     | {selector: {}, endpoints: []}                          | spec.endpoints",
                "PrometheusRule | {groups: [{name: a, rules: [{expr: a, annotation: {}}]}]} | rules[0].annotation",
                "PrometheusRule | {groups: [{name: a, rules: [{alert: a}]}]}             | rules[0].expr: Required value",
                "NodeFeatureRule | {rulez: []}                                           | spec.rulez",
                "NodeFeatureRule | {rules: [{name: a, matchFeaturez: []}]}               | spec.rules[0].matchFeaturez"
            })
    void aFieldThatThereIsNotIsNamed(String kind, String spec, String wrong) {
        String group = kind.equals("NodeFeatureRule") ? "nfd.k8s-sigs.io/v1alpha1" : "monitoring.coreos.com/v1";
        try (ManifestSchemas schemas = ManifestSchemas.ofKit(Optional.empty())) {
            assertThat(schemas.check(object("{apiVersion: " + group + ", kind: " + kind
                            + ", metadata: {name: a}, spec: " + spec + "}")))
                    .anySatisfy(error -> assertThat(error).contains(wrong));
        }
    }

    static boolean publishedOnesAreHere() {
        return PublishedCrds.directory().isPresent();
    }

    @Test
    @EnabledIf("publishedOnesAreHere")
    void haveTheFieldsOfThePublishedOnesAndNoOthers() {
        Path directory = PublishedCrds.directory().orElseThrow();
        KubernetesSerialization serialization = new KubernetesSerialization();
        for (CustomResourceDefinition own : CommonDefinitions.all()) {
            CustomResourceDefinition published = PublishedDefinitions.files(directory).stream()
                    .filter(file -> file.getFileName()
                            .toString()
                            .equals(own.getSpec().getGroup() + "_"
                                    + own.getSpec().getNames().getPlural() + ".yaml"))
                    .map(file -> PublishedDefinitions.read(file, serialization))
                    .findFirst()
                    .orElseThrow();

            assertThat(fields(own)).as(own.getMetadata().getName()).isEqualTo(fields(published));
            assertThat(own.getSpec().getScope()).isEqualTo(published.getSpec().getScope());
        }
    }

    /** Paths below the specification. */
    private static SortedSet<String> fields(CustomResourceDefinition definition) {
        SortedSet<String> fields = new TreeSet<>();
        JSONSchemaProps specification = definition
                .getSpec()
                .getVersions()
                .get(0)
                .getSchema()
                .getOpenAPIV3Schema()
                .getProperties()
                .get("spec");
        collect(Objects.requireNonNull(specification, "spec"), "spec", fields);
        return fields;
    }

    private static void collect(JSONSchemaProps schema, String path, SortedSet<String> fields) {
        fields.add(path);
        if (schema.getProperties() != null) {
            schema.getProperties().forEach((name, inner) -> collect(inner, path + "." + name, fields));
        }
        if (schema.getItems() != null && schema.getItems().getSchema() != null) {
            collect(schema.getItems().getSchema(), path + "[]", fields);
        }
        if (schema.getAdditionalProperties() != null
                && schema.getAdditionalProperties().getSchema() != null) {
            collect(schema.getAdditionalProperties().getSchema(), path + ".*", fields);
        }
    }
}
