package dev.sro.testkit.contract;

import dev.sro.api.PluginDescriptor;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * Definitions of the kinds of others that most plugins make objects of, so that no vendor has to bring them: those of Prometheus'
 * operator and of Node Feature Discovery, with the fields that their published APIs have. Stateless.
 */
final class CommonDefinitions {

    private static final List<String> NAMES = List.of(
            "nodefeaturerules.nfd.k8s-sigs.io",
            "podmonitors.monitoring.coreos.com",
            "prometheusrules.monitoring.coreos.com",
            "servicemonitors.monitoring.coreos.com");

    private CommonDefinitions() {}

    /** All of them, sorted by name. */
    static List<CustomResourceDefinition> all() {
        return NAMES.stream().map(CommonDefinitions::read).toList();
    }

    /** Those that the plugin names as required, optional or its operands' own. */
    static List<CustomResourceDefinition> of(PluginDescriptor plugin) {
        Set<String> wanted = PublishedDefinitions.named(plugin);
        return NAMES.stream()
                .filter(wanted::contains)
                .map(CommonDefinitions::read)
                .toList();
    }

    private static CustomResourceDefinition read(String name) {
        try (InputStream in = CommonDefinitions.class.getResourceAsStream(name + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException("missing on the class path: " + name);
            }
            return new KubernetesSerialization()
                    .unmarshal(new String(in.readAllBytes(), StandardCharsets.UTF_8), CustomResourceDefinition.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
