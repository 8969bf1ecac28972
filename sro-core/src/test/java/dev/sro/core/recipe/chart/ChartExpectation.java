package dev.sro.core.recipe.chart;

import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.Yaml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What has to become of a chart, by the rules of the second and third generation, from what Helm rendered for each kernel: numbered
 * templates are states by path, all others the last one; a state comes when all is ready that those before it wait for; what is
 * kernel-affine is there for each kernel; of Helm's hooks those of an installation run, before or after the objects of their state.
 */
final class ChartExpectation {

    private static final Pattern STATE = Pattern.compile("(?:.*/)?[0-9]{4}[-_][^/]*\\.yaml");
    private static final Pattern AFFINE =
            Pattern.compile("(?m)^\\s+specialresource\\.openshift\\.io/kernel-affine:.*$");
    private static final String PREFIX = "specialresource.openshift.io/";
    private static final Set<String> WORKLOADS =
            Set.of("DaemonSet", "Job", "Deployment", "StatefulSet", "Pod", "CronJob");

    /** Whose readiness is looked at. */
    private static final Set<String> JUDGED =
            Set.of("DaemonSet", "Job", "Deployment", "StatefulSet", "Pod", "BuildConfig", "CustomResourceDefinition");

    private static final Set<String> WITH_LOGS = Set.of("DaemonSet", "Job", "Deployment", "StatefulSet", "Pod");
    private static final Set<String> CLUSTER = Set.of("Namespace", "ClusterRole", "CustomResourceDefinition");

    /** An object for a kernel, or of all. */
    record Thing(
            String kind,
            String place,
            String kernel,
            String mark,
            String vendor,
            String hook,
            boolean waited,
            String logs,
            String barrier,
            Map<String, Object> tree) {
        String key() {
            return kind + " " + place + " " + kernel;
        }

        String name() {
            return mark + " " + place + " " + kernel;
        }

        /** Helm: whether it stays when the release goes. */
        boolean isKept() {
            return hook.isEmpty()
                    && ValueTrees.text(tree, "metadata", "annotations", "helm.sh/resource-policy")
                            .equals("keep");
        }

        /** Helm: whether it goes when the hooks of its event have succeeded. */
        boolean goesWhenDone() {
            return ValueTrees.text(tree, "metadata", "annotations", "helm.sh/hook-delete-policy")
                    .contains("hook-succeeded");
        }
    }

    final List<List<Thing>> states = new ArrayList<>();
    private String before = "";
    private String number = "";
    private String barrier = "";
    private final Map<String, String> templates;
    private final Map<String, RenderedChart> rendered;

    /**
     * @param templates as they are in the chart
     * @param rendered by kernel, the first one first
     */
    ChartExpectation(Map<String, String> templates, Map<String, RenderedChart> rendered) {
        this.templates = templates;
        this.rendered = rendered;
        List<Thing> last = new ArrayList<>();
        new TreeMap<>(templates)
                .keySet().stream()
                        .filter(path -> STATE.matcher(path).matches())
                        .forEach(path -> states.add(things(path)));
        new TreeMap<>(templates)
                .keySet().stream()
                        .filter(path -> !STATE.matcher(path).matches() && path.matches(".*\\.ya?ml"))
                        .forEach(path -> last.addAll(things(path)));
        states.add(last);
        states.forEach(ChartExpectation::lastOfEach);
        once();
    }

    /** Labels of states that share a number are one, for which none of them waits. */
    private void next(String path) {
        String next = STATE.matcher(path).matches()
                ? path.substring(path.lastIndexOf('/') + 1).substring(0, 4)
                : "";
        if (!next.equals(number)) {
            before = number.isEmpty() ? before : number;
            number = next;
        }
        barrier = before.isEmpty() ? "" : PREFIX + "state-kmod-" + before;
    }

    private List<Thing> things(String path) {
        next(path);
        String template = templates.getOrDefault(path, "");
        // SRO: a template with a build that names the kernel is one for each kernel, too.
        boolean fans = AFFINE.matcher(template).find()
                || (template.contains("kind: BuildConfig") && template.contains(".Values.kernelFullVersion"));
        // SRO: the templates that are no state are rendered together.
        boolean numbered = STATE.matcher(path).matches();
        boolean any = fans
                || (!numbered
                        && templates.entrySet().stream()
                                .anyMatch(other -> !STATE.matcher(other.getKey())
                                                .matches()
                                        && (AFFINE.matcher(other.getValue()).find()
                                                || (other.getValue().contains("kind: BuildConfig")
                                                        && other.getValue().contains(".Values.kernelFullVersion")))));
        List<Thing> things = new ArrayList<>();
        String first = rendered.keySet().iterator().next();
        rendered.forEach((kernel, chart) -> {
            if (kernel.equals(first) || any) {
                for (Map<String, Object> document :
                        Yaml.documents(path, chart.texts().getOrDefault(path, ""))) {
                    items(document).forEach(item -> {
                        Thing thing = thing(item, kernel, any);
                        if (!thing.kernel().isEmpty() || kernel.equals(first)) {
                            things.add(thing);
                        }
                    });
                }
            }
        });
        return things;
    }

