package dev.sro.testkit.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.VerificationStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A preflight while no operator runs. */
class PreflightRestartScenarioTest extends PreflightWorld {

    private static final String NEXT = "4.18.0-372.32.1.el8_6.x86_64";

    private static final String SETTINGS = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings}
        """;

    private static final String DRIVER = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata:
          name: driver
          annotations: {specialresource.openshift.io/state: driver-container}
        spec:
          selector: {matchLabels: {app: driver}}
          template:
            metadata: {labels: {app: driver}}
            spec: {containers: [{name: driver, image: "%s/gone:v{{.KernelFullVersion}}"}]}
        """;

    PreflightRestartScenarioTest() {
        super(new PreflightPlugin());
    }

    private void stateFiles(String yaml) {
        sandbox.client().resource("""
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: files, namespace: files}
            data:
              0000-all.yaml: |
            %s
            """.formatted(yaml.indent(4))).serverSideApply();
    }

    /** In a ConfigMap, so that nothing of the special resource itself tells of it. */
    @Test
    void aRecipeThatChangedWhileNoOperatorRanIsCheckedAnew() {
        sandbox.client().resource("""
            apiVersion: v1
            kind: Namespace
            metadata: {name: files}
            """).serverSideApply();
        stateFiles(SETTINGS);
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: files}
            spec: {namespace: files}
            """);
        preflight("updateImage: \"" + registry.release("4.12.3", NEXT, "", "8.6") + "\"");
        assertThat(verdict("files").getVerificationStatus()).isEqualTo(VerificationStatus.TRUE);

        sandbox.kill();
        stateFiles(DRIVER.formatted(registry.host()));
        sandbox.start();
        sandbox.run(Duration.ofMinutes(1));

        assertThat(verdict("files").getVerificationStatus()).isEqualTo(VerificationStatus.FALSE);
    }
}
