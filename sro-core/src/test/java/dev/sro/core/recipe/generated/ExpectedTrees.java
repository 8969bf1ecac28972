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
        tree.putAll(map(evaluated(item.body(), of)));
        Map<String, Object> metadata = new TreeMap<>();
        metadata.put("name", name);
        if (!item.kind().cluster) {
            metadata.put("namespace", item.namespace().isEmpty() ? Blueprint.SPACE : item.namespace());
        }
        metadata.put("labels", map(evaluated(item.labels(), of)));
        metadata.put("annotations", map(evaluated(item.annotations(), of)));
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

    /** What stands there for a kernel. */
    Object evaluated(Object tree, Kernel kernel) {
        if (tree instanceof Word word) {
            StringBuilder text = new StringBuilder();
            word.parts()
                    .forEach(part -> text.append(
                            part instanceof Word.Plain plain ? plain.text() : value((Word.Var) part, kernel)));
            return text.toString();
        }
        if (tree instanceof Item.Arguments) {
            List<Object> arguments = new ArrayList<>();
            expectation
                    .blueprint
                    .arguments()
                    .forEach((name, value) ->
                            arguments.add(new TreeMap<>(Map.of("name", name, "value", evaluated(value, kernel)))));
            return arguments;
        }
        if (tree instanceof Map<?, ?> map) {
            Map<String, Object> result = new TreeMap<>();
            map.forEach((key, value) -> result.put(String.valueOf(key), evaluated(value, kernel)));
            return result;
        }
        return tree instanceof List<?> list
                ? new ArrayList<Object>(
                        list.stream().map(each -> evaluated(each, kernel)).toList())
                : tree;
    }

    private String value(Word.Var variable, Kernel kernel) {
        return switch (variable) {
            case KERNEL -> kernel.raw();
            case PATCH -> "4.18.0-305";
            case OS_MAJOR -> "rhel8";
            case OS_MINOR -> "rhel8.4";
            case OS_DECIMAL -> "8.4";
            case RESOURCE -> Blueprint.RESOURCE;
            case NAMESPACE -> Blueprint.SPACE;
            case HARDWARE -> hardware();
            case NODE_FEATURE -> expectation.blueprint.nodeFeature();
            case GROUP_DRIVER -> "driver-container";
            case GROUP_PLUGIN -> "device-plugin";
            case STATE_DRIVER -> "specialresource.openshift.io/driver-container";
            case GIT_REF -> Blueprint.GIT_REF;
            case CONFIGURED -> Blueprint.CONFIGURED;
        };
    }

    /** What node labels end with: the annotation of the ConfigMap, later the name of the special resource. */
    String hardware() {
        return expectation.blueprint.era() == Blueprint.Era.OF_2020 ? Blueprint.HARDWARE : Blueprint.RESOURCE;
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
