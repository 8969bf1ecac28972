package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.check.BundleRule.FIELD_MISSING;
import static dev.sro.runtime.bundle.check.BundleRule.INSTALL_MODES;
import static dev.sro.runtime.bundle.check.BundleRule.INSTALL_STRATEGY;
import static dev.sro.runtime.bundle.check.BundleRule.NO_DEPLOYMENT;
import static dev.sro.runtime.bundle.check.BundleRule.REQUESTS_MISSING;
import static dev.sro.runtime.bundle.check.BundleRule.SERVICE_ACCOUNT;

import dev.sro.core.model.ValueTrees;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is installed, where, and with which rights. Stateless. */
final class InstallRules {

    private static final List<String> MODES =
            List.of("OwnNamespace", "SingleNamespace", "MultiNamespace", "AllNamespaces");

    private InstallRules() {}

    static void check(Bundle bundle, Bundle.Manifest manifest, Findings findings) {
        Map<String, Object> csv = manifest.object();
        modes(manifest.file() + " spec.installModes", csv, findings);
        String where = manifest.file() + " spec.install";
        String strategy = ValueTrees.text(csv, "spec", "install", "strategy");
        if (ValueTrees.map(csv, "spec", "install").isEmpty()) {
            findings.add(FIELD_MISSING, where, "is missing");
            return;
        }
        findings.addUnless(
                strategy.equals("deployment"),
                INSTALL_STRATEGY,
                where + ".strategy",
                "is \"" + strategy + "\"; it must be \"deployment\"");
        deployments(where + ".spec.deployments", csv, findings);
        rights(where + ".spec", csv, findings);
        accounts(bundle, csv, findings);
    }

    static List<Map<String, Object>> deployments(Map<String, Object> csv) {
        return ValueTrees.maps(csv, "spec", "install", "spec", "deployments");
    }

    private static void modes(String where, Map<String, Object> csv, Findings findings) {
        List<Map<String, Object>> modes = ValueTrees.maps(csv, "spec", "installModes");
        if (modes.isEmpty()) {
            findings.add(
                    INSTALL_MODES,
                    where,
                    "is missing; say for each of " + String.join(", ", MODES) + " whether it is supported");
            return;
        }
        Map<String, Boolean> seen = new HashMap<>();
        for (Map<String, Object> mode : modes) {
            String type = ValueTrees.text(mode, "type");
            findings.addUnless(
                    MODES.contains(type),
                    INSTALL_MODES,
                    where,
                    "\"" + type + "\" is none of " + String.join(", ", MODES));
            boolean supported = Boolean.TRUE.equals(mode.get("supported"));
            findings.addUnless(
                    seen.put(type, supported) == null, INSTALL_MODES, where, "has " + type + " twice; remove one");
        }
        findings.addUnless(seen.containsValue(true), INSTALL_MODES, where, "supports no mode: nobody could install it");
        boolean converts = ValueTrees.maps(csv, "spec", "webhookdefinitions").stream()
                .anyMatch(webhook -> "ConversionWebhook".equals(webhook.get("type")));
        findings.addUnless(
                !converts
                        || MODES.stream()
                                .allMatch(mode -> mode.equals("AllNamespaces") == seen.getOrDefault(mode, false)),
                INSTALL_MODES,
                where,
                "conversion webhooks need AllNamespaces and no other mode");
    }

    private static void deployments(String where, Map<String, Object> csv, Findings findings) {
        List<Map<String, Object>> deployments = deployments(csv);
        findings.addUnless(!deployments.isEmpty(), NO_DEPLOYMENT, where, "has no deployment");
        for (Map<String, Object> deployment : deployments) {
            String name = ValueTrees.text(deployment, "name");
            findings.addUnless(!name.isEmpty(), FIELD_MISSING, where, "has a deployment without name");
            String at = where + "[" + name + "]";
            List<Map<String, Object>> containers =
                    ValueTrees.maps(deployment, "spec", "template", "spec", "containers");
            findings.addUnless(
                    !containers.isEmpty()
                            && !ValueTrees.map(deployment, "spec", "selector").isEmpty(),
                    FIELD_MISSING,
                    at,
                    "needs spec.selector and spec.template with a container");
            for (Map<String, Object> container : containers) {
                Map<String, Object> requests = ValueTrees.map(container, "resources", "requests");
                findings.addUnless(
                        requests.containsKey("cpu") && requests.containsKey("memory"),
                        REQUESTS_MISSING,
                        at,
                        "container " + ValueTrees.text(container, "name") + " should request cpu and memory");
            }
        }
    }

    private static void rights(String where, Map<String, Object> csv, Findings findings) {
        for (String part : List.of("permissions", "clusterPermissions")) {
            for (Map<String, Object> permission : ValueTrees.maps(csv, "spec", "install", "spec", part)) {
                findings.addUnless(
                        !ValueTrees.text(permission, "serviceAccountName").isEmpty(),
                        FIELD_MISSING,
                        where + "." + part,
                        "has an entry without serviceAccountName");
                List<Map<String, Object>> rules = ValueTrees.maps(permission, "rules");
                findings.addUnless(!rules.isEmpty(), FIELD_MISSING, where + "." + part, "has an entry without rules");
                ObjectRules.rights(where + "." + part, rules, findings);
            }
        }
    }

    /** The Operator Lifecycle Manager makes them itself, and would not have those of a bundle. */
    private static void accounts(Bundle bundle, Map<String, Object> csv, Findings findings) {
        Set<String> used = new HashSet<>();
        deployments(csv)
                .forEach(deployment ->
                        used.add(ValueTrees.text(deployment, "spec", "template", "spec", "serviceAccountName")));
        for (Bundle.Manifest account : bundle.ofKind("ServiceAccount")) {
            findings.addUnless(
                    !used.contains(account.name()),
                    SERVICE_ACCOUNT,
                    account.file(),
                    "ServiceAccount " + account.name()
                            + " is that of a deployment, which is made with it; remove the file");
        }
    }
}
