package dev.sro.plugins.simplekmod;

import com.google.auto.service.AutoService;
import dev.sro.api.*;
import dev.sro.api.Reach;
import dev.sro.api.operation.Monitoring;
import dev.sro.api.operation.Observability;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Builds, loads and proves the kernel modules that a special resource names, kernel by kernel. */
@AutoService(AcceleratorPlugin.class)
public final class SimpleKmodPlugin implements AcceleratorPlugin, ConfigValidator, Observability {
    /** What a node has on which the modules are proved. */
    private static final String CAPABILITY = "simple-kmod";

    private static final String OPENSHIFT = "image-registry.openshift-image-registry.svc:5000";

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
                        "rolebindings.rbac.authorization.k8s.io",
                        "prometheusrules.monitoring.coreos.com")
                // Of what builds, whatever the kernel: a disconnected cluster has to have them.
                .addRelatedImages(
                        "docker.io/moby/buildkit:v0.23.2-rootless",
                        "docker.io/library/alpine:3.22",
                        "registry.access.redhat.com/ubi9/ubi-minimal:9.6")
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
    public List<Problem> validate(RecipeContext context) {
        return Settings.check(context);
    }

    @Override
    public StateGraph states(RecipeContext context) {
        boolean openShift = isOpenShift(context);
        String platform = openShift ? "openshift" : "kubernetes";
        var variables = new HashMap<String, Object>();
        variables.put("registry", context.config().getOrDefault("registry", openShift ? OPENSHIFT : "localhost:32000"));
        variables.put(
                "modules",
                words(context.set().getOrDefault("kmodNames", List.of("simple-kmod", "simple-procfs-kmod"))));
        variables.put("makeArgs", words(context.set().getOrDefault("buildArgs", List.of())));
        // SRO knows the toolkit of each kernel where the cluster's image stream may be read.
        if (context.cluster().driverToolkits().isEmpty()) {
            variables.put("driverToolkitImage", OPENSHIFT + "/openshift/driver-toolkit:latest");
        }
        if (context.config().containsKey("driverToolkit")) {
            variables.put("driverToolkitImage", context.config().get("driverToolkit"));
        }
        variables.put("buildkitd", Settings.buildkitd(context));
        String push = Settings.pushSecret(context);
        variables.put("pushSecret", push.isEmpty() ? context.name() + "-push" : push);
        String account = openShift || push.isEmpty() ? "/account.yaml" : "/account-login.yaml";
        return StateGraph.chain(
                state("0000-driver-build", variables, platform + "/build.yaml").build(),
                state("1000-driver-container", variables, platform + account, "load.yaml")
                        .reach(Reach.nodeByNode())
                        // What others bring first, on nodes to which they bring it: there the modules are loaded behind
                        // it.
                        .addAllAfterCapabilities(Settings.after(context))
                        .build(),
                state("2000-validation", variables, "validate.yaml")
                        .reach(Reach.nodeByNode())
                        // Nodes without these labels are not proved, and count as if they were.
                        .putAllNodes(Settings.proveOn(context))
                        // For plugins of other vendors that build upon these modules, and come when they are proved.
                        .addProvides(CAPABILITY)
                        .build());
    }

    /** Of the build in a Job, which needs the kernel's headers from somewhere; OpenShift's toolkit has them. */
    @Override
    public Map<String, Object> variables(RecipeContext context, Pool pool) {
        if (isOpenShift(context)) {
            return Map.of();
        }
        String claim = Settings.cacheClaim(context);
        // In the order in which a manifest has it.
        Map<String, Object> volume = new LinkedHashMap<>();
        volume.put("name", "buildkit");
        Map<String, Object> mount = new LinkedHashMap<>(volume);
        mount.put("mountPath", "/home/user/.local/share/buildkit");
        if (claim.isEmpty()) {
            volume.put("emptyDir", Map.of());
        } else {
            volume.put("persistentVolumeClaim", Map.of("claimName", claim));
            // Two daemons do not share a cache.
            mount.put("subPath", pool.affinityHash());
        }
        return Map.of(
                "family", Families.of(pool), "osMajor", pool.os().major(), "cacheVolume", volume, "cacheMount", mount);
    }

    private static boolean isOpenShift(RecipeContext context) {
        return context.cluster().serves("build.openshift.io/v1", "BuildConfig");
    }

    /** No exporter, so nothing to read metrics from: kube-state-metrics knows of the pods all that there is to know. */
    @Override
    public Monitoring monitoring(RecipeContext context) {
        return Alerts.create(context);
    }

    private static State.Builder state(String id, Map<String, Object> variables, String... files) {
        var state = State.builder().id(id).putAllVariables(variables);
        Stream.of(files).forEach(file -> state.addManifests(ManifestTemplate.resource(SimpleKmodPlugin.class, file)));
        return state;
    }

    private static String words(Object list) {
        Stream<?> items = ((List<?>) list).stream();
        var words =
                items.map(item -> item instanceof Map<?, ?> arg ? arg.get("name") + "=" + arg.get("value") : item + "");
        return String.join(" ", words.toList());
    }
}
