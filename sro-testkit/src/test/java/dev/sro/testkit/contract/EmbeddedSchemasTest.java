package dev.sro.testkit.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;

/** With the API server of the testkit. */
@EnabledIf(value = "crdsAreHere", disabledReason = "no corpus here: set SRO_CORPUS to the folder that has crds/")
class EmbeddedSchemasTest extends ThirdPartySchemas {

    private static ManifestSchemas schemas = ManifestSchemas.ofBuiltinKinds();

    @BeforeAll
    static void start() {
        schemas.close();
        schemas = ManifestSchemas.of(crds().orElseThrow(), GROUPS);
    }

    @AfterAll
    static void stop() {
        schemas.close();
    }

    @Override
    ManifestSchemas schemas() {
        return schemas;
    }
}
