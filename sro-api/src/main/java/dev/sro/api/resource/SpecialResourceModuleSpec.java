package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a module that is built for other clusters.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class SpecialResourceModuleSpec extends ResourceValue {
    @JsonPropertyDescription("Helm chart that is installed for each version.")
    @Required
    private @Nullable ChartReference chart;

    @JsonPropertyDescription("Namespace of everything that is installed; empty means the name of the module.")
    @Required
    private @Nullable String namespace;

    @JsonPropertyDescription("Values for the chart. Kubernetes wants apiVersion and kind in it; by custom these are"
            + " sro.openshift.io/v1beta1 and Values.")
    @PreserveUnknownFields
    private @Nullable Map<String, Object> set;

    @JsonPropertyDescription("Objects from which versions of OpenShift are taken.")
    @Required
    private @Nullable List<ModuleWatch> watch;

    @JsonPropertyDescription(
            "Secret with logins of registries, of type kubernetes.io/dockerconfigjson. On OpenShift the cluster-wide"
                    + " pull secret is used where this is absent.")
    private @Nullable CredentialsSecret pullSecret;

    @JsonPropertyDescription(
            "Address of the update service that knows the release image of a version, where it is not that of"
                    + " OpenShift.")
    @Pattern("^https?://.+$") private @Nullable String upgradeGraph;

    /** Creates an object with no field set. */
    public SpecialResourceModuleSpec() {}

    /** Returns the Helm chart that is installed for each version; null when absent. */
    public @Nullable ChartReference getChart() {
        return chart;
    }

    /** Sets it; null removes it. */
    public void setChart(@Nullable ChartReference chart) {
        this.chart = chart;
    }

    /** Returns the namespace of everything that is installed; empty when absent. */
    public String getNamespace() {
        return orEmpty(namespace);
    }

    /** Sets it; null removes it. */
    public void setNamespace(@Nullable String namespace) {
        this.namespace = namespace;
    }

    /** Returns the values for the chart; empty when absent. */
    public Map<String, Object> getSet() {
        return orEmpty(set);
    }

    /** Sets it; null removes it. */
    public void setSet(@Nullable Map<String, Object> set) {
        this.set = set;
    }

    /** Returns the objects from which versions of OpenShift are taken; empty when absent. */
    public List<ModuleWatch> getWatch() {
        return orEmpty(watch);
    }

    /** Sets it; null removes it. */
    public void setWatch(@Nullable List<ModuleWatch> watch) {
        this.watch = watch;
    }

    /** Returns the Secret with logins of registries; null when absent. */
    public @Nullable CredentialsSecret getPullSecret() {
        return pullSecret;
    }

    /** Sets it; null removes it. */
    public void setPullSecret(@Nullable CredentialsSecret pullSecret) {
        this.pullSecret = pullSecret;
    }

    /** Returns the address of the update service; empty when absent. */
    public String getUpgradeGraph() {
        return orEmpty(upgradeGraph);
    }

    /** Sets it; null removes it. */
    public void setUpgradeGraph(@Nullable String upgradeGraph) {
        this.upgradeGraph = upgradeGraph;
    }
}
