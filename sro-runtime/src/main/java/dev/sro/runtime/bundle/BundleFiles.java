package dev.sro.runtime.bundle;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.runtime.install.OperatorParts;
import dev.sro.runtime.install.Yaml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files of a bundle: {@code manifests}, {@code metadata}, {@code tests/scorecard}, and what makes an image of them. Stateless. */
final class BundleFiles {

    static final String MANIFESTS = "manifests/";
    static final String METADATA = "metadata/";
    static final String SCORECARD = "tests/scorecard/";
    static final String ANNOTATIONS = METADATA + "annotations.yaml";
    static final String SCORECARD_CONFIG = SCORECARD + "config.yaml";
    static final String DOCKERFILE = "bundle.Dockerfile";

    /** How the file with the ClusterServiceVersion ends. */
    static final String SERVICE_VERSION = ".clusterserviceversion.yaml";

    private static final String BUNDLE = "operators.operatorframework.io.bundle.";
    private static final String TEST = "operators.operatorframework.io.test.";

    /** Tests of the suite "olm"; the one of the suite "basic" is before them. */
    private static final List<String> OLM_TESTS = List.of(
            "olm-bundle-validation",
            "olm-crds-have-validation",
            "olm-crds-have-resources",
            "olm-spec-descriptors",
            "olm-status-descriptors");

    private BundleFiles() {}

    /**
     * File names and contents, always in the same order.
     *
     * @param serviceVersion the ClusterServiceVersion
     * @param parts what stands beside the Deployment
     */
    static Map<String, String> create(
            BundleSettings settings, Map<String, Object> serviceVersion, OperatorParts parts) {
        Map<String, String> files = new LinkedHashMap<>();
        files.put(MANIFESTS + OperatorParts.NAME + SERVICE_VERSION, Yaml.write(serviceVersion));
        OperatorParts.definitions().forEach((name, text) -> files.put(MANIFESTS + name + ".crd.yaml", text));
        Map<String, Map<String, Object>> objects = new LinkedHashMap<>(parts.objects());
        if (settings.monitoring()) {
            objects.putAll(parts.monitoring());
            objects.put("prometheus-role", prometheusRole());
            objects.put("prometheus-rolebinding", prometheusBinding());
        }
        objects.forEach(
                (name, object) -> files.put(MANIFESTS + OperatorParts.NAME + "." + name + ".yaml", Yaml.write(object)));
        Map<String, Object> annotations = annotations(settings);
        files.put(ANNOTATIONS, Yaml.write(map("annotations", annotations)));
        files.put(SCORECARD_CONFIG, Yaml.write(scorecard(settings.scorecardImage())));
        files.put(DOCKERFILE, dockerfile(annotations));
        return files;
    }

    private static Map<String, Object> annotations(BundleSettings settings) {
        Map<String, Object> annotations = map(
                BUNDLE + "mediatype.v1",
                "registry+v1",
                BUNDLE + "manifests.v1",
                MANIFESTS,
                BUNDLE + "metadata.v1",
                METADATA,
                BUNDLE + "package.v1",
                OperatorParts.NAME,
                BUNDLE + "channels.v1",
                String.join(",", settings.channels()),
                BUNDLE + "channel.default.v1",
                settings.defaultChannel(),
                TEST + "mediatype.v1",
                "scorecard+v1",
                TEST + "config.v1",
                SCORECARD);
        settings.openShift().ifPresent(range -> annotations.put("com.redhat.openshift.versions", range));
        return annotations;
    }

    private static Map<String, Object> scorecard(String image) {
        List<Object> tests = new ArrayList<>();
        tests.add(test(image, "basic-check-spec", "basic", "basic-check-spec-test"));
        OLM_TESTS.forEach(name -> tests.add(test(image, name, "olm", name + "-test")));
        return map(
                "apiVersion",
                "scorecard.operatorframework.io/v1alpha3",
                "kind",
                "Configuration",
                "metadata",
                map("name", "config"),
                "stages",
                list(map("parallel", true, "tests", tests)));
    }

    private static Map<String, Object> test(String image, String name, String suite, String label) {
        return map(
                "image",
                image,
                "entrypoint",
                list("scorecard-test", name),
                "labels",
                map("suite", suite, "test", label));
    }

    private static String dockerfile(Map<String, Object> annotations) {
        StringBuilder text = new StringBuilder("FROM scratch\n\n");
        annotations.forEach((key, value) ->
                text.append("LABEL ").append(key).append("=").append(value).append('\n'));
        text.append('\n');
        for (String folder : List.of(MANIFESTS, METADATA, SCORECARD)) {
            text.append("COPY ").append(folder).append(" /").append(folder).append('\n');
        }
        return text.toString();
    }

    /** By which the Prometheus of OpenShift may find the operator's pods. */
    private static Map<String, Object> prometheusRole() {
        return map(
                "apiVersion",
                "rbac.authorization.k8s.io/v1",
                "kind",
                "Role",
                "metadata",
                map("name", OperatorParts.NAME + "-prometheus"),
                "rules",
                list(map(
                        "apiGroups", list(""),
                        "resources", list("services", "endpoints", "pods"),
                        "verbs", list("get", "list", "watch"))));
    }

    private static Map<String, Object> prometheusBinding() {
        String name = OperatorParts.NAME + "-prometheus";
        return map(
                "apiVersion",
                "rbac.authorization.k8s.io/v1",
                "kind",
                "RoleBinding",
                "metadata",
                map("name", name),
                "roleRef",
                map("apiGroup", "rbac.authorization.k8s.io", "kind", "Role", "name", name),
                "subjects",
                list(map("kind", "ServiceAccount", "name", "prometheus-k8s", "namespace", "openshift-monitoring")));
    }
}
