package dev.sro.runtime.install;

import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.core.placement.SliceWebhook;
import dev.sro.runtime.CrdCommand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@link SliceParts} as kustomize bases and as templates of the chart. Stateless. */
final class SliceFiles {
    /** When the chart has them. */
    static final String ENABLED = ".Values.slices.enabled";

    private static final String ALLOCATOR = ".Values.slices.allocator.enabled";

    private static final String EXPLAINER = ".Values.slices.explainer.enabled";

    /** When it has pods end. */
    private static final String EVICTS = "and " + ALLOCATOR
            + " (or .Values.slices.allocator.preempt (eq .Values.slices.allocator.makeRoom \"evict\"))";

    /** When it serves pods that ask by limits. */
    private static final String LIMITS = "and " + ALLOCATOR + " .Values.slices.allocator.webhook.enabled";

    private static final String DAS = "and " + ENABLED + " .Values.slices.dasOperator.enabled";

    private static final String ASKED = "and " + ENABLED + " .Values.slices.webhook.enabled";

    /** Places of the chart: where they stand, and trees that are left out when they are empty. */
    static final Map<String, String> SCALARS = Map.of(
            "slicesDasOperator",
                    "\"--das-operator={{ ternary \"sro-agent/sro-agent\" \"\" .Values.slices.dasOperator.enabled }}\"",
            "slicesPath", "\"/slices/{{ .Values.slices.webhook.way }}/{{ .Values.slices.webhook.names }}\"",
            "allocatorPreempt", "\"--preempt={{ .Values.slices.allocator.preempt }}\"",
            "allocatorMakeRoom", "\"--make-room={{ .Values.slices.allocator.makeRoom }}\"",
            "allocatorMakeRoomAfter", "\"--make-room-after={{ .Values.slices.allocator.makeRoomAfter }}\"",
            "allocatorMovesPerHour", "\"--moves-per-hour={{ .Values.slices.allocator.movesPerHour }}\"",
            "allocatorHoldRoomAfter", "\"--hold-room-after={{ .Values.slices.allocator.holdRoomAfter }}\"",
            "allocatorWebhook",
                    "\"--webhook={{ ternary \"0.0.0.0:9443\" \"\" .Values.slices.allocator.webhook.enabled }}\"");

    static final Map<String, String> TREES = Map.of(
            "slicesAnnotations", ".Values.slices.webhook.annotations",
            "slicesCaBundle", ".Values.slices.webhook.caBundle",
            "slicesServiceAnnotations", ".Values.slices.webhook.serviceAnnotations",
            "allocatorAnnotations", ".Values.slices.allocator.webhook.annotations",
            "allocatorCaBundle", ".Values.slices.allocator.webhook.caBundle",
            "allocatorServiceAnnotations", ".Values.slices.allocator.webhook.serviceAnnotations");

    /** Of cert-manager, as DAS has it. */
    private static final String CERTIFICATE = """
        apiVersion: cert-manager.io/v1
        kind: Issuer
        metadata: {name: %3$s, namespace: "%1$s"}
        spec: {selfSigned: {}}
        ---
        apiVersion: cert-manager.io/v1
        kind: Certificate
        metadata: {name: %3$s, namespace: "%1$s"}
        spec:
          secretName: %2$s
          dnsNames: ["%3$s.%1$s.svc"]
          issuerRef: {name: %3$s, kind: Issuer}
        """;

    private SliceFiles() {}

    /**
     * Bases beside that of the operator: {@code slices} with gates, {@code slices-webhook} that makes the API server ask, {@code slices-extender} in place of
     * the first, with a scheduler; {@code slices-das-operator} in place of the first, which acts on a DASOperator; {@code slices-allocator}, which gives devices to claims, and {@code slices-make-room} in place of it, which moves pods, too, or
     * {@code slices-limits}, which serves pods that ask by limits; {@code slices-explainer}, which tells why claims wait.
     */
    static Map<String, String> kustomize(Installation.Values values, String namespace) {
        Map<String, Object> injected = map("cert-manager.io/inject-ca-from", namespace + "/" + SliceParts.NAME);
        SliceParts parts =
                new SliceParts(values, new SliceParts.Webhook("/slices/gates/nvidia", injected, "", map()), List.of());
        Map<String, String> base = new LinkedHashMap<>(definitions());
        parts.files().forEach((name, objects) -> base.put(name, Yaml.write(objects)));
        Map<String, String> files = new LinkedHashMap<>();
        base.forEach((name, text) -> files.put("slices/" + name, text));
        files.put("slices/kustomization.yaml", InstallFiles.base(List.copyOf(base.keySet())));
        files.put(
                "slices-webhook/certificate.yaml",
                CERTIFICATE.formatted(namespace, SliceParts.SECRET, SliceParts.NAME));
        files.put("slices-webhook/webhook.yaml", Yaml.write(parts.configuration()));
        files.put("slices-webhook/kustomization.yaml", InstallFiles.base(List.of("certificate.yaml", "webhook.yaml")));
        files.put("slices-extender/extender.yaml", Yaml.write(parts.extender()));
        files.put(
                "slices-extender/kustomization.yaml",
                patched(List.of("../slices", "extender.yaml"), parts.extenderPatch()));
        dasOperator(parts, files);
        AllocatorParts allocator = new AllocatorParts(values, List.of());
        base("slices-allocator", allocator.files(), files);
        files.put("slices-make-room/rbac.yaml", Yaml.write(allocator.eviction()));
        files.put(
                "slices-make-room/kustomization.yaml",
                patched(List.of("../slices-allocator", "rbac.yaml"), allocator.makeRoomPatch()));
        limits(allocator, namespace, files);
        base("slices-explainer", new ExplainerParts(values).files(), files);
        return files;
    }

