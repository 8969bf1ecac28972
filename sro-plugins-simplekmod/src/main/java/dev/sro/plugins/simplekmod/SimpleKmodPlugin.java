package dev.sro.plugins.simplekmod;

import com.google.auto.service.AutoService;
import dev.sro.api.*;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Builds, loads and proves the kernel modules that a special resource names, kernel by kernel. */
@AutoService(AcceleratorPlugin.class)
public final class SimpleKmodPlugin implements AcceleratorPlugin {
    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.builder()
                .name("simple-kmod")
                .version("0.1.0")
                .vendor("SRO")
                .addOperandResources(
                        "configmaps",
                        "serviceaccounts",
                        "daemonsets.apps",
                        "jobs.batch",
                        "buildconfigs.build.openshift.io",
                        "imagestreams.image.openshift.io",
                        "roles.rbac.authorization.k8s.io",
                        "rolebindings.rbac.authorization.k8s.io")
                // What the driver container may do on OpenShift, and its Role grants.
                .addRbacRules(new PolicyRuleBuilder()
                        .withApiGroups("security.openshift.io")
                        .withResources("securitycontextconstraints")
                        .withResourceNames("privileged")
                        .withVerbs("use")
                        .build())
                .build();
    }

    @Override
    public StateGraph states(RecipeContext context) {
        boolean openShift = context.cluster().serves("build.openshift.io/v1", "BuildConfig");
        String registry = openShift ? "image-registry.openshift-image-registry.svc:5000" : "localhost:32000";
        String platform = openShift ? "openshift" : "kubernetes";
        String toolkit = "image-registry.openshift-image-registry.svc:5000/openshift/driver-toolkit:latest";
        var variables = Map.of(
                "driverToolkit", context.config().getOrDefault("driverToolkit", toolkit),
                "registry", context.config().getOrDefault("registry", registry),
                "modules", words(context.set().getOrDefault("kmodNames", List.of("simple-kmod", "simple-procfs-kmod"))),
                "makeArgs", words(context.set().getOrDefault("buildArgs", List.of())));
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
