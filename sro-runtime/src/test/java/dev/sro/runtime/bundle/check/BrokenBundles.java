package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.GoodBundle.CSV;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.yaml.Yaml;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What makes a good bundle a bad one, in one place each. Immutable. */
final class BrokenBundles {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ANNOTATIONS = "metadata/annotations.yaml";
    private static final String CRD = "manifests/preflightvalidations.sro.openshift.io.crd.yaml";
    private static final String BUDGET = "manifests/special-resource-operator.poddisruptionbudget.yaml";
    private static final String BUNDLE = "operators.operatorframework.io.bundle.";
    private static final String ROLE = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\n";

    private final Map<BundleRule, Consumer<Map<String, String>>> breaks = new TreeMap<>();

    BrokenBundles() {
        format();
        annotations();
        versions();
        install();
        apis();
        examples();
        images();
        catalogue();
        objects();
    }

    /** By the rule that is broken. */
    Map<BundleRule, Consumer<Map<String, String>>> all() {
        return breaks;
    }

    /** Changes a file, which is written as JSON: that is YAML, too. */
    static void edit(Map<String, String> files, String file, Consumer<ObjectNode> change) {
        ObjectNode tree = JSON.valueToTree(
                Yaml.documents(file, Objects.requireNonNull(files.get(file))).get(0));
        change.accept(tree);
        files.put(file, tree.toString());
    }

    private void file(BundleRule rule, String file, Consumer<ObjectNode> change) {
        breaks.put(rule, files -> edit(files, file, change));
    }

    private void csv(BundleRule rule, Consumer<ObjectNode> change) {
        file(rule, CSV, change);
    }

    private void spec(BundleRule rule, Consumer<ObjectNode> change) {
        csv(rule, csv -> change.accept((ObjectNode) csv.path("spec")));
    }

    private void annotation(BundleRule rule, String key, String value) {
        csv(rule, csv -> ((ObjectNode) csv.path("metadata").path("annotations")).put(key, value));
    }

    private void metadata(BundleRule rule, Consumer<ObjectNode> change) {
        breaks.put(rule, files -> {
            files.remove("bundle.Dockerfile");
            edit(files, ANNOTATIONS, tree -> change.accept((ObjectNode) tree.path("annotations")));
        });
    }

    private void add(BundleRule rule, String yaml) {
        breaks.put(rule, files -> files.put("manifests/added.yaml", yaml));
    }

    private static ObjectNode object(String json) {
        try {
            return (ObjectNode) JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(json, e);
        }
    }

    private static ObjectNode owned(ObjectNode csv) {
        return (ObjectNode)
                csv.path("spec").path("customresourcedefinitions").path("owned").path(0);
    }

    private static ObjectNode deployment(ObjectNode csv) {
        return (ObjectNode) csv.path("spec")
                .path("install")
                .path("spec")
                .path("deployments")
                .path(0);
    }

    private static ObjectNode container(ObjectNode csv) {
        return (ObjectNode) deployment(csv)
                .path("spec")
                .path("template")
                .path("spec")
                .path("containers")
                .path(0);
    }

    private void format() {
        breaks.put(BundleRule.NO_MANIFESTS, files -> files.keySet().removeIf(file -> file.startsWith("manifests/")));
        breaks.put(BundleRule.NO_METADATA, files -> files.remove(ANNOTATIONS));
        add(BundleRule.NOT_YAML, "a: [");
        add(BundleRule.NOT_ONE_OBJECT, """
            {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}
            ---
            {apiVersion: v1, kind: ConfigMap, metadata: {name: b}}
            """);
        breaks.put(BundleRule.NOT_ONE_CSV, files -> files.remove(CSV));
        add(
                BundleRule.KIND_NOT_ALLOWED,
                "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: n}\n");
        breaks.put(
                BundleRule.DUPLICATE_OBJECT,
                files -> files.put("manifests/twice.yaml", Objects.requireNonNull(files.get(BUDGET))));
        breaks.put(BundleRule.TOO_LARGE, files -> files.put("manifests/large.yaml", large(800_000)));
        breaks.put(BundleRule.NEARLY_TOO_LARGE, files -> files.put("manifests/large.yaml", large(690_000)));
        breaks.put(
                BundleRule.DOCKERFILE_DIFFERS,
                files -> files.computeIfPresent("bundle.Dockerfile", (file, text) -> text.replace("=stable", "=fast")));
    }

    /** Nothing can compress it to less than three quarters. */
    private static String large(int bytes) {
        Random random = new Random(1);
        StringBuilder text = new StringBuilder("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: l}\ndata: {a: ");
        String letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
        int characters = bytes / 3 * 4;
        for (int i = 0; i < characters; i++) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.append("}\n").toString();
    }