    private static Stream<Map<String, Object>> items(Map<String, Object> document) {
        String kind = ValueTrees.text(document, "kind");
        return kind.endsWith("List")
                ? ValueTrees.maps(document, "items").stream().map(item -> typed(item, document, kind))
                : Stream.of(document);
    }

    /** What is in a list of a kind need not say of which. */
    private static Map<String, Object> typed(Map<String, Object> item, Map<String, Object> list, String kind) {
        Map<String, Object> whole = new LinkedHashMap<>(item);
        whole.putIfAbsent("apiVersion", list.getOrDefault("apiVersion", ""));
        whole.putIfAbsent("kind", kind.substring(0, kind.length() - "List".length()));
        return whole;
    }

    private Thing thing(Map<String, Object> tree, String kernel, boolean fans) {
        Map<String, Object> annotations = ValueTrees.map(tree, "metadata", "annotations");
        String kind = ValueTrees.text(tree, "kind");
        Object said = annotations.get(PREFIX + "kernel-affine");
        boolean hook = annotations.containsKey("helm.sh/hook");
        boolean affine = fans && ("true".equals(said) || (kind.equals("BuildConfig") && said == null));
        String own = ValueTrees.text(tree, "metadata", "namespace");
        String namespace = CLUSTER.contains(kind) ? "" : own.isEmpty() ? "kmod" : own;
        boolean waits = "true".equals(annotations.get(PREFIX + "wait"));
        String logs =
                WITH_LOGS.contains(kind) ? String.valueOf(annotations.getOrDefault(PREFIX + "wait-for-logs", "")) : "";
        // SRO: DaemonSets and definitions are waited for unless they say otherwise, as node labels come of the former.
        boolean always = kind.equals("DaemonSet") || kind.equals("CustomResourceDefinition");
        return new Thing(
                kind,
                namespace + "/" + ValueTrees.text(tree, "metadata", "name"),
                affine ? kernel : "",
                String.valueOf(annotations.get("example.com/mark")),
                String.valueOf(annotations.getOrDefault(PREFIX + "driver-container-vendor", "")),
                hook ? String.valueOf(annotations.get("helm.sh/hook")) : "",
                JUDGED.contains(kind) && (always || waits || !logs.isEmpty()),
                logs,
                barrier,
                tree);
    }

    private static void lastOfEach(List<Thing> things) {
        Map<String, Thing> last = new LinkedHashMap<>();
        things.forEach(thing -> last.put(thing.key() + (thing.hook().isEmpty() ? "" : thing.mark()), thing));
        things.clear();
        things.addAll(last.values());
    }

    /** SRO: one object in several states is there once, as the last of them says. */
    private void once() {
        Map<String, Integer> first = new LinkedHashMap<>();
        for (int i = 0; i < states.size(); i++) {
            for (Thing thing : List.copyOf(states.get(i))) {
                Integer before = thing.hook().isEmpty() ? first.putIfAbsent(thing.key(), i) : null;
                if (before == null) {
                    continue;
                }
                List<Thing> there = states.get(before);
                int place = there.indexOf(there.stream()
                        .filter(each -> each.key().equals(thing.key()))
                        .findFirst()
                        .orElseThrow());
                if (WORKLOADS.contains(thing.kind())) {
                    there.remove(place);
                    first.put(thing.key(), i);
                } else {
                    states.get(i).remove(thing);
                    there.set(place, thing);
                }
            }
        }
    }

    /** What is there when nothing moves any more, while what has these marks is ready. */
    Set<String> applied(Set<String> ready) {
        Set<String> applied = new TreeSet<>();
        for (List<Thing> state : states) {
            boolean done = true;
            for (Thing thing : state) {
                boolean before = thing.hook().isEmpty() || thing.hook().startsWith("pre-install");
                if (before && !isHeldBack(thing)) {
                    if (!thing.goesWhenDone()) {
                        applied.add(thing.name());
                    }
                    done &= !thing.waited() || ready.contains(thing.mark());
                }
            }
            if (!done) {
                return applied;
            }
            state.stream()
                    .filter(thing -> thing.hook().startsWith("post-install") && !thing.goesWhenDone())
                    .forEach(thing -> applied.add(thing.name()));
        }
        return applied;
    }

    private boolean isHeldBack(Thing thing) {
        return thing.kind().equals("BuildConfig")
                && !thing.vendor().isEmpty()
                && states.stream()
                        .flatMap(List::stream)
                        .anyMatch(other -> other.kind().equals("DaemonSet")
                                && other.vendor().equals(thing.vendor())
                                && (other.kernel().isEmpty()
                                        || thing.kernel().isEmpty()
                                        || other.kernel().equals(thing.kernel())));
    }

    /** Of all that is there and has to get ready. */
    Set<String> waited() {
        Set<String> marks = new TreeSet<>();
        states.forEach(state -> state.stream()
                .filter(thing -> thing.waited() && thing.hook().isEmpty() && !isHeldBack(thing))
                .forEach(thing -> marks.add(thing.mark())));
        return marks;
    }
}
