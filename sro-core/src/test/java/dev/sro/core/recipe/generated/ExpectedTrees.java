package dev.sro.core.recipe.generated;

import dev.sro.core.recipe.generated.Expectation.State;
import dev.sro.core.recipe.generated.Expectation.Wanted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What an object of a recipe is in the cluster, for a kernel: the rules for names, labels, selectors and namespaces. */
final class ExpectedTrees {

    private static final String KERNEL_LABEL = "feature.node.kubernetes.io/kernel-version.full";

    private final Expectation expectation;

    ExpectedTrees(Expectation expectation) {
        this.expectation = expectation;
    }

    /**
     * The object.
     *
     * @param kernel one of those of the object; null for all
     * @param name that it has: known where it is cut
     */
    Map<String, Object> of(Wanted wanted, State state, @Nullable Kernel kernel, String name) {
        Item item = wanted.item();
        // SRO: what is there once is as for the first kernel; the original took that of the node that it saw last.
        Kernel of = kernel == null ? expectation.kernels.get(0) : kernel;
        Map<String, Object> tree = new TreeMap<>();
        tree.put("apiVersion", item.kind().apiVersion);
        tree.put("kind", item.kind().word);
        tree.putAll(map(evaluated(item.body(), of, item.hasCallback())));
        proxy(tree, item);
        Map<String, Object> metadata = new TreeMap<>();
        metadata.put("name", name);
        if (!item.kind().cluster) {
            metadata.put("namespace", item.namespace().isEmpty() ? Blueprint.SPACE : item.namespace());
        }
        metadata.put("labels", map(evaluated(item.labels(), of)));
        Map<String, Object> annotations = map(evaluated(item.annotations(), of));
        Object logs = annotations.remove(Item.MISSPELT + "wait-for-logs");
        if (logs != null) {
            // SRO: in the spelling that everything else has.
            annotations.put(Item.PREFIX + "wait-for-logs", logs);
        }
        metadata.put("annotations", annotations);
        tree.put("metadata", metadata);
        at(tree, "metadata", "labels").put("specialresource.openshift.io/owned", "true");
        // SRO: of Jobs and CronJobs, too.
        if (item.kind().nodes().size() > 1) {
            List<String> spec = item.kind().nodes();
            List<String> template = new ArrayList<>(spec.subList(0, spec.size() - 1));
            template.addAll(List.of("metadata", "labels"));
            at(tree, template.toArray(String[]::new)).put("specialresource.openshift.io/owned", "true");
        }
        if (kernel != null && item.kind().hasApp()) {
            at(tree, "metadata", "labels").put("app", name);
            at(tree, "spec", "selector", "matchLabels").put("app", name);
            at(tree, "spec", "template", "metadata", "labels").put("app", name);
        }
        if (item.kind().runs()) {
            nodeSelector(at(tree, selector(item.kind())), item.kind(), state, kernel);
        }
        return tree;
    }

    private static String[] selector(Kind kind) {
        List<String> path = new ArrayList<>(kind.nodes());
        path.add("nodeSelector");
        return path.toArray(String[]::new);
    }

    private void nodeSelector(Map<String, Object> selector, Kind kind, State state, @Nullable Kernel kernel) {
        if (kernel != null) {
            selector.put(KERNEL_LABEL, kernel.raw());
            if (!kernel.namesArchitecture()) {
                // SRO: kernels of two architectures may have one name.
                selector.put("kubernetes.io/arch", "amd64");
            }
        }
        // SRO: of StatefulSets, too, which the original forgot by a misspelling.
        if (kind != Kind.JOB && kind != Kind.CRON_JOB) {
            selector.putAll(expectation.blueprint.nodeSelector());
        }
        int before = expectation.states.indexOf(state) - 1;
        // Two files with one number share a label, so that one of them cannot wait for it.
        while (before >= 0 && expectation.states.get(before).number().equals(state.number())) {
            before--;
        }
        if (kind == Kind.DAEMON_SET && before >= 0) {
            // SRO: node by node, by the label of the state before.
            selector.put(label(expectation.states.get(before)), "Ready");
        }
    }

    static String label(State state) {
        return "specialresource.openshift.io/state-" + Blueprint.RESOURCE + "-" + state.number();
    }

