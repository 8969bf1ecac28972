package dev.sro.testkit.vendors;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Pool;
import dev.sro.api.Reach;
import dev.sro.api.State;
import java.util.List;
import java.util.Map;

/** States and names that more than one of the vendors has. Stateless. */
final class Vendors {

    private Vendors() {}

    static ManifestTemplate manifest(String file) {
        return ManifestTemplate.resource(Vendors.class, file);
    }

    /** A driver container for each kernel, node by node; {@code driverImage} is a variable of the plugin. */
    static State.Builder driver(String id) {
        return State.builder().id(id).reach(Reach.nodeByNode()).addManifests(manifest("driver.yaml"));
    }

    /** A DaemonSet on the nodes with these labels, node by node. */
    static State.Builder operand(String id, String name, String image, Map<String, String> selector) {
        return State.builder()
                .id(id)
                .reach(Reach.nodeByNode())
                .putVariables("operand", name)
                .putVariables("image", image)
                .putVariables("selector", selector)
                .addManifests(manifest("operand.yaml"));
    }

    /** A Job for each kernel. */
    static State.Builder job(String id, String name, String image, String... arguments) {
        return State.builder()
                .id(id)
                .putVariables("operand", name)
                .putVariables("image", image)
                .putVariables("arguments", List.of(arguments))
                .addManifests(manifest("job.yaml"));
    }

    /** The operating system as image tags of most vendors have it: {@code ubuntu22.04}, {@code rhel9.4}. */
    static String osTag(Pool pool) {
        return pool.os().toString();
    }

    /** A special resource with this plugin and settings. */
    static String resource(String plugin, String config) {
        return """
                apiVersion: sro.openshift.io/v1beta1
                kind: SpecialResource
                metadata: {name: %1$s}
                spec:
                  namespace: %1$s-operator
                  plugin: {name: %1$s, config: %2$s}
                """.formatted(plugin, config);
    }
}