    private void annotations() {
        metadata(BundleRule.ANNOTATION_MISSING, tree -> tree.remove(BUNDLE + "package.v1"));
        metadata(BundleRule.ANNOTATION_VALUE, tree -> tree.put(BUNDLE + "mediatype.v1", "plain+v0"));
        metadata(BundleRule.DEFAULT_CHANNEL_MISSING, tree -> tree.remove(BUNDLE + "channel.default.v1"));
        metadata(BundleRule.DEFAULT_CHANNEL_UNKNOWN, tree -> tree.put(BUNDLE + "channel.default.v1", "fast"));
        metadata(
                BundleRule.CHANNEL_NAME,
                tree -> tree.put(BUNDLE + "channels.v1", "alpha").put(BUNDLE + "channel.default.v1", "alpha"));
        metadata(BundleRule.OPENSHIFT_VERSIONS, tree -> tree.put("com.redhat.openshift.versions", "4.18+"));
        metadata(BundleRule.KUBE_VERSION_TOO_NEW, tree -> tree.put("com.redhat.openshift.versions", "v4.14-v4.18"));
    }

    private void versions() {
        spec(BundleRule.FIELD_MISSING, spec -> spec.put("displayName", ""));
        csv(BundleRule.NAME_INVALID, csv -> ((ObjectNode) csv.path("metadata")).put("name", "Operator_1"));
        csv(BundleRule.NAME_FORM, csv -> ((ObjectNode) csv.path("metadata")).put("name", "sro.v0.2.0"));
        spec(BundleRule.VERSION_INVALID, spec -> spec.put("version", "1.0"));
        spec(BundleRule.KUBE_VERSION_MISSING, spec -> spec.remove("minKubeVersion"));
        spec(BundleRule.KUBE_VERSION_INVALID, spec -> spec.put("minKubeVersion", "v1.28"));
        spec(BundleRule.UPDATE_LOOP, spec -> spec.put("replaces", "special-resource-operator.v0.2.0"));
        csv(BundleRule.SKIP_RANGE_INVALID, csv -> {
            ((ObjectNode) csv.path("metadata").path("annotations")).put("olm.skipRange", "~0.1");
            ((ObjectNode) csv.path("spec")).put("replaces", "special-resource-operator.v0.1.0");
        });
        annotation(BundleRule.SKIP_RANGE_ALONE, "olm.skipRange", ">=0.1.0 <0.2.0");
    }

    private void install() {
        spec(BundleRule.INSTALL_STRATEGY, spec -> ((ObjectNode) spec.path("install")).put("strategy", "job"));
        breaks.put(
                BundleRule.NO_DEPLOYMENT,
                files -> edit(
                        files,
                        CSV,
                        csv -> ((ObjectNode) csv.path("spec").path("install").path("spec")).remove("deployments")));
        spec(
                BundleRule.INSTALL_MODES,
                spec -> ((ObjectNode) spec.path("installModes").path(3)).put("supported", false));
        add(
                BundleRule.SERVICE_ACCOUNT,
                "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: special-resource-operator}\n");
        csv(BundleRule.REQUESTS_MISSING, csv -> container(csv).remove("resources"));
        spec(
                BundleRule.WEBHOOK_INVALID,
                spec -> spec.withArray("webhookdefinitions").add(object("""
                    {"generateName": "w", "type": "MutatingAdmissionWebhook", "deploymentName": "none",
                     "sideEffects": "None", "admissionReviewVersions": ["v1"]}\
                    """)));
    }

    private void apis() {
        file(
                BundleRule.CRD_INVALID,
                CRD,
                crd -> ((ObjectNode) crd.path("spec").path("versions").path(0)).put("storage", false));
        csv(BundleRule.OWNED_WITHOUT_CRD, csv -> owned(csv).put("version", "v2"));
        spec(
                BundleRule.CRD_NOT_OWNED,
                spec -> ((ObjectNode) spec.path("customresourcedefinitions"))
                        .withArray("owned")
                        .remove(1));
        csv(BundleRule.API_WITHOUT_DESCRIPTION, csv -> owned(csv).remove("description"));
        csv(BundleRule.API_WITHOUT_RESOURCES, csv -> owned(csv).remove("resources"));
        csv(BundleRule.DESCRIPTOR_MISSING, csv -> owned(csv).remove("specDescriptors"));
    }

