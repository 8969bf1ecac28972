package dev.sro.runtime.lint;

import dev.sro.core.manifest.Desired;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Objects that do something to all of the cluster that a driver hardly needs. Confined to one thread. */
final class ClusterObjectChecks {

    private static final String ALL = "*";

    /** Who has one of these rights can give themselves any other. */
    private static final Set<String> ESCALATING = Set.of("escalate", "bind", "impersonate");

    /** Groups and users that anybody belongs to, or every pod. */
    private static final Set<String> EVERYBODY =
            Set.of("system:anonymous", "system:authenticated", "system:unauthenticated", "system:serviceaccounts");

    private static final Set<String> DEFAULT_ANNOTATIONS = Set.of(
            "storageclass.kubernetes.io/is-default-class",
            "storageclass.beta.kubernetes.io/is-default-class",
            "ingressclass.kubernetes.io/is-default-class");

    private static final String ENFORCE = "pod-security.kubernetes.io/enforce";

    private final Subject subject;
    private final List<Finding> found = new ArrayList<>();

    private ClusterObjectChecks(Subject subject) {
        this.subject = subject;
    }

    static List<Finding> in(Subject subject) {
        ClusterObjectChecks checks = new ClusterObjectChecks(subject);
        for (Desired desired : subject.previewed().desired()) {
            boolean made = subject.previewed()
                    .preview()
                    .namespace()
                    .filter(desired::equals)
                    .isPresent();
            if (!made) {
                checks.look(desired);
            }
        }
        return checks.found;
    }

    private void look(Desired desired) {
        switch (desired.object().ref().kind()) {
            case "ClusterRole", "Role" -> rights(desired);
            case "ClusterRoleBinding", "RoleBinding" -> binding(desired);
            case "SecurityContextConstraints" -> constraints(desired);
            case "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration" -> webhooks(desired);
            case "Namespace" -> namespace(desired);
            default -> defaults(desired);
        }
    }

    private static Set<String> texts(Map<String, Object> tree, String field) {
        Set<String> texts = new TreeSet<>();
        if (tree.get(field) instanceof Collection<?> all) {
            all.forEach(one -> texts.add(String.valueOf(one)));
        }
        return texts;
    }

    private void rights(Desired desired) {
        List<Map<String, Object>> rules = ValueTrees.maps(desired.object().tree(), "rules");
        for (int i = 0; i < rules.size(); i++) {
            Map<String, Object> rule = rules.get(i);
            String at = "rules[" + i + "].";
            for (String field : List.of("apiGroups", "resources", "verbs")) {
                if (texts(rule, field).contains(ALL)) {
                    found.add(Finding.warning(
                            "WildcardRights",
                            subject.where(desired),
                            at + field + " is \"*\": it gives rights to what the recipe does not know, now and later",
                            "name in " + at + field + " what the pods need"));
                }
            }
            Set<String> escalating = texts(rule, "verbs");
            escalating.retainAll(ESCALATING);
            if (!escalating.isEmpty()) {
                found.add(Finding.warning(
                        "EscalatingRights",
                        subject.where(desired),
                        at + "verbs has " + String.join(", ", escalating)
                                + ": who has that can give themselves every other right",
                        "take it out of " + at + "verbs"));
            }
        }
    }

    private void binding(Desired desired) {
        KubeObject object = desired.object();
        if (ValueTrees.text(object.tree(), "roleRef", "name").equals("cluster-admin")) {
            found.add(Finding.warning(
                    "ClusterAdmin",
                    subject.where(desired),
                    "roleRef.name is cluster-admin: its pods may do everything"
                            + (object.ref().kind().equals("ClusterRoleBinding")
                                    ? " in the cluster"
                                    : " in the namespace"),
                    "set roleRef.name to a role with the rights that the pods need"));
        }
        List<Map<String, Object>> subjects = ValueTrees.maps(object.tree(), "subjects");
        for (int i = 0; i < subjects.size(); i++) {
            String name = ValueTrees.text(subjects.get(i), "name");
            if (EVERYBODY.contains(name)) {
                everybody(desired, "subjects[" + i + "].name", name);
            }
        }
    }

