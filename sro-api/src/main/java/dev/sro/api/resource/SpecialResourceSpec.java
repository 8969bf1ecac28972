package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a special resource. At most one of {@link #getPlugin() plugin}, {@link #getChart() chart} and {@link
 * #getRecipe() recipe} is set; without any, the recipe is a ConfigMap that is found by the name of the special resource, as in the
 * first generations of the Special Resource Operator.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
@ValidationRule(
        value = "!(has(self.chart) && has(self.plugin))",
        message = "a special resource has one recipe: remove spec.plugin or spec.chart")
@ValidationRule(
        value = "!has(self.recipe) || !(has(self.chart) || has(self.plugin))",
        message = "a special resource has one recipe: remove spec.recipe, or spec.plugin and spec.chart")
public final class SpecialResourceSpec extends ResourceValue {
    @JsonPropertyDescription("SRO plugin that is the recipe. At most one of plugin, chart and recipe is set.")
    private @Nullable PluginReference plugin;

    @JsonPropertyDescription("Helm chart that is the recipe. At most one of plugin, chart and recipe is set.")
    private @Nullable ChartReference chart;

    @JsonPropertyDescription(
            "Numbered manifests that are the recipe. Absent, and neither plugin nor chart: the ConfigMap of the"
                    + " special resource's name.")
    private @Nullable RecipeSource recipe;

    @JsonPropertyDescription("Namespace of everything that is installed; empty means the name of the special resource.")
    @Required
    private @Nullable String namespace;

    @JsonPropertyDescription(
            "Labels that a node must have, all of them, to be served. Absent: every node that the recipe is for.")
    private @Nullable Map<String, String> nodeSelector;

    @JsonPropertyDescription(
            "A taint that each node that is served carries until the special resource is ready on it. Kubelets may"
                    + " register nodes with it.")
    private @Nullable ReadinessTaint readinessTaint;

    @JsonPropertyDescription(
            "How the nodes are kept for those that need the special resource: by taints, or by priority classes.")
    private @Nullable Partitioning partitioning;

    @JsonPropertyDescription(
            "As in SRO v1: None, TaintsTolerations (with taints) or PriorityPreemption (with priorityClasses). Use"
                    + " partitioning instead.")
    @Pattern("^(None|TaintsTolerations|TaintsToleration|PriorityPreemption|PrioriyPreemption|)$") private @Nullable String schedulingType;

    @JsonPropertyDescription(
            "As in SRO v1, for schedulingType TaintsTolerations. Use partitioning.hard.taints instead.")
    private @Nullable List<PartitionTaint> taints;

    @JsonPropertyDescription(
            "As in SRO v1, for schedulingType PriorityPreemption. Use partitioning.soft.priorityClasses instead.")
    private @Nullable List<PriorityClassObject> priorityClasses;

    @JsonPropertyDescription("Values for the recipe. Kubernetes wants apiVersion and kind in it; by custom these are"
            + " sro.openshift.io/v1beta1 and Values.")
    @PreserveUnknownFields
    private @Nullable Map<String, Object> set;

    @JsonPropertyDescription("What a driver container is built from; read by recipes only.")
    private @Nullable DriverContainer driverContainer;

    @JsonPropertyDescription(
            "Which image the driver comes from for each kernel, and how it is built, signed and loaded.")
    private @Nullable DriverSpec driver;

    @JsonPropertyDescription("Settings that recipes of SRO v1 read.")
    private @Nullable List<NamedValues> configuration;

    @JsonPropertyDescription("Variables that recipes of SRO v1 read.")
    private @Nullable List<KeyedValue> environment;

    @JsonPropertyDescription("Which nodes a recipe of SRO v1 is for; nodeSelector counts beside it.")
    private @Nullable NodeTerm node;

    @JsonPropertyDescription("Special resources that a recipe of SRO v1 builds upon.")
    private @Nullable List<RecipeDependency> dependsOn;

    @JsonPropertyDescription("Charts that must be ready before this special resource is worked on.")
    private @Nullable List<ChartDependency> dependencies;

    @JsonPropertyDescription("Managed (the default), Unmanaged, Force or Removed.")
    @Pattern("^(Managed|Unmanaged|Force|Removed)$") private @Nullable String managementState;

    @JsonPropertyDescription(
            "ServiceAccount in that namespace by whose rights a chart, or numbered manifests, are applied and deleted."
                    + " Absent: the one that SRO makes there.")
    @Pattern("^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?)?$") private @Nullable String serviceAccountName;

    @JsonPropertyDescription("How a new driver comes to the nodes. Absent: the updateStrategy of its DaemonSet counts.")
    private @Nullable DriverUpgradePolicy upgradePolicy;

    @JsonPropertyDescription("Whether the engine logs more about this special resource.")
    private @Nullable Boolean debug;

    @JsonPropertyDescription("Kept from earlier versions; never read.")
    private @Nullable Boolean forceUpgrade;

    /** Creates an object with no field set. */
    public SpecialResourceSpec() {}

    /** Returns the plugin that is the recipe; null when absent. */
    public @Nullable PluginReference getPlugin() {
        return plugin;
    }

    /** Sets it; null removes it. */
    public void setPlugin(@Nullable PluginReference plugin) {
        this.plugin = plugin;
    }

    /** Returns the Helm chart that is the recipe; null when absent. */
    public @Nullable ChartReference getChart() {
        return chart;
    }

    /** Sets it; null removes it. */
    public void setChart(@Nullable ChartReference chart) {
        this.chart = chart;
    }

    /** Returns where the numbered manifests are that are the recipe; null when absent. */
    public @Nullable RecipeSource getRecipe() {
        return recipe;
    }

    /** Sets it; null removes it. */
    public void setRecipe(@Nullable RecipeSource recipe) {
        this.recipe = recipe;
    }

    /** Returns the namespace of the operands, where empty stands for the name of the special resource; empty when absent. */
    public String getNamespace() {
        return orEmpty(namespace);
    }

    /** Sets it; null removes it. */
    public void setNamespace(@Nullable String namespace) {
        this.namespace = namespace;
    }

    /** Returns the labels that a node must have to be served; empty when absent. */
    public Map<String, String> getNodeSelector() {
        return orEmpty(nodeSelector);
    }

    /** Sets it; null removes it. */
    public void setNodeSelector(@Nullable Map<String, String> nodeSelector) {
        this.nodeSelector = nodeSelector;
    }

    /** Returns the taint that nodes carry until the special resource is ready on them; null when absent. */
    public @Nullable ReadinessTaint getReadinessTaint() {
        return readinessTaint;
    }

    /** Sets it; null removes it. */
    public void setReadinessTaint(@Nullable ReadinessTaint readinessTaint) {
        this.readinessTaint = readinessTaint;
    }

    /** Returns how the nodes are kept for those that need the special resource; null when absent. */
    public @Nullable Partitioning getPartitioning() {
        return partitioning;
    }

    /** Sets it; null removes it. */
    public void setPartitioning(@Nullable Partitioning partitioning) {
        this.partitioning = partitioning;
    }

    /** Returns which partitioning SRO v1 was asked for, with its misspellings; empty when absent. */
    public String getSchedulingType() {
        return orEmpty(schedulingType);
    }

    /** Sets it; null removes it. */
    public void setSchedulingType(@Nullable String schedulingType) {
        this.schedulingType = schedulingType;
    }

    /** Returns the taints that SRO v1 was asked for; empty when absent. */
    public List<PartitionTaint> getTaints() {
        return orEmpty(taints);
    }

    /** Sets it; null removes it. */
    public void setTaints(@Nullable List<PartitionTaint> taints) {
        this.taints = taints;
    }

    /** Returns the priority classes that SRO v1 was asked for; empty when absent. */
    public List<PriorityClassObject> getPriorityClasses() {
        return orEmpty(priorityClasses);
    }

    /** Sets it; null removes it. */
    public void setPriorityClasses(@Nullable List<PriorityClassObject> priorityClasses) {
        this.priorityClasses = priorityClasses;
    }

    /** Returns the values for the recipe; empty when absent. */
    public Map<String, Object> getSet() {
        return orEmpty(set);
    }

    /** Sets it; null removes it. */
    public void setSet(@Nullable Map<String, Object> set) {
        this.set = set;
    }

    /** Returns what a driver container is built from; null when absent. */
    public @Nullable DriverContainer getDriverContainer() {
        return driverContainer;
    }

    /** Sets it; null removes it. */
    public void setDriverContainer(@Nullable DriverContainer driverContainer) {
        this.driverContainer = driverContainer;
    }

    /** Returns which image the driver comes from; null when absent. */
    public @Nullable DriverSpec getDriver() {
        return driver;
    }

    /** Sets it; null removes it. */
    public void setDriver(@Nullable DriverSpec driver) {
        this.driver = driver;
    }

    /** Returns settings that recipes of SRO v1 read; empty when absent. */
    public List<NamedValues> getConfiguration() {
        return orEmpty(configuration);
    }

    /** Sets it; null removes it. */
    public void setConfiguration(@Nullable List<NamedValues> configuration) {
        this.configuration = configuration;
    }

    /** Returns variables that recipes of SRO v1 read; empty when absent. */
    public List<KeyedValue> getEnvironment() {
        return orEmpty(environment);
    }

    /** Sets it; null removes it. */
    public void setEnvironment(@Nullable List<KeyedValue> environment) {
        this.environment = environment;
    }

    /** Returns which nodes a recipe of SRO v1 is for; null when absent. */
    public @Nullable NodeTerm getNode() {
        return node;
    }

    /** Sets it; null removes it. */
    public void setNode(@Nullable NodeTerm node) {
        this.node = node;
    }

    /** Returns special resources that a recipe of SRO v1 builds upon; empty when absent. */
    public List<RecipeDependency> getDependsOn() {
        return orEmpty(dependsOn);
    }

    /** Sets it; null removes it. */
    public void setDependsOn(@Nullable List<RecipeDependency> dependsOn) {
        this.dependsOn = dependsOn;
    }

    /** Returns the charts that must be ready first; empty when absent. */
    public List<ChartDependency> getDependencies() {
        return orEmpty(dependencies);
    }

    /** Sets it; null removes it. */
    public void setDependencies(@Nullable List<ChartDependency> dependencies) {
        this.dependencies = dependencies;
    }

    /** Returns one of Managed, Unmanaged, Force and Removed, where absent means Managed; null when absent. */
    public @Nullable String getManagementState() {
        return managementState;
    }

    /** Sets it; null removes it. */
    public void setManagementState(@Nullable String managementState) {
        this.managementState = managementState;
    }

    /**
     * Returns the service account by whose rights a recipe is applied that no plugin brought; empty when absent.
     *
     * @since 0.1.0
     */
    public String getServiceAccountName() {
        return serviceAccountName == null ? "" : serviceAccountName;
    }

    /**
     * Sets it; null removes it.
     *
     * @since 0.1.0
     */
    public void setServiceAccountName(@Nullable String serviceAccountName) {
        this.serviceAccountName = serviceAccountName;
    }

    /** Returns how a new driver comes to the nodes; null when absent. */
    public @Nullable DriverUpgradePolicy getUpgradePolicy() {
        return upgradePolicy;
    }

    /** Sets it; null removes it. */
    public void setUpgradePolicy(@Nullable DriverUpgradePolicy upgradePolicy) {
        this.upgradePolicy = upgradePolicy;
    }

    /** Returns whether the engine logs more about this special resource; null when absent. */
    public @Nullable Boolean getDebug() {
        return debug;
    }

    /** Sets it; null removes it. */
    public void setDebug(@Nullable Boolean debug) {
        this.debug = debug;
    }

    /** Returns a flag of earlier versions that is never read; null when absent. */
    public @Nullable Boolean getForceUpgrade() {
        return forceUpgrade;
    }

    /** Sets it; null removes it. */
    public void setForceUpgrade(@Nullable Boolean forceUpgrade) {
        this.forceUpgrade = forceUpgrade;
    }
}
