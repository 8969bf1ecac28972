package dev.sro.runtime.bundle;

import static dev.sro.core.model.TreeLiterals.list;
import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.core.model.ValueTrees;
import dev.sro.runtime.install.OperatorParts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The ClusterServiceVersion: what the Operator Lifecycle Manager installs. Immutable. */
final class ServiceVersion {

    static final String API = "operators.coreos.com/v1alpha1";

    static final String KIND = "ClusterServiceVersion";

    private static final String FEATURE = "features.operators.openshift.io/";

    private final BundleSettings settings;
    private final BundleDescription about;
    private final OperatorParts parts;
    private final Operator operator;
    private final List<Map<String, Object>> definitions;
    private final List<Map<String, Object>> examples;

    /**
     * The operator's images.
     *
     * @param image its own
     * @param operands all others
     */
    record Operator(String image, PinnedImages operands) {}

    ServiceVersion(
            BundleSettings settings,
            BundleDescription about,
            OperatorParts parts,
            Operator operator,
            List<Map<String, Object>> definitions,
            List<Map<String, Object>> examples) {
        this.settings = settings;
        this.about = about;
        this.parts = parts;
        this.operator = operator;
        this.definitions = definitions;
        this.examples = examples;
    }

    Map<String, Object> tree() {
        return map(
                "apiVersion",
                API,
                "kind",
                KIND,
                "metadata",
                map(
                        "name",
                        OperatorParts.NAME + ".v" + settings.version(),
                        "annotations",
                        annotations(),
                        "labels",
                        labels()),
                "spec",
                spec());
    }

    /** The platforms that the image is built for. */
    private Map<String, Object> labels() {
        Map<String, Object> labels = map();
        settings.architectures().forEach(name -> labels.put("operatorframework.io/arch." + name, "supported"));
        labels.put("operatorframework.io/os.linux", "supported");
        return labels;
    }

    private Map<String, Object> annotations() {
        Map<String, Object> annotations = map(
                "alm-examples",
                Examples.json(examples),
                "capabilities",
                about.text("capabilities"),
                "categories",
                about.text("categories"),
                "containerImage",
                operator.image(),
                "description",
                about.text("summary"),
                "support",
                about.text("support"));
        settings.createdAt().ifPresent(time -> annotations.put("createdAt", time));
        if (!about.text("repository").isEmpty()) {
            annotations.put("repository", about.text("repository"));
        }
        features(annotations);
        if (settings.monitoring()) {
            annotations.put("operatorframework.io/cluster-monitoring", "true");
        }
        annotations.put("operatorframework.io/suggested-namespace", settings.namespace());
        settings.update().skipRange().ifPresent(range -> annotations.put("olm.skipRange", range));
        return annotations;
    }

    /** What OpenShift's catalogue filters by: a claim is made only for what is there. */
    private void features(Map<String, Object> annotations) {
        boolean disconnected =
                operator.operands().areDigests() && operator.image().contains("@sha256:");
        annotations.put(FEATURE + "disconnected", String.valueOf(disconnected));
        for (String name : List.of(
                "fips-compliant",
                "proxy-aware",
                "tls-profiles",
                "token-auth-aws",
                "token-auth-azure",
                "token-auth-gcp",
                "cnf",
                "cni",
                "csi")) {
            annotations.put(FEATURE + name, "false");
        }
    }

    private Map<String, Object> spec() {
        Map<String, Object> spec = map(
                "displayName",
                about.text("displayName"),
                "description",
                about.text("description"),
                "version",
                settings.version(),
                "minKubeVersion",
                settings.minKubeVersion(),
                "maturity",
                about.text("maturity"),
                "keywords",
                about.value("keywords"),
                "maintainers",
                about.value("maintainers"),
                "provider",
                about.value("provider"),
                "links",
                about.value("links"),
                "icon",
                list(map("base64data", about.icon(), "mediatype", about.mediaType())),
                "installModes",
                list(
                        mode("OwnNamespace", false),
                        mode("SingleNamespace", false),
                        mode("MultiNamespace", false),
                        mode("AllNamespaces", true)));
        settings.update().replaces().ifPresent(name -> spec.put("replaces", name));
        if (!settings.update().skips().isEmpty()) {
            spec.put("skips", settings.update().skips());
        }
        spec.put("customresourcedefinitions", map("owned", owned()));
        spec.put("install", map("strategy", "deployment", "spec", install()));
        spec.put("relatedImages", relatedImages());
        return spec;
    }

    private static Map<String, Object> mode(String type, boolean supported) {
        return map("type", type, "supported", supported);
    }

    private List<Object> owned() {
        List<Object> owned = new ArrayList<>();
        definitions.forEach(definition -> owned.addAll(new OwnedApi(definition).entries()));
        return owned;
    }

    private Map<String, Object> install() {
        Map<String, Object> deployment = parts.deployment();
        String account = ValueTrees.text(deployment, "spec", "template", "spec", "serviceAccountName");
        return map(
                "deployments",
                list(map(
                        "name",
                        ValueTrees.text(deployment, "metadata", "name"),
                        "label",
                        ValueTrees.map(deployment, "metadata", "labels"),
                        "spec",
                        withVariables(ValueTrees.map(deployment, "spec")))),
                "permissions",
                list(map("serviceAccountName", account, "rules", parts.namespaceRules())),
                "clusterPermissions",
                list(map("serviceAccountName", account, "rules", parts.clusterRules())));
    }

    /** By which the operator knows the digests of its operands. */
    private Map<String, Object> withVariables(Map<String, Object> deploymentSpec) {
        Map<String, Object> copy = ValueTrees.mutableCopy(deploymentSpec);
        for (Map<String, Object> container : ValueTrees.maps(copy, "template", "spec", "containers")) {
            List<Object> variables = new ArrayList<>(ValueTrees.maps(container, "env"));
            variables.addAll(operator.operands().variables());
            container.put("env", variables);
        }
        return copy;
    }

    private List<Map<String, Object>> relatedImages() {
        List<Map<String, Object>> images = new ArrayList<>();
        images.add(map("name", OperatorParts.NAME, "image", operator.image()));
        images.addAll(operator.operands().related());
        return images;
    }
}
