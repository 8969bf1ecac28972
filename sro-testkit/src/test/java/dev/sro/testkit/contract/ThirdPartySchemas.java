package dev.sro.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.vendors.PublishedCrds;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects of others' kinds, as plugins make them, against the CRDs as their projects publish them. */
abstract class ThirdPartySchemas {

    static final String[] GROUPS = {
        "monitoring.coreos.com",
        "grafana.integreatly.org",
        "nfd.k8s-sigs.io",
        "kmm.sigs.x-k8s.io",
        "shipwright.io",
        "security.openshift.io"
    };

    private static final String RULE = """
        apiVersion: monitoring.coreos.com/v1
        kind: PrometheusRule
        metadata: {name: a, namespace: schemas}
        spec:
          groups:
          - name: a
            rules:
            - {alert: Hot, expr: "temperature > 90", for: %s, labels: {severity: warning}, %s: {summary: hot}}
        """;

    private static final String MONITOR = """
        apiVersion: monitoring.coreos.com/v1
        kind: ServiceMonitor
        metadata: {name: a, namespace: schemas}
        spec:
          selector: {matchLabels: {app: a}}
          %s: [{port: metrics, path: /metrics, interval: 30s}]
        """;

    private static final Path BUILDS = Path.of("../sro-core/src/test/resources/dev/sro/core/build");

    static Optional<Path> crds() {
        return PublishedCrds.directory();
    }

    static boolean crdsAreHere() {
        return crds().isPresent();
    }

    abstract ManifestSchemas schemas();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{apiVersion: nfd.k8s-sigs.io/v1alpha1, kind: NodeFeatureRule, metadata: {name: a}, spec: {rules:"
                        + " [{name: r, labels: {x: 'true'}, matchFeatures: [{feature: pci.device, matchExpressions:"
                        + " {vendor: {op: In, value: ['1bcd']}}}]}]}}",
                "{apiVersion: grafana.integreatly.org/v1beta1, kind: GrafanaDashboard, metadata: {name: a, namespace:"
                        + " schemas}, spec: {instanceSelector: {matchLabels: {dashboards: grafana}}, json: '{}'}}",
                "{apiVersion: security.openshift.io/v1, kind: SecurityContextConstraints, metadata: {name: a},"
                        + " allowHostDirVolumePlugin: true, allowHostIPC: false, allowHostNetwork: false, allowHostPID:"
                        + " false, allowHostPorts: false, allowPrivilegedContainer: true, allowedCapabilities: [],"
                        + " defaultAddCapabilities: [], priority: null, readOnlyRootFilesystem: false,"
                        + " requiredDropCapabilities: [], volumes: ['*'], users: [], groups: [], runAsUser: {type:"
                        + " RunAsAny}, seLinuxContext: {type: RunAsAny}, fsGroup: {type: RunAsAny}, supplementalGroups:"
                        + " {type: RunAsAny}}"
            })
    void whatFitsIsAccepted(String yaml) {
        assertThat(schemas().check(object(yaml))).isEmpty();
    }

    @Test
    void rulesAndMonitorsThatFitAreAccepted() {
        assertThat(schemas().check(object(RULE.formatted("5m", "annotations")))).isEmpty();
        assertThat(schemas().check(object(MONITOR.formatted("endpoints")))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"5m, annotation, annotation", "five, annotations, for"})
    void wordsOfRulesThatDoNotFitAreNamed(String hold, String annotations, String wrong) {
        assertThat(schemas().check(object(RULE.formatted(hold, annotations))))
                .singleElement()
                .asString()
                .contains("spec.groups[0].rules[0]." + wrong);
    }

    @Test
    void aMonitorWithoutEndpointsIsNotAccepted() {
        assertThat(schemas().check(object(MONITOR.formatted("endpoint"))))
                .hasSize(2)
                .anySatisfy(error -> assertThat(error).contains("unknown field \"spec.endpoint\""))
                .anySatisfy(error -> assertThat(error).contains("spec.endpoints: Required value"));
    }

    /** What the core makes for builders, which its own tests hold as files. */
    @ParameterizedTest
    @ValueSource(strings = {"shipwright", "sign", "job-buildkit-full", "job-kaniko-full"})
    void objectsOfBuildsAreAccepted(String name) throws IOException {
        List<GenericKubernetesResource> objects = new ArrayList<>();
        for (String yaml : Files.readString(BUILDS.resolve(name + ".yaml")).split("(?m)^---\\R")) {
            GenericKubernetesResource object = object(yaml);
            // OpenShift serves its builds and image streams by an API server of its own.
            if (!object.getApiVersion().contains(".openshift.io/")) {
                if (object.getKind().equals("BuildStrategy")) {
                    // Published is the definition of the same for the whole cluster.
                    object.setKind("ClusterBuildStrategy");
                    object.getMetadata().setNamespace(null);
                }
                object.getMetadata().setOwnerReferences(null);
                objects.add(object);
            }
        }

        assertThat(objects).isNotEmpty();
        assertThat(schemas().checkAll(objects)).isEmpty();
    }

    private static GenericKubernetesResource object(String yaml) {
        return new KubernetesSerialization().unmarshal("---\n" + yaml, GenericKubernetesResource.class);
    }
}
