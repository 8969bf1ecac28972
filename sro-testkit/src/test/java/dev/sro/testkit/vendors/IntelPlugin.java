package dev.sro.testkit.vendors;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.DeviceMatcher;
import dev.sro.api.NodeClassifier;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.Reach;
import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import dev.sro.api.ValidationLimits;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadExecutor;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.LoadPlanner;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.time.Duration;
import java.util.Map;

/**
 * Several modules of the kernel's own go, firmware and a load order come; a canary label; validation by Jobs; an argument that
 * the kernel has to be booted with; a role for security constraints; an amount of memory without a device.
 */
public final class IntelPlugin implements AcceleratorPlugin, DeviceMatcher, NodeClassifier, LoadPlanner {

    private static final String CANARY = "intel.feature.node.kubernetes.io/dgpu-canary";

    @Override
    public PluginDescriptor descriptor() {
        return PluginDescriptor.builder()
                .name("intel")
                .version("1.0.0")
                .vendor("Intel")
                .addOperandResources(
                        "serviceaccounts",
                        "daemonsets.apps",
                        "jobs.batch",
                        "nodefeaturerules.nfd.k8s-sigs.io",
                        "roles.rbac.authorization.k8s.io")
                .addRbacRules(new PolicyRuleBuilder()
                        .withApiGroups("security.openshift.io")
                        .withResources("securitycontextconstraints")
                        .withResourceNames("privileged")
                        .withVerbs("use")
                        .build())
                .addRbacRules(new PolicyRuleBuilder()
                        .withApiGroups("")
                        .withResources("nodes/status")
                        .withVerbs("patch")
                        .build())
                .putDefaultConfig("version", "3.0.0")
                .addRequiredCrds("nodefeaturerules.nfd.k8s-sigs.io")
                .build();
    }

    @Override
    public StateGraph states(RecipeContext context) {
        State rules = State.builder()
                .id("0100-features")
                .scope(State.Scope.CLUSTER)
                .cleanup(State.Cleanup.KEEP)
                .addManifests(Vendors.manifest("node-feature-rule.yaml"))
                .build();
        State.Builder driver = Vendors.driver("1000-driver");
        if (context.cluster().isOpenShift()) {
            driver.addManifests(Vendors.manifest("scc.yaml"));
        }
        return StateGraph.chain(rules, driver.build(), validation("2000", "clinfo"), validation("2100", "vainfo"));
    }

    private static State validation(String number, String tool) {
        return Vendors.job(number + "-" + tool, tool, "registry.example/intel/" + tool + ":1.0", "--all")
                .reach(Reach.nodeByNode())
                .limits(ValidationLimits.builder()
                        .timeout(Duration.ofMinutes(10))
                        .retries(2)
                        .repeatEvery(Duration.ofDays(1))
                        .nodeCondition(tool.equals("clinfo") ? "IntelComputeValidated" : "IntelMediaValidated")
                        .build())
                .build();
    }

    @Override
    public Map<String, Object> variables(RecipeContext context, Pool pool) {
        return Map.of("driverImage", "registry.example/intel/driver:3.0.0-" + pool.kernelLabel());
    }

    @Override
    public Presence match(NodeFacts node, RecipeContext context) {
        return node.pciDevices().stream()
                        .anyMatch(device ->
                                device.isOf("8086") && device.deviceClass().equals("0380"))
                ? Presence.PRESENT
                : Presence.ABSENT;
    }

    @Override
    public Map<String, String> nodeLabels(NodeFacts node, RecipeContext context) {
        return Map.of(CANARY, "true");
    }

    @Override
    public LoadPlan loadPlan(RecipeContext context, Pool pool) {
        return LoadPlan.builder()
                .executor(LoadExecutor.OWN_STATES)
                .addInTreeToRemove("intel_vsec", "i915")
                .addModules(
                        KernelModule.of("intel_vsec"),
                        KernelModule.of("mei_gsc"),
                        KernelModule.of("i915", "enable_guc=3"))
                .firmwareSource("/firmware")
                .addKernelArguments("intel_iommu=on")
                .build();
    }
}
