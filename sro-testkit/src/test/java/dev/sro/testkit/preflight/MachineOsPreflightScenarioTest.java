package dev.sro.testkit.preflight;

import static dev.sro.testkit.preflight.FakeRegistry.OCI_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.gzip;
import static dev.sro.testkit.preflight.FakeRegistry.layer;
import static dev.sro.testkit.preflight.FakeRegistry.toolkit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.VerificationStatus;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What nodes boot is in the image of their operating system; the driver toolkit of a release may be older. */
class MachineOsPreflightScenarioTest extends PreflightWorld {

    /** As in 4.22.0-okd-scos.0: six releases had the toolkit of an earlier one. */
    private static final String TOOLKIT = "6.12.0-212.el10.x86_64";

    private static final String BOOTED = "6.12.0-224.el10.x86_64";

    private static final String DRIVER = """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata:
          name: driver
          annotations:
            specialresource.openshift.io/kernel-affine: "true"
            specialresource.openshift.io/state: driver-container
            %s
        spec:
          selector: {matchLabels: {app: driver}}
          template:
            metadata: {labels: {app: driver}}
            spec:
              containers:
              - {name: driver, image: "%s/driver:v${kernelFullVersion}"}
        """;

    private static final String BUILD = """
        ---
        apiVersion: build.openshift.io/v1
        kind: BuildConfig
        metadata:
          name: build
          annotations:
            specialresource.openshift.io/kernel-affine: "true"
            specialresource.openshift.io/driver-container-vendor: acme
        spec: {source: {type: Git}, strategy: {type: Docker}}
        """;

    MachineOsPreflightScenarioTest() {
        super(new PreflightPlugin());
    }

    private void apply(String yaml) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec:
              namespace: acme
              plugin:
                name: text
                config:
                  yaml: |
            %s
            """.formatted(yaml.indent(10)));
    }

    private void driver(String kernel) {
        registry.push("driver", "v" + kernel, OCI_MANIFEST, gzip(layer(toolkit(kernel, "", "10.0"))));
        apply(DRIVER.formatted("", registry.host()));
    }

    private void release(Map<String, String> more) {
        preflight("updateImage: \"" + registry.release("4.22.0", TOOLKIT, "", "10.0", more) + "\"");
    }

    private String system(String tag, String... labelsAndValues) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (int i = 0; i < labelsAndValues.length; i += 2) {
            labels.put(labelsAndValues[i], labelsAndValues[i + 1]);
        }
        return registry.labelled("ocp/os", tag, labels);
    }

    @ParameterizedTest
    @CsvSource({
        "stream-coreos, ostree.linux",
        "rhel-coreos, ostree.linux",
        "rhel-coreos-8, ostree.linux",
        "machine-os-content, com.coreos.rpm.kernel"
    })
    void theKernelIsThatOfTheOperatingSystemUnderEachOfItsNames(String tag, String label) {
        driver(BOOTED);
        release(Map.of(tag, system(tag, label, BOOTED)));

        assertThat(status().getTargets().get(0).getKernelVersion()).isEqualTo(BOOTED);
        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.TRUE);
        assertThat(verdict("acme").getStatusReason()).contains(TOOLKIT, BOOTED, "driver toolkit");
    }

    @Test
    void anImageForTheKernelOfTheToolkitIsNoAnswer() {
        driver(TOOLKIT);
        release(Map.of("stream-coreos", system("new", "ostree.linux", BOOTED)));

        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.FALSE);
        assertThat(verdict("acme").getStatusReason()).contains("driver:v" + BOOTED);
    }

    @Test
    void whatIsBuiltInTheClusterIsSaidToHaveNoToolkit() {
        apply(DRIVER.formatted("specialresource.openshift.io/driver-container-vendor: acme", registry.host()) + BUILD);
        release(Map.of("stream-coreos", system("new", "ostree.linux", BOOTED)));

        assertThat(verdict("acme").getStatusReason())
                .contains("builds the image", "the driver toolkit of the release is for kernel " + TOOLKIT);
    }

    @Test
    void whereBothAreTheSameThereIsNothingToSay() {
        driver(TOOLKIT);
        release(Map.of("rhel-coreos", system("same", "ostree.linux", TOOLKIT)));

        assertThat(status().getTargets().get(0).getKernelVersion()).isEqualTo(TOOLKIT);
        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.TRUE);
        assertThat(verdict("acme").getStatusReason()).doesNotContain("driver toolkit of the release");
    }

    @Test
    void anOperatingSystemThatCannotBeReadLeavesTheToolkitAsTheBestThatIsKnown() {
        driver(TOOLKIT);
        release(Map.of("rhel-coreos", registry.host() + "/ocp/os@sha256:" + "0".repeat(64)));

        assertThat(status().getTargets().get(0).getKernelVersion()).isEqualTo(TOOLKIT);
        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.TRUE);
        assertThat(verdict("acme").getStatusReason())
                .contains("taken from the driver toolkit", "rhel-coreos", "cannot be read");
    }

    /** Of a kernel that is not that of the toolkit, only the operating system knows the real-time one. */
    @ParameterizedTest
    @CsvSource({
        "4.18.0-372.32.1.rt7.189.el8_6.x86_64, 4.18.0-372.32.1.rt7.189.el8_6.x86_64",
        "5.14.0-427.11.1.el9_4.x86_64, 5.14.0-427.11.1.el9_4.x86_64+rt"
    })
    void theRealTimeKernelIsThatOfTheOperatingSystemToo(String label, String kernel) {
        sandbox.nodes()
                .create("rt", NodeProfile.of(OsRelease.RHCOS_8).withKernel("4.18.0-305.19.1.rt7.91.el8_4.x86_64"));
        sandbox.run(Duration.ofMinutes(1));
        driver(BOOTED);
        release(Map.of(
                "rhel-coreos",
                system("new", "ostree.linux", BOOTED),
                "machine-os-content",
                system("old", "com.coreos.rpm.kernel", BOOTED, "com.coreos.rpm.kernel-rt-core", label)));

        assertThat(status().getTargets().get(0).getRealTimeKernelVersion()).isEqualTo(kernel);
    }

    @Test
    void nodesWithARealTimeKernelThatNobodyNamesAreToldSo() {
        sandbox.nodes()
                .create("rt", NodeProfile.of(OsRelease.RHCOS_8).withKernel("4.18.0-305.19.1.rt7.91.el8_4.x86_64"));
        sandbox.run(Duration.ofMinutes(1));
        driver(BOOTED);
        release(Map.of("rhel-coreos", system("new", "ostree.linux", BOOTED)));

        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.ERROR);
        assertThat(verdict("acme").getStatusReason()).contains("real-time kernel");
    }
}