    private void everybody(Desired desired, String field, String name) {
        found.add(Finding.warning(
                "RightsForEverybody",
                subject.where(desired),
                field + " is " + name + ": the rights are not those of the recipe's pods alone",
                "name the ServiceAccounts of the recipe there"));
    }

    private void constraints(Desired desired) {
        for (String field : List.of("users", "groups")) {
            texts(desired.object().tree(), field).stream()
                    .filter(EVERYBODY::contains)
                    .forEach(name -> everybody(desired, field, name));
        }
    }

    private void webhooks(Desired desired) {
        List<Map<String, Object>> webhooks = ValueTrees.maps(desired.object().tree(), "webhooks");
        for (int i = 0; i < webhooks.size(); i++) {
            Map<String, Object> webhook = webhooks.get(i);
            String at = "webhooks[" + i + "].";
            boolean chosen = !ValueTrees.map(webhook, "namespaceSelector").isEmpty()
                    || !ValueTrees.map(webhook, "objectSelector").isEmpty()
                    || !ValueTrees.maps(webhook, "matchConditions").isEmpty();
            boolean fails = !"Ignore".equals(ValueTrees.text(webhook, "failurePolicy"));
            Predicate<Map<String, Object>> catchesAll =
                    rule -> texts(rule, "resources").stream().anyMatch(name -> name.equals(ALL) || name.equals("*/*"));
            boolean all = ValueTrees.maps(webhook, "rules").stream().anyMatch(catchesAll);
            boolean pods = ValueTrees.maps(webhook, "rules").stream()
                    .anyMatch(rule -> texts(rule, "resources").contains("pods"));
            if (!chosen && (all || (pods && fails))) {
                found.add(Finding.warning(
                        "CatchAllWebhook",
                        subject.where(desired),
                        at + "rules catches " + (all ? "all kinds" : "all pods") + " in all namespaces"
                                + (fails
                                        ? ", and while the webhook does not answer none can be written, its own pod included"
                                        : ", and the API server waits for it each time"),
                        "set " + at + "namespaceSelector or " + at + "objectSelector"
                                + (all
                                        ? ", and name kinds in " + at + "rules"
                                        : ", or " + at + "failurePolicy: Ignore")));
            }
        }
    }

    private void namespace(Desired desired) {
        KubeObject object = desired.object();
        String name = object.ref().name();
        if (name.equals("default") || name.startsWith("kube-") || name.startsWith("openshift-")) {
            found.add(Finding.warning(
                    "NamespaceOfTheCluster",
                    subject.where(desired),
                    "metadata.name is " + name + ", which is the cluster's: its labels would be the recipe's, and with"
                            + " the special resource it would go",
                    "take the object out of the recipe, or give metadata.name another name"));
        }
        if ("privileged".equals(ValueTrees.text(object.metadata(), "labels", ENFORCE))) {
            found.add(Finding.note(
                    "PrivilegedNamespace",
                    subject.where(desired),
                    "metadata.labels[" + ENFORCE + "] is privileged: every pod there may do what it likes on its node",
                    "have nothing there but what loads drivers; leave the label out where no pod is privileged"));
        }
    }

    private void defaults(Desired desired) {
        KubeObject object = desired.object();
        boolean priority = object.ref().kind().equals("PriorityClass")
                && Boolean.TRUE.equals(object.tree().get("globalDefault"));
        if (priority) {
            byDefault(desired, "globalDefault");
        }
        ValueTrees.map(object.metadata(), "annotations").forEach((key, value) -> {
            if (DEFAULT_ANNOTATIONS.contains(key) && "true".equals(value)) {
                byDefault(desired, "metadata.annotations[" + key + "]");
            }
        });
    }

    private void byDefault(Desired desired, String field) {
        found.add(Finding.warning(
                "DefaultOfTheCluster",
                subject.where(desired),
                field + " is true: it is for everybody in the cluster who names no other",
                "take " + field + " away, and name the object where the recipe needs it"));
    }
}
