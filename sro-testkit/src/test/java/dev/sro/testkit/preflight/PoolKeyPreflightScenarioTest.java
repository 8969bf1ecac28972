package dev.sro.testkit.preflight;

import static dev.sro.testkit.preflight.FakeRegistry.OCI_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.gzip;
import static dev.sro.testkit.preflight.FakeRegistry.layer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.NodeFacts;
import dev.sro.api.PluginDescriptor;
import dev.sro.api.Pool;
import dev.sro.api.PoolKeyProvider;
import dev.sro.api.RecipeContext;
import dev.sro.api.StateGraph;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.ImageResolver;
import dev.sro.api.resource.SpecialResourcePreflight;
import dev.sro.api.resource.VerificationStatus;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A preflight for a plugin whose images depend on the release that the nodes run, by its pool key. */
class PoolKeyPreflightScenarioTest extends PreflightWorld {
    private static final String NEXT = "4.18.0-372.32.1.el8_6.x86_64";

    /** One image for each release of OpenShift that nodes run. */
    private static final class ReleasePlugin implements AcceleratorPlugin, PoolKeyProvider, ImageResolver {
        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.of("acme", "1.0.0", "Test Vendor");
        }

        @Override
        public StateGraph states(RecipeContext context) {
            return new DriverPlugin().states(context);
        }

        @Override
        public Map<String, String> poolKey(NodeFacts node, RecipeContext context) {
            return Map.of(
                    "release",
                    node.labels().getOrDefault("feature.node.kubernetes.io/system-os_release.VERSION_ID", "none"));
        }

        @Override
        public ImageCandidates images(RecipeContext context, Pool pool) {
            return ImageCandidates.of(ImageCandidate.builder()
                    .kind(ImageCandidate.Kind.PREBUILT)
                    .reference(context.config().get("registry") + "/driver:"
                            + pool.key().get("release"))
                    .build());
        }
    }

    PoolKeyPreflightScenarioTest() {
        super(new ReleasePlugin());
    }

    @Test
    void theImageIsThatOfTheReleaseToCome() {
        registry.push("driver", "4.12", OCI_MANIFEST, gzip(layer(Map.of("etc/driver", "x"))));
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec:
              namespace: acme
              plugin: {name: acme, config: {registry: "%s"}}
            """.formatted(registry.host()));

        preflight("updateImage: \"" + registry.release("4.12.3", NEXT, "", "8.6") + "\"");
        sandbox.run(Duration.ofMinutes(2));
        SpecialResourcePreflight verdict = verdict("acme");

        assertThat(verdict.getStatusReason()).contains(registry.host() + "/driver:4.12 ");
        assertThat(verdict.getVerificationStatus())
                .as(verdict.getStatusReason())
                .isEqualTo(VerificationStatus.TRUE);
    }
}
