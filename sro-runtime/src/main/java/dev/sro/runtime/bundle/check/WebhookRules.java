package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.check.BundleRule.WEBHOOK_INVALID;

import dev.sro.core.model.ValueTrees;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code spec.webhookdefinitions}. Stateless. */
final class WebhookRules {

    private static final String CONVERSION = "ConversionWebhook";

    private static final Set<String> TYPES =
            Set.of("ValidatingAdmissionWebhook", "MutatingAdmissionWebhook", CONVERSION);

    private static final int LARGEST_PORT = 65_535;

    private WebhookRules() {}

    static void check(Bundle bundle, Bundle.Manifest manifest, Findings findings) {
        Map<String, Object> csv = manifest.object();
        Set<String> deployments = InstallRules.deployments(csv).stream()
                .map(deployment -> ValueTrees.text(deployment, "name"))
                .collect(Collectors.toSet());
        Set<String> names = new HashSet<>();
        for (Map<String, Object> webhook : ValueTrees.maps(csv, "spec", "webhookdefinitions")) {
            String name = ValueTrees.text(webhook, "generateName");
            String where = manifest.file() + " spec.webhookdefinitions[" + name + "]";
            require(!name.isEmpty(), where, "needs generateName", findings);
            require(names.add(name), where, "is there twice", findings);
            String type = ValueTrees.text(webhook, "type");
            require(
                    TYPES.contains(type),
                    where,
                    "type \"" + type + "\" is none of "
                            + TYPES.stream().sorted().toList(),
                    findings);
            String deployment = ValueTrees.text(webhook, "deploymentName");
            require(
                    deployments.contains(deployment),
                    where,
                    "deploymentName \"" + deployment + "\" is no deployment of the bundle",
                    findings);
            require(!ValueTrees.text(webhook, "sideEffects").isEmpty(), where, "needs sideEffects", findings);
            require(
                    webhook.get("admissionReviewVersions") instanceof List<?> versions && !versions.isEmpty(),
                    where,
                    "needs admissionReviewVersions",
                    findings);
            for (String unknown : List.of("namespaceSelector", "matchConditions")) {
                require(!webhook.containsKey(unknown), where, "has no field " + unknown, findings);
            }
            ports(where, webhook, findings);
            if (type.equals(CONVERSION)) {
                conversion(bundle, where, webhook, findings);
            }
        }
    }

    private static void ports(String where, Map<String, Object> webhook, Findings findings) {
        long port = ValueTrees.number(webhook, "containerPort", 443);
        require(port > 0 && port <= LARGEST_PORT, where, "containerPort " + port + " is no port", findings);
    }

    private static void conversion(Bundle bundle, String where, Map<String, Object> webhook, Findings findings) {
        List<?> kinds = webhook.get("conversionCRDs") instanceof List<?> list ? list : List.of();
        require(!kinds.isEmpty(), where, "needs conversionCRDs", findings);
        Set<String> known = bundle.ofKind("CustomResourceDefinition").stream()
                .map(Bundle.Manifest::name)
                .collect(Collectors.toSet());
        for (Object kind : kinds) {
            require(
                    known.contains(String.valueOf(kind)),
                    where,
                    "conversionCRDs has " + kind + ", which is not in the bundle",
                    findings);
        }
    }

    private static void require(boolean good, String where, String message, Findings findings) {
        findings.addUnless(good, WEBHOOK_INVALID, where, message);
    }
}
