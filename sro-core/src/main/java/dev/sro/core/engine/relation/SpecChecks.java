package dev.sro.core.engine.relation;

import dev.sro.api.Problem;
import dev.sro.api.resource.DriverUpgradePolicy;
import dev.sro.api.resource.ReadinessTaint;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourceSpec;
import dev.sro.core.driver.DriverChecks;
import dev.sro.core.manifest.Renderer;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.Operands;
import dev.sro.core.model.Specs;
import dev.sro.core.partition.PartitionChecks;
import dev.sro.core.upgrade.policy.UpgradeRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What can be wrong with a special resource whatever its recipe is. Stateless. */
public final class SpecChecks {

    /** Kubernetes' rules for namespaces and for label keys and values. */
    private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private static final Pattern LABEL_NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    private static final Pattern LABEL_VALUE = Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");
    private static final Pattern LABEL_PREFIX =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final int MAX_PREFIX = 253;

    private SpecChecks() {}

    public static List<Problem> check(SpecialResource resource) {
        List<Problem> problems = new ArrayList<>();
        SpecialResourceSpec spec = resource.getSpec();
        if (spec == null) {
            problems.add(Problem.user("NoSpec", "spec: missing; it has to name a plugin or a chart, and a namespace"));
            return problems;
        }
        String namespace = Operands.namespace(resource);
        if (!DNS_LABEL.matcher(namespace).matches()) {
            problems.add(Problem.user(
                    "InvalidNamespace",
                    "spec.namespace: \"" + namespace + "\" is not a namespace name (lower case letters, digits and '-',"
                            + " at most 63 characters)"
                            + (spec.getNamespace().isEmpty()
                                    ? "; it is empty, so the special resource's name is used: set spec.namespace"
                                    : "")));
        }
        for (Map.Entry<String, String> term : spec.getNodeSelector().entrySet()) {
            if (!isKey(term.getKey()) || !LABEL_VALUE.matcher(term.getValue()).matches()) {
                problems.add(Problem.user(
                        "InvalidNodeSelector",
                        "spec.nodeSelector: \"" + term.getKey() + "\": \"" + term.getValue()
                                + "\" can be no node's label; use a label key and value as in kubectl label"));
            }
        }
        ReadinessTaint taint = spec.getReadinessTaint();
        if (taint != null && !isOwnTaint(taint.getKey())) {
            problems.add(Problem.user(
                    "InvalidReadinessTaint",
                    "spec.readinessTaint.key: \"" + taint.getKey() + "\" must be a taint key with a domain of your own,"
                            + " such as acme.com/not-ready; those of Kubernetes are set and removed by others"));
        }
        problems.addAll(PartitionChecks.check(spec));
        if (spec.getDriver() != null) {
            problems.addAll(DriverChecks.check(spec.getDriver()));
        }
        try {
            Renderer.mirrors(resource);
        } catch (IllegalArgumentException e) {
            problems.add(Problem.user(
                    "InvalidImageMirrors", "annotation " + MetadataKeys.IMAGE_MIRRORS + ": " + e.getMessage()));
        }
        upgradePolicy(resource).ifPresent(problems::add);
        return problems;
    }

    /** The policy of upgrades, as far as it can be judged without the recipe. */
    private static Optional<Problem> upgradePolicy(SpecialResource resource) {
        DriverUpgradePolicy policy = Specs.of(resource).getUpgradePolicy();
        if (policy == null) {
            return Optional.empty();
        }
        try {
            UpgradeRules.read(policy, Optional.empty());
        } catch (IllegalArgumentException e) {
            return Optional.of(Problem.user("InvalidUpgradePolicy", String.valueOf(e.getMessage())));
        }
        return policy.getAfter().contains(resource.getMetadata().getName())
                ? Optional.of(Problem.user(
                        "InvalidUpgradePolicy",
                        "spec.upgradePolicy.after: names the special resource itself; remove it"))
                : Optional.empty();
    }

    private static boolean isOwnTaint(String key) {
        int slash = key.indexOf('/');
        String domain = slash < 0 ? "" : key.substring(0, slash);
        boolean kubernetes = domain.equals("kubernetes.io") || domain.endsWith(".kubernetes.io");
        return slash > 0 && isKey(key) && !kubernetes;
    }

    private static boolean isKey(String key) {
        int slash = key.indexOf('/');
        String name = key.substring(slash + 1);
        String prefix = slash < 0 ? "" : key.substring(0, slash);
        return LABEL_NAME.matcher(name).matches()
                && (slash < 0
                        || (prefix.length() <= MAX_PREFIX
                                && LABEL_PREFIX.matcher(prefix).matches()));
    }
}