    private static void dasOperator(SliceParts parts, Map<String, String> files) {
        files.put("slices-das-operator/rbac.yaml", Yaml.write(parts.dasRights()));
        files.put(
                "slices-das-operator/kustomization.yaml",
                patched(List.of("../slices", "rbac.yaml"), SliceParts.dasPatch()));
    }

    private static void base(String folder, Map<String, List<Map<String, Object>>> parts, Map<String, String> files) {
        parts.forEach((name, objects) -> files.put(folder + "/" + name, Yaml.write(objects)));
        files.put(folder + "/kustomization.yaml", InstallFiles.base(List.copyOf(parts.keySet())));
    }

    private static void limits(AllocatorParts allocator, String namespace, Map<String, String> files) {
        List<String> resources = new ArrayList<>(List.of("../slices-allocator"));
        Map<String, String> own = new LinkedHashMap<>();
        allocator.limits(map()).forEach((name, objects) -> own.put(name, Yaml.write(objects)));
        own.put("certificate.yaml", CERTIFICATE.formatted(namespace, allocator.secret(), AllocatorParts.NAME));
        Map<String, Object> injected = map("cert-manager.io/inject-ca-from", namespace + "/" + AllocatorParts.NAME);
        own.put("webhook.yaml", Yaml.write(SliceWebhook.limits(namespace, injected, "")));
        own.forEach((name, text) -> files.put("slices-limits/" + name, text));
        resources.addAll(own.keySet());
        files.put("slices-limits/kustomization.yaml", patched(resources, allocator.limitsPatch()));
    }

    private static String patched(List<String> resources, Map<String, Object> patch) {
        return Yaml.write(map(
                "apiVersion",
                "kustomize.config.k8s.io/v1beta1",
                "kind",
                "Kustomization",
                "resources",
                resources,
                "patches",
                List.of(patch)));
    }

    /** Templates by their names, each with the condition under which the chart has it. */
    static Map<String, String> helm(Installation.Values places) {
        SliceParts parts = new SliceParts(
                places,
                new SliceParts.Webhook(
                        "@@slicesPath@@",
                        "@@slicesAnnotations@@",
                        "@@slicesCaBundle@@",
                        "@@slicesServiceAnnotations@@"),
                List.of("@@slicesDasOperator@@"));
        Map<String, String> templates = new LinkedHashMap<>();
        // In a chart's folder crds they would be in every cluster. Without them all claims would go, so they stay.
        definitions()
                .forEach((name, text) -> templates.put(
                        "slices-" + name,
                        when(
                                ENABLED,
                                text.replaceFirst(
                                        "(?m)^metadata:$",
                                        "metadata:\n  annotations: {helm.sh/resource-policy: keep}"))));
        parts.files()
                .forEach((name, objects) ->
                        templates.put("slices-" + name, when(ENABLED, InstallFiles.template(Yaml.write(objects)))));
        templates.put("slices-das-operator.yaml", when(DAS, InstallFiles.template(Yaml.write(parts.dasRights()))));
        templates.put("slices-webhook.yaml", when(ASKED, InstallFiles.template(Yaml.write(parts.configuration()))));
        allocator(places, templates);
        new ExplainerParts(places)
                .files()
                .forEach((name, objects) -> templates.put(
                        "slices-explainer-" + name, when(EXPLAINER, InstallFiles.template(Yaml.write(objects)))));
        return templates;
    }

    private static void allocator(Installation.Values places, Map<String, String> templates) {
        AllocatorParts allocator = new AllocatorParts(
                places,
                List.of(
                        "@@allocatorPreempt@@",
                        "@@allocatorMakeRoom@@",
                        "@@allocatorMakeRoomAfter@@",
                        "@@allocatorMovesPerHour@@",
                        "@@allocatorHoldRoomAfter@@",
                        "@@allocatorWebhook@@"));
        allocator
                .files()
                .forEach((name, objects) -> templates.put(
                        "slices-allocator-" + name, when(ALLOCATOR, InstallFiles.template(Yaml.write(objects)))));
        templates.put(
                "slices-allocator-eviction.yaml",
                when(EVICTS, InstallFiles.template(Yaml.write(allocator.eviction()))));
        allocator
                .limits("@@allocatorServiceAnnotations@@")
                .forEach((name, objects) -> templates.put(
                        "slices-allocator-" + name, when(LIMITS, InstallFiles.template(Yaml.write(objects)))));
        templates.put(
                "slices-allocator-webhook.yaml",
                when(
                        LIMITS,
                        InstallFiles.template(Yaml.write(SliceWebhook.limits(
                                "@@namespace@@", "@@allocatorAnnotations@@", "@@allocatorCaBundle@@")))));
    }

    private static String when(String condition, String text) {
        return "{{- if " + condition + " }}\n" + text + "{{- end }}\n";
    }

    /** The texts of DAS's definitions, by file. */
    private static Map<String, String> definitions() {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String path : CrdCommand.DAS) {
            String file = path.substring(path.lastIndexOf('/') + 1);
            texts.put("crd-" + file.substring(0, file.indexOf('.')) + ".yaml", InstallFiles.resource(path));
        }
        return texts;
    }
}
