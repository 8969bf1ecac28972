package dev.sro.testkit.contract;

import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

/** With a real one: what the testkit's says of an object is what a cluster says. */
@RealControlPlane
@EnabledIf(value = "crdsAreHere", disabledReason = "no corpus here: set SRO_CORPUS to the folder that has crds/")
class RealSchemasTest extends ThirdPartySchemas {

    private static @Nullable ManifestSchemas schemas;

    @BeforeAll
    static void start(RealCluster cluster) {
        schemas = ManifestSchemas.on(cluster.client(), crds().orElseThrow(), GROUPS);
    }

    @AfterAll
    static void stop() {
        Objects.requireNonNull(schemas).close();
    }

    @Override
    ManifestSchemas schemas() {
        return Objects.requireNonNull(schemas);
    }
}
