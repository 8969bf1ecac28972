package dev.sro.api;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.List;
import org.immutables.value.Value;

/** What SRO must know about a plugin before it asks it anything. Immutable. */
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

    /** API rules that this plugin's manifests need beyond what their kinds imply. */
    public abstract List<PolicyRule> rbacRules();

    /** CRDs, by name ({@code plural.group}), without which the plugin cannot work. */
    public abstract List<String> requiredCrds();

    /** Images that a disconnected cluster has to mirror. */
    public abstract List<String> relatedImages();

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
        Names.requireDnsLabel("PluginDescriptor.name", name());
    }

    /** Builds a {@link PluginDescriptor}. Not thread-safe. */
    public static final class Builder extends ImmutablePluginDescriptor.Builder {
        Builder() {}
    }
}