    private void examples() {
        String key = "alm-examples";
        String one = "{\"apiVersion\":\"sro.openshift.io/v1beta1\",\"kind\":\"PreflightValidation\","
                + "\"metadata\":{\"name\":\"n\"}";
        csv(
                BundleRule.EXAMPLES_MISSING,
                csv -> ((ObjectNode) csv.path("metadata").path("annotations")).remove(key));
        annotation(BundleRule.EXAMPLES_INVALID, key, "[{]");
        annotation(
                BundleRule.EXAMPLE_NOT_OWNED,
                key,
                "[{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"}}]");
        annotation(BundleRule.API_WITHOUT_EXAMPLE, key, "[]");
        annotation(BundleRule.EXAMPLE_REFUSED, key, "[" + one + ",\"spec\":{\"kernelVersion\":7}}]");
        annotation(
                BundleRule.EXAMPLE_UNKNOWN_FIELD, key, "[" + one + ",\"spec\":{\"kernelVersion\":\"5\",\"kernl\":1}}]");
        annotation(BundleRule.EXAMPLE_WITHOUT_SPEC, key, "[" + one + "}]");
    }

    private void images() {
        spec(
                BundleRule.IMAGE_INVALID,
                spec -> ((ObjectNode) spec.path("relatedImages").path(1)).put("image", "quay.io/ACME//x"));
        spec(
                BundleRule.IMAGE_TWICE,
                spec -> ((ObjectNode) spec.path("relatedImages").path(1)).put("name", "special-resource-operator"));
        spec(
                BundleRule.IMAGE_WITHOUT_DIGEST,
                spec -> spec.withArray("relatedImages")
                        .add(object("{\"name\": \"x\", \"image\": \"quay.io/acme/x:1\"}")));
        csv(BundleRule.IMAGE_NOT_RELATED, csv -> container(csv).put("image", "quay.io/acme/x:1"));
    }

    private void catalogue() {
        spec(BundleRule.DISPLAY_NAME, spec -> spec.put("displayName", "x".repeat(51)));
        spec(BundleRule.DESCRIPTION_SHORT, spec -> spec.put("description", "Short."));
        spec(BundleRule.PROVIDER, spec -> spec.remove("provider"));
        spec(BundleRule.PROVIDER_SHORT, spec -> ((ObjectNode) spec.path("provider")).put("name", "I"));
        spec(
                BundleRule.MAINTAINER_INVALID,
                spec -> ((ObjectNode) spec.path("maintainers").path(0)).put("email", "ada"));
        spec(BundleRule.MAINTAINER_MISSING, spec -> spec.remove("maintainers"));
        spec(BundleRule.LINK_INVALID, spec -> ((ObjectNode) spec.path("links").path(0)).put("url", "docs"));
        spec(BundleRule.LINK_MISSING, spec -> spec.remove("links"));
        spec(BundleRule.ICON_MISSING, spec -> spec.remove("icon"));
        spec(BundleRule.ICON_INVALID, spec -> ((ObjectNode) spec.path("icon").path(0)).put("base64data", "<svg/>"));
        annotation(BundleRule.CAPABILITIES, "capabilities", "Everything");
        annotation(BundleRule.CATEGORIES, "categories", "Monitoring, Accelerators");
        csv(
                BundleRule.CATALOGUE_TEXT_MISSING,
                csv -> ((ObjectNode) csv.path("metadata").path("annotations")).remove("support"));
        annotation(BundleRule.CREATED_AT, "createdAt", "yesterday");
        annotation(BundleRule.FEATURE_VALUE, "features.operators.openshift.io/cni", "no");
        csv(
                BundleRule.PLATFORM_LABEL,
                csv -> ((ObjectNode) csv.path("metadata").path("labels"))
                        .put("operatorframework.io/arch.arm64", "yes"));
        annotation(BundleRule.ANNOTATION_CASE, "olm.skiprange", "<0.2.0");
        annotation(BundleRule.PROPERTIES_ANNOTATION, "olm.properties", "[]");
    }

    private void objects() {
        file(
                BundleRule.DISRUPTION_BUDGET,
                BUDGET,
                budget -> ((ObjectNode) budget.path("spec")).put("maxUnavailable", 0));
        add(BundleRule.PRIORITY_DEFAULT, """
            apiVersion: scheduling.k8s.io/v1
            kind: PriorityClass
            metadata: {name: p}
            value: 1
            globalDefault: true
            """);
        add(
                BundleRule.RIGHTS_TO_BUDGETS,
                ROLE + "rules: [{apiGroups: [policy], resources: [poddisruptionbudgets], verbs: [patch]}]\n");
        add(
                BundleRule.RIGHTS_TO_DEFAULT_SCC,
                ROLE + "rules: [{apiGroups: [security.openshift.io], resources: [securitycontextconstraints],"
                        + " resourceNames: [restricted], verbs: [update]}]\n");
        add(
                BundleRule.RIGHTS_TO_CRDS,
                ROLE + "rules: [{apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions],"
                        + " verbs: [create]}]\n");
        String old = "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: old}\n";
        add(BundleRule.API_REMOVED, old);
        breaks.put(BundleRule.API_DEPRECATED, files -> {
            files.put("manifests/added.yaml", old);
            edit(files, CSV, csv -> ((ObjectNode) csv.path("spec")).put("minKubeVersion", "1.24.0"));
        });
        breaks.put(
                BundleRule.SCORECARD_INVALID,
                files -> edit(
                        files,
                        "tests/scorecard/config.yaml",
                        tree -> ((ObjectNode) tree.path("stages")
                                        .path(0)
                                        .path("tests")
                                        .path(0))
                                .remove("image")));
    }

    /** A copy that may be changed. */
    static Map<String, String> copy(Map<String, String> files) {
        return new LinkedHashMap<>(files);
    }
}
