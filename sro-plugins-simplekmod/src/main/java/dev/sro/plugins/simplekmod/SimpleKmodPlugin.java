package dev.sro.plugins.simplekmod;

import com.google.auto.service.AutoService;
import dev.sro.api.*;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Builds, loads and proves the kernel modules that a special resource names, kernel by kernel. */
@AutoService(AcceleratorPlugin.class)
public final class SimpleKmodPlugin implements AcceleratorPlugin {
    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.of("simple-kmod", "0.1.0", "SRO");
    }

    @Override
    public StateGraph states(RecipeContext context) {
        boolean openShift = context.cluster().serves("build.openshift.io/v1", "BuildConfig");
        String registry = openShift ? "image-registry.openshift-image-registry.svc:5000" : "localhost:32000";
        String platform = openShift ? "openshift" : "kubernetes";
        var spec = Objects.requireNonNull(context.specialResource().getSpec());
        var config = Objects.requireNonNull(spec.getPlugin()).getConfig();
        var variables = Map.of(
                "registry", config.getOrDefault("registry", registry),
                "modules", words(spec.getSet().getOrDefault("kmodNames", List.of("simple-kmod", "simple-procfs-kmod"))),
                "makeArgs", words(spec.getSet().getOrDefault("buildArgs", List.of())));
        return StateGraph.chain(
                state("0000-driver-build", false, variables, platform + "/build.yaml"),
                state("1000-driver-container", true, variables, platform + "/account.yaml", "load.yaml"),
                state("2000-validation", true, variables, "validate.yaml"));
    }

    private static State state(String id, boolean perNode, Map<String, Object> variables, String... files) {
        var state = State.builder().id(id).perNode(perNode).putAllVariables(variables);
        Stream.of(files).forEach(file -> state.addManifests(ManifestTemplate.resource(SimpleKmodPlugin.class, file)));
        return state.build();
    }

    private static String words(Object list) {
        Stream<?> items = ((List<?>) list).stream();
        var words =
                items.map(item -> item instanceof Map<?, ?> arg ? arg.get("name") + "=" + arg.get("value") : item + "");
        return String.join(" ", words.toList());
    }
}
