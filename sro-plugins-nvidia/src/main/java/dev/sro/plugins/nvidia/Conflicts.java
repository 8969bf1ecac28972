package dev.sro.plugins.nvidia;

import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What is wrong with settings together, or with them on this cluster. Stateless. */
final class Conflicts {

    private static final String ROOT = "spec.plugin.config.";

    /** Keys of the MIG layouts that the plugin brings. */
    private static final SortedSet<String> LAYOUTS = Pattern.compile("(?m)^ {6}([a-z][\\w.-]*):$")
            .matcher(Resources.text("mig-config.yaml"))
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));

    private Conflicts() {}

    static List<Problem> find(RecipeContext context) {
        Settings settings = new Settings(context);
        List<Problem> problems = new ArrayList<>();
        if (settings.isDra()) {
            claims(context, settings, problems);
        }
        if (settings.hasSlices()) {
            slices(context, settings, problems);
        }
        if (settings.image("driver").isDigest()
                && settings.flag("driver.usePrecompiled").orElse(false)) {
            problems.add(user(
                    "driver.version",
                    "a digest is the image of one kernel, and usePrecompiled needs one for each; name a version, or"
                            + " unset usePrecompiled"));
        }
        if (settings.flag("driver.usePrecompiled").orElse(false)
                && settings.maybe("driver.build.pushTo").isPresent()
                && settings.isOpenShift()) {
            problems.add(user(
                    "driver.build.pushTo",
                    "images for OpenShift are not built but compile in the driver toolkit; remove it"));
        }
        String built = settings.text("driver.build.pushTo");
        if (built.lastIndexOf(':') > built.lastIndexOf('/') || built.contains("@")) {
            problems.add(user("driver.build.pushTo", "must be a repository without a tag, not " + built));
        }
        if (settings.flag("driver.rdma.useHostMofed").orElse(false) && !settings.is("driver.rdma.enabled")) {
            problems.add(user("driver.rdma.useHostMofed", "is for driver.rdma.enabled; set that, too"));
        }
        if (!settings.hasDriver() && (settings.is("gds.enabled") || settings.is("gdrcopy.enabled"))) {
            problems.add(user(
                    "driver.enabled", "gds and gdrcopy are loaded beside SRO's driver; the host has to load its own"));
        }
        layout(settings, problems);
        sandboxes(settings, problems);
        return problems;
    }

    /** In a ConfigMap of the administrator's there may be any. */
    private static void layout(Settings settings, List<Problem> problems) {
        String layout = settings.text("migManager.config.default");
        boolean own = settings.maybe("migManager.config.name").isEmpty();
        if (own && !layout.isEmpty() && !LAYOUTS.contains(layout)) {
            problems.add(user(
                    "migManager.config.default",
                    "\"" + layout + "\" is not among the layouts of default-mig-parted-config; write one of "
                            + String.join(", ", LAYOUTS)
                            + ", or name a ConfigMap that has it in migManager.config.name"));
        }
    }

    private static void claims(RecipeContext context, Settings settings, List<Problem> problems) {
        if (!context.cluster().serves("resource.k8s.io/v1", "DeviceClass")) {
            problems.add(user(
                    "dra.enabled",
                    "the cluster does not serve resource.k8s.io/v1 (Kubernetes 1.34 and newer do); unset it to use the"
                            + " device plugin"));
        }
        if (settings.flag("devicePlugin.enabled").orElse(false)) {
            problems.add(user(
                    "devicePlugin.enabled",
                    "a device plugin beside Dynamic Resource Allocation would give GPUs away twice; enable one"
                            + " of them"));
        }
    }

    private static void slices(RecipeContext context, Settings settings, List<Problem> problems) {
        if (!context.cluster().serves("resource.k8s.io/v1", "DeviceClass")) {
            problems.add(user(
                    "slices.enabled",
                    "the cluster does not serve resource.k8s.io/v1 (Kubernetes 1.34 and newer do); unset it to use the"
                            + " device plugin on all nodes"));
        }
        if (settings.isDra()) {
            problems.add(user(
                    "slices.enabled",
                    "gpu.nvidia.com beside slices.sro.dev would give GPUs away twice; enable one of slices and dra"));
        }
        if (settings.maybe("slices.image").isEmpty()) {
            problems.add(
                    user(
                            "slices.image",
                            "must be said: the image of SRO's agent is one that you build and push, see docs/slicing/agent.md"));
        } else if (settings.image("slices").version().isEmpty()
                && !settings.text("slices.image").matches(".*(@|:[^/]+$).*")) {
            problems.add(user("slices.version", "must be said: the image is your own, and no version is known"));
        }
    }

    private static void sandboxes(Settings settings, List<Problem> problems) {
        if (!settings.hasSandboxes()) {
            return;
        }
        boolean named = settings.maybe("vgpuManager.image").isPresent();
        if (named && settings.image("vgpuManager").version().isEmpty()) {
            problems.add(user("vgpuManager.version", "must be said: the image is your own, and no version is known"));
        }
        if (settings.text("sandboxWorkloads.defaultWorkload").equals("vm-vgpu") && !named) {
            problems.add(user(
                    "vgpuManager.image",
                    "nodes for vm-vgpu need the vGPU manager, which NVIDIA does not publish; build it and name it"));
        }
    }

    private static Problem user(String field, String message) {
        return Problem.user("NvidiaInvalidField", ROOT + field + ": " + message);
    }
}
