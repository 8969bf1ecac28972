package dev.sro.testkit.preflight;

import static dev.sro.testkit.preflight.FakeRegistry.OCI_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.gzip;
import static dev.sro.testkit.preflight.FakeRegistry.layer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.PoolStatus;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Images whose tags name the build of RHEL CoreOS that nodes say they run. */
class CoreOsTagScenarioTest extends PreflightWorld {
    private static final String BUILD = "410.84.202201102104-0";
    private static final String LATER = "410.84.202203221702-0";

    CoreOsTagScenarioTest() {
        super(new DriverPlugin());
    }

    @BeforeEach
    void driver() {
        registry.push("acme/driver", "v1-" + BUILD, OCI_MANIFEST, gzip(layer(Map.of("etc/driver", "x"))));
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec:
              namespace: acme
              plugin: {name: acme}
              driver: {repository: "%s/acme/driver", version: v1, tags: {prebuilt: "${driverVersion}-${rhcos}"}}
            """.formatted(registry.host()));
        sandbox.run(Duration.ofMinutes(2));
    }

    private PoolStatus pool() {
        return Objects.requireNonNull(sandbox.get("acme").orElseThrow().getStatus())
                .getPools()
                .get(0);
    }

    @Test
    void theBuildIsTheOneThatTheNodesSay() {
        assertThat(pool().getDriverImage()).isEqualTo(registry.host() + "/acme/driver:v1-" + BUILD);
        assertThat(sandbox.isReady("acme")).as(sandbox.state("acme")).isTrue();
    }

    @Test
    void nodesOfOnePoolThatDifferInItAreNamed() {
        OsRelease now = OsRelease.RHCOS_8;
        OsRelease later = new OsRelease(
                now.osImage().replace(BUILD, LATER),
                now.id(),
                now.versionId(),
                Map.of("OSTREE_VERSION", LATER, "RHEL_VERSION", "8.4"),
                now.containerRuntime(),
                now.kernel());
        sandbox.nodes().create("two", NodeProfile.of(later).withRole("worker"));
        sandbox.run(Duration.ofMinutes(3));

        assertThat(pool().getDriverReason()).isEqualTo("NodeBuildsDiffer");
        assertThat(pool().getDriverMessage()).contains(BUILD + " on one; " + LATER + " on two");
        assertThat(pool().getDriverImage()).as("what runs stays").endsWith("v1-" + BUILD);

        sandbox.nodes().delete("two");
        sandbox.run(Duration.ofMinutes(2));
        assertThat(pool().getDriverReason()).isNull();
    }
}
