package dev.sro.core.release;

import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.manifest.DesiredState;
import dev.sro.core.manifest.HookEvent;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.yaml.PlainYaml;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The JSON of a release, with the fields of Helm 3. Stateless. */
final class ReleaseContent {

    static final String LEFT_OUT = "# left out: it does not fit into a Secret\n";

    private ReleaseContent() {}

    /** A new revision. */
    static Map<String, Object> create(Release release, ReleaseState state, String firstDeployed, Instant now) {
        Map<String, Object> tree = new TreeMap<>();
        tree.put("name", Release.name(release.chart().name()));
        tree.put("namespace", release.chart().namespace());
        tree.put("version", state.revision());
        Map<String, Object> info = new TreeMap<>();
        info.put("first_deployed", firstDeployed.isEmpty() ? time(now) : firstDeployed);
        info.put("last_deployed", time(now));
        info.put("deleted", "");
        tree.put("info", info);
        Map<String, Object> chart = new TreeMap<>();
        chart.put("metadata", release.chart().metadata());
        chart.put("values", release.chart().values());
        tree.put("chart", chart);
        tree.put("config", release.chart().config());
        tree.put("manifest", manifest(release));
        List<Object> hooks = new ArrayList<>();
        release.hooks().forEach(hook -> hooks.add(hook(hook)));
        tree.put("hooks", hooks);
        return tree;
    }

    /** What changes in a revision: status, description, and how far hooks are. */
    static Map<String, Object> with(Map<String, Object> content, ReleaseState state, Instant now) {
        Map<String, Object> tree = ValueTrees.mutableCopy(content);
        Map<String, Object> info = ValueTrees.ensureMap(tree, "info");
        info.put("status", state.status().word());
        info.put("description", state.description());
        boolean leaving = state.status() == ReleaseStatus.UNINSTALLING;
        if (leaving && ValueTrees.text(info, "deleted").isEmpty()) {
            info.put("deleted", time(now));
        }
        if (tree.get("hooks") instanceof List<?> list) {
            List<Object> hooks = new ArrayList<>();
            list.forEach(hook -> hooks.add(hook instanceof Map<?, ?> map ? ran(map, state) : hook));
            tree.put("hooks", hooks);
        }
        return tree;
    }

    /** Helm has one run per hook, the last. */
    private static Map<String, Object> ran(Map<?, ?> hook, ReleaseState state) {
        Map<String, Object> tree = new TreeMap<>();
        hook.forEach((key, value) -> tree.put(String.valueOf(key), value));
        String end = "/" + tree.get("kind") + "/" + tree.get("name");
        state.hooks().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith(end))
                .map(Map.Entry::getValue)
                .max((a, b) -> a.started().compareTo(b.started()))
                .ifPresent(run -> tree.put(
                        "last_run",
                        Map.of(
                                "started_at", time(run.started()),
                                "completed_at", "",
                                "phase", run.phase().word())));
        return tree;
    }

    private static String manifest(Release release) {
        StringBuilder text = new StringBuilder();
        for (DesiredState state : release.states()) {
            List<Desired> all = new ArrayList<>(state.shared());
            new TreeMap<>(state.byPool()).values().forEach(all::addAll);
            for (Desired desired : all) {
                text.append("---\n# Source: ")
                        .append(ValueTrees.text(release.chart().metadata(), "name"))
                        .append(", state ")
                        .append(desired.state())
                        .append('\n')
                        .append(PlainYaml.write(desired.object().tree()));
            }
        }
        return text.toString();
    }

    private static Map<String, Object> hook(DesiredHook hook) {
        KubeObject object = hook.object();
        Map<String, Object> tree = new TreeMap<>();
        tree.put("name", object.ref().name());
        tree.put("kind", object.ref().kind());
        tree.put("path", hook.path());
        tree.put("manifest", PlainYaml.write(object.tree()));
        tree.put("events", hook.events().stream().map(HookEvent::word).sorted().toList());
        tree.put("weight", hook.weight());
        tree.put("delete_policies", hook.policies());
        tree.put("last_run", Map.of("started_at", "", "completed_at", "", "phase", ""));
        return tree;
    }

    private static String time(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
