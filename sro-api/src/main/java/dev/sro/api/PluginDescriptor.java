package dev.sro.api;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import java.util.Map;
import org.immutables.value.Value;

/**
 * The facts that SRO must know about a plugin before it asks it anything. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class PluginDescriptor {

    PluginDescriptor() {}

    /** The name that {@code spec.plugin.name} refers to: a DNS label of at most 63 characters. */
    public abstract String name();

    /** Version of the plugin, as a person should read it in a status. */
    public abstract String version();

    /** The vendor, for messages ("whose fault is it"). */
    public abstract String vendor();

    /**
     * Resources of all kinds that this plugin's manifests may contain, on any platform: {@code plural} for the core group,
     * {@code plural.group} for others, such as {@code configmaps} and {@code daemonsets.apps}. {@code sro rbac} grants SRO
     * what it takes to keep such objects; the compatibility kit finds those that are missing.
     */
    public abstract List<String> operandResources();

    /**
     * API rules that this plugin's manifests need beyond what their kinds imply: above all those that a Role or ClusterRole
     * among them grants, as nobody may grant what they do not have. {@code sro rbac} lists them for the administrator who
     * grants them; a write that is refused for want of one is {@code Failed(Forbidden)} with the verb and the kind.
     */
    public abstract List<PolicyRule> rbacRules();

    /**
     * Custom resources, as {@code plural.group}, without which the plugin cannot work. While the cluster does not serve
     * one, the special resource is {@code Failed(RequiredCrdMissing)}, and SRO goes on looking for it.
     */
    public abstract List<String> requiredCrds();

    /**
     * Resources, as {@code plural.group}, that the plugin uses where they are served: custom resources, and those of Kubernetes
     * itself that only newer versions have. Objects of a kind that is not served are skipped, which the special resource says
     * in its condition {@code OptionalObjectsSkipped}, and written as soon as it is served.
     */
    public abstract List<String> optionalCrds();

    /** Images that a disconnected cluster has to mirror, each with a tag or digest; {@code sro plugins} lists them. */
    public abstract List<String> relatedImages();

    /**
     * The plugin's settings. Where there are any, all that {@code spec.plugin.config} has must be one of them, or have a default in {@link
     * #defaultConfig}; what is wrong is {@code Failed(InvalidSetting)} before the plugin is asked anything, and their defaults hold where
     * the user says nothing. A plugin with a {@link ConfigConverter} says here what that makes.
     */
    public abstract List<Setting<?>> settings();

    /** Settings that hold where {@code spec.plugin.config} says nothing; compared and merged key by key, not deeper. */
    public abstract Map<String, Object> defaultConfig();

    /** A descriptor with nothing but the three names. */
    public static PluginDescriptor of(String name, String version, String vendor) {
        return builder().name(name).version(version).vendor(vendor).build();
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    @Value.Check
    void check() {
        Checks.dnsLabel("PluginDescriptor.name", name());
        Checks.notBlank("PluginDescriptor.version", version());
        operandResources().forEach(resource -> Checks.dnsSubdomain("PluginDescriptor.operandResources", resource));
        requiredCrds().forEach(crd -> crd("requiredCrds", crd));
        optionalCrds().forEach(crd -> crd("optionalCrds", crd));
        Checks.noDuplicates(
                "PluginDescriptor.settings",
                settings().stream().map(Setting::name).toList());
        relatedImages().forEach(image -> Checks.image("PluginDescriptor.relatedImages", image));
    }

    private static void crd(String field, String name) {
        Checks.dnsSubdomain("PluginDescriptor." + field, name);
        Checks.require(
                name.indexOf('.') > 0,
                "PluginDescriptor." + field,
                "\"" + name + "\" must be the name of a CRD: plural.group, for example clusterpolicies.nvidia.com");
    }

    /** Builds a {@link PluginDescriptor}. Not thread-safe. */
    public static final class Builder extends ImmutablePluginDescriptor.Builder {
        Builder() {}
    }
}