    /** SRO: all containers get what the original meant to give the first one, and lost; what they set themselves stays. */
    private static void proxy(Map<String, Object> tree, Item item) {
        if (!item.says(Item.PREFIX + "proxy").filter("true"::equals).isPresent() || item.kind() == Kind.BUILD_CONFIG) {
            return;
        }
        Map<String, Object> spec = at(tree, item.kind().nodes().toArray(String[]::new));
        for (String key : List.of("initContainers", "containers")) {
            if (spec.get(key) instanceof List<?> containers) {
                containers.forEach(each -> {
                    Map<String, Object> container = map(each);
                    List<Object> all = new ArrayList<>();
                    if (container.get("env") instanceof List<?> own) {
                        all.addAll(own);
                    }
                    RecipeCluster.PROXY.forEach((name, value) -> {
                        if (all.stream().noneMatch(one -> name.equals(map(one).get("name")))) {
                            all.add(new TreeMap<>(Map.of("name", name, "value", value)));
                        }
                    });
                    container.put("env", all);
                });
            }
        }
    }

    /** What stands there for a kernel. */
    Object evaluated(Object tree, Kernel kernel) {
        return evaluated(tree, kernel, false);
    }

    private Object evaluated(Object tree, Kernel kernel, boolean called) {
        if (tree instanceof Word word) {
            StringBuilder text = new StringBuilder();
            word.parts()
                    .forEach(part -> text.append(
                            part instanceof Word.Plain plain ? plain.text() : value((Word.Var) part, kernel, called)));
            return text.toString();
        }
        if (tree instanceof Item.Arguments) {
            List<Object> arguments = new ArrayList<>();
            expectation
                    .blueprint
                    .arguments()
                    .forEach((name, value) -> arguments.add(
                            new TreeMap<>(Map.of("name", name, "value", evaluated(value, kernel, called)))));
            return arguments;
        }
        if (tree instanceof Map<?, ?> map) {
            Map<String, Object> result = new TreeMap<>();
            map.forEach((key, value) -> result.put(String.valueOf(key), evaluated(value, kernel, called)));
            return result;
        }
        return tree instanceof List<?> list
                ? new ArrayList<Object>(list.stream()
                        .map(each -> evaluated(each, kernel, called))
                        .toList())
                : tree;
    }

    private String value(Word.Var variable, Kernel kernel, boolean called) {
        boolean asked = called && expectation.blueprint.prometheus().isKnown();
        return switch (variable) {
            case PROMETHEUS_URL -> asked ? RecipeCluster.PROMETHEUS_URL : "REPLACE_PROM_URL";
            case PROMETHEUS_USER -> asked ? "internal" : "REPLACE_PROM_USER";
            case PROMETHEUS_PASS -> asked ? RecipeCluster.PROMETHEUS_PASS : "REPLACE_PROM_PASS";
            case HOST_PATH -> "/usr/src:/dst";
            // SRO: the original of 2020 left it empty.
            case CLUSTER_VERSION -> RecipeCluster.VERSION;
            case CLUSTER_MINOR -> "4.8";
            case PUSH_SECRET -> RecipeCluster.PUSH_SECRET;
            case OS_IMAGE -> RecipeCluster.OS_IMAGE;
            case UPDATE_VENDOR -> "";
            case HTTP_PROXY -> RecipeCluster.proxy("HTTP_PROXY");
            case NO_PROXY -> RecipeCluster.proxy("NO_PROXY");
            case TRUSTED_CA -> RecipeCluster.TRUSTED_CA;
            case GROUP_BUILD -> "driver-build";
            case GROUP_RUNTIME -> "runtime-enablement";
            case GROUP_MONITORING -> "device-monitoring";
            case GROUP_FEATURES -> "device-feature-discovery";
            case STATE_RUNTIME -> "specialresource.openshift.io/runtime-enablement";
            case STATE_PLUGIN -> "specialresource.openshift.io/device-plugin";
            case STATE_MONITORING -> "specialresource.openshift.io/device-monitoring";
            case KERNEL -> kernel.raw();
            case PATCH -> kernel.patch();
            case OS_MAJOR -> kernel.major();
            case OS_MINOR -> kernel.system() + kernel.os().version();
            case OS_DECIMAL -> kernel.os().version();
            case RESOURCE -> Blueprint.RESOURCE;
            case NAMESPACE -> Blueprint.SPACE;
            case HARDWARE -> expectation.blueprint.hardware();
            case NODE_FEATURE -> expectation.blueprint.nodeFeature();
            case GROUP_DRIVER -> "driver-container";
            case GROUP_PLUGIN -> "device-plugin";
            case STATE_DRIVER -> "specialresource.openshift.io/driver-container";
            case GIT_REF -> Blueprint.GIT_REF;
            case CONFIGURED -> Blueprint.CONFIGURED;
        };
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object tree) {
        return (Map<String, Object>) tree;
    }

    private static Map<String, Object> at(Map<String, Object> tree, String... path) {
        Map<String, Object> at = tree;
        for (String key : path) {
            at = map(at.computeIfAbsent(key, unused -> new LinkedHashMap<String, Object>()));
        }
        return at;
    }
}
