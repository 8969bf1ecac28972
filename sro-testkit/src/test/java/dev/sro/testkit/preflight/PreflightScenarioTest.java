package dev.sro.testkit.preflight;

import static dev.sro.testkit.preflight.FakeRegistry.OCI_INDEX;
import static dev.sro.testkit.preflight.FakeRegistry.OCI_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.gzip;
import static dev.sro.testkit.preflight.FakeRegistry.layer;
import static dev.sro.testkit.preflight.FakeRegistry.toolkit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.PreflightEvidence;
import dev.sro.api.resource.PreflightTargetStatus;
import dev.sro.api.resource.PreflightValidationStatus;
import dev.sro.api.resource.SpecialResource;
import dev.sro.api.resource.SpecialResourcePreflight;
import dev.sro.api.resource.VerificationStatus;
import dev.sro.testkit.server.Recording;
import dev.sro.testkit.sim.NodeProfile;
import dev.sro.testkit.sim.OsRelease;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The life of a PreflightValidation, on OpenShift and elsewhere, with the operator and a registry over HTTP. */
class PreflightScenarioTest extends PreflightWorld {
    private static final String NOW = "4.18.0-305.19.1.el8_4.x86_64";
    private static final String NEXT = "4.18.0-372.32.1.el8_6.x86_64";
    private static final String NEXT_RT = "4.18.0-372.32.1.rt7.189.el8_6.x86_64";
    private static final byte[] OTHER = gzip(layer(Map.of("etc/passwd", "root")));

    PreflightScenarioTest() {
        super(new PreflightPlugin());
    }

    private static String driver(String image, String annotations) {
        return """
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
                  - {name: driver, image: "%s"}
            """.formatted(annotations, image);
    }

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

    private static final String SETTINGS = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: settings}
        """;

    private void apply(String name, String yaml) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: %1$s}
            spec:
              namespace: %1$s
              plugin:
                name: text
                config:
                  yaml: |
            %2$s
            """.formatted(name, yaml.indent(10)));
    }

    private void release() {
        preflight("updateImage: \"" + registry.release("4.12.3", NEXT, NEXT_RT, "8.6") + "\", debug: false");
    }

    /** The verdicts of the original, by facts; "pushed" is what the registry has, from the bottom to the top. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        PF1 built in the cluster       | acme | true  | none            | TRUE  | builds the image
        PF2 no driver container        |      | false | none            | TRUE  | no driver container
        PF3 image unreachable          |      | false | none            | FALSE | HTTP 404
        PF4 layer unreachable          |      | false | lost            | FALSE | cannot be read
        PF5 no file on any layer       |      | false | other           | FALSE | in any layer
        PF6 another kernel             |      | false | now             | FALSE | is for kernel 4.18.0-305
        PF7 the kernel to come         |      | false | next            | TRUE  | is for 4.18.0-372
        PF8 in an intermediate layer   |      | false | other next other| TRUE  | is for 4.18.0-372
        PF9 the topmost file counts    |      | false | now next        | TRUE  | is for 4.18.0-372
        PF10 and hides those below     |      | false | next now        | FALSE | is for kernel 4.18.0-305
        PF11 without the architecture  |      | false | short           | TRUE  | is for 4.18.0-372
        PF12 build of another vendor   | else | true  | none            | FALSE | HTTP 404
        """)
    void verdict(String id, String vendor, boolean build, String pushed, String expected, String reason) {
        Map<String, byte[]> layers = Map.of(
                "other", OTHER,
                "now", gzip(layer(toolkit(NOW, "", "8.4"))),
                "next", gzip(layer(toolkit(NEXT, NEXT_RT, "8.6"))),
                "short", gzip(layer(toolkit(NEXT.replace(".x86_64", ""), "", "8.6"))),
                "lost", gzip(layer(toolkit(NEXT, "", "8.6"))));
        if (!pushed.equals("none")) {
            byte[][] stack =
                    List.of(pushed.split(" ")).stream().map(layers::get).toArray(byte[][]::new);
            registry.push("driver", "v" + NEXT, OCI_MANIFEST, stack);
        }
        if (pushed.equals("lost")) {
            registry.lose(FakeRegistry.digest(Objects.requireNonNull(layers.get("lost"))));
        }
        String annotation = vendor == null ? "" : "specialresource.openshift.io/driver-container-vendor: " + vendor;
        apply(
                "acme",
                id.startsWith("PF2 ")
                        ? SETTINGS
                        : driver(registry.host() + "/driver:v${kernelFullVersion}", annotation) + (build ? BUILD : ""));
        release();

        assertThat(verdict("acme").getVerificationStatus()).hasToString(expected);
        assertThat(verdict("acme").getStatusReason()).contains(reason);
        assertThat(verified().getStatus()).isEqualTo(expected.equals("TRUE") ? "True" : "False");
    }

    /** The image itself is for the kernel of today. */
    @ParameterizedTest
    @CsvSource({
        "GOOD, TRUE, the plugin says that registry.example/driver:v4.18.0-372",
        "BUILDABLE, TRUE, can be built",
        "BAD, FALSE, is not good: signed for 8.6 of 4.12.3",
        "UNKNOWN, FALSE, is for kernel 4.18.0-305",
    })
    void thePluginsOwnWordCountsUnlessItKnowsNothing(String said, String expected, String reason) {
        registry.push("driver", "v" + NEXT, OCI_MANIFEST, gzip(layer(toolkit(NOW, "", "8.4"))));
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec:
              namespace: acme
              plugin:
                name: text
                config:
                  said: %1$s
                  yaml: |
            %2$s
            """.formatted(
                said,
                driver(registry.host() + "/driver:v${kernelFullVersion}", "").indent(10)));
        release();

        assertThat(verdict("acme").getVerificationStatus()).hasToString(expected);
        assertThat(verdict("acme").getStatusReason()).contains(reason);
        assertThat(verdict("acme").getEvidence()).anySatisfy(evidence -> {
            assertThat(evidence.getImage()).isEqualTo("registry.example/driver:v" + NEXT);
            assertThat(evidence.getWantedKernel()).isEqualTo(NEXT);
            assertThat(evidence.getMessage()).contains("signed for 8.6 of 4.12.3");
        });
    }

    @Test
    void saysWhatTheVerdictRestsOn() {
        byte[] layer = gzip(layer(toolkit(NOW, "", "8.4")));
        String digest = registry.push("driver", "v" + NEXT, OCI_MANIFEST, layer, OTHER);
        apply("acme", driver(registry.host() + "/driver:v${kernelFullVersion}", ""));
        release();

        PreflightEvidence evidence = verdict("acme").getEvidence().get(0);
        assertThat(evidence.getObject()).contains("DaemonSet", "acme/driver");
        assertThat(evidence.getImage()).isEqualTo(registry.host() + "/driver:v" + NEXT);
        assertThat(evidence.getSource()).isEqualTo(registry.host() + "/driver");
        assertThat(evidence.getDigest()).isEqualTo(digest);
        assertThat(evidence.getLayer()).isEqualTo(FakeRegistry.digest(layer));
        assertThat(evidence.getFile()).isEqualTo("/etc/driver-toolkit-release.json");
        assertThat(evidence.getKernelVersion()).isEqualTo(NOW);
        assertThat(evidence.getWantedKernel()).isEqualTo(NEXT);
        PreflightTargetStatus target = status().getTargets().get(0);
        assertThat(target.getReleaseVersion()).isEqualTo("4.12.3");
        assertThat(target.getKernelVersion()).isEqualTo(NEXT);
        assertThat(target.getOsVersion()).isEqualTo("8.6");
        assertThat(verified().getReason()).isEqualTo("NotVerified");
        assertThat(verified().getMessage()).contains("acme");
    }

    @Test
    void changesNothingInTheClusterAndIsQuietInTheEnd() {
        apply("acme", SETTINGS);
        sandbox.settle();
        Recording recording = sandbox.cluster().recording();
        recording.start();
        release();

        assertThat(recording.entries(
                        entry -> entry.isWrite() && !String.valueOf(entry).contains("preflightvalidations")))
                .isEmpty();
        recording.reset();
        sandbox.run(Duration.ofHours(2));
        assertThat(recording.entries()).isEmpty();
        recording.stop();
    }

    @Test
    void whatWasNotReadyIsLookedAtAgain() {
        apply("acme", driver(registry.host() + "/driver:v${kernelFullVersion}", ""));
        release();
        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.FALSE);
        registry.push("driver", "v" + NEXT, OCI_MANIFEST, gzip(layer(toolkit(NEXT, "", "8.6"))));

        sandbox.run(Duration.ofMinutes(11));

        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.TRUE);
        assertThat(verified().getReason()).isEqualTo("AllVerified");
    }

    @Test
    void isCheckedAnewWhenItOrTheSpecialResourceChanges() {
        apply("acme", SETTINGS);
        release();
        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.TRUE);

        apply("acme", driver(registry.host() + "/gone:v${kernelFullVersion}", ""));
        sandbox.settle();
        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.FALSE);

        apply("acme", driver(registry.host() + "/driver:v${kernelFullVersion}", ""));
        registry.push("driver", "v5.14.0-1.el9.x86_64", OCI_MANIFEST, gzip(layer(toolkit("5.14.0-1.el9", "", "9.0"))));
        preflight("updateImage: \"" + registry.release("4.13.0", "5.14.0-1.el9", "", "9.0") + "\"");
        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.TRUE);
        assertThat(status().getTargets().get(0).getReleaseVersion()).isEqualTo("4.13.0");
    }

    @Test
    void specialResourcesThatGoAreNotWaitedFor() {
        apply("acme", driver(registry.host() + "/gone:v1", ""));
        apply("other", SETTINGS);
        release();
        assertThat(verified().getStatus()).isEqualTo("False");

        sandbox.client().resources(SpecialResource.class).withName("acme").delete();
        sandbox.run(Duration.ofMinutes(2));

        assertThat(status().getSrStatuses())
                .extracting(SpecialResourcePreflight::getName)
                .containsExactly("other");
        assertThat(verified().getStatus()).isEqualTo("True");
    }

    @Test
    void onlyTheNamedAreCheckedAndTheOthersAreSaidToBeMissing() {
        apply("acme", SETTINGS);
        apply("other", SETTINGS);
        preflight("kernelVersion: \"" + NEXT + "\", specialResources: [other, nobody]");

        assertThat(status().getSrStatuses())
                .extracting(SpecialResourcePreflight::getName)
                .containsExactly("nobody", "other");
        assertThat(verdict("nobody").getVerificationStatus()).isEqualTo(VerificationStatus.ERROR);
        assertThat(verdict("nobody").getStatusReason()).contains("no special resource nobody");
        assertThat(verified().getReason()).isEqualTo("CheckFailed");
    }

    @Test
    void oneThatIsNamedAndGoesIsNotLookedAtAgainAllTheTime() {
        apply("acme", driver(registry.host() + "/driver:v1", ""));
        preflight("kernelVersion: \"" + NEXT + "\", specialResources: [acme]");
        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.FALSE);
        sandbox.client().resources(SpecialResource.class).withName("acme").delete();
        sandbox.run(Duration.ofMinutes(20));
        assertThat(verdict("acme").getStatusReason()).contains("no special resource acme");

        long before = sandbox.workDone();
        sandbox.run(Duration.ofHours(1));
        assertThat(sandbox.workDone() - before).isLessThan(20);
        apply("acme", SETTINGS);
        sandbox.run(Duration.ofMinutes(1));
        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.TRUE);
    }

    @Test
    void aReleaseThatCannotBeReadIsAnErrorOfEachCheck() {
        apply("acme", SETTINGS);
        registry.push("other", "v1", OCI_MANIFEST, OTHER);
        preflight("updateImage: \"" + registry.host() + "/other:v1\"");

        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.ERROR);
        assertThat(verdict("acme").getStatusReason()).contains("is no release image of OpenShift");
    }

    @Test
    void eachArchitectureAndTheRealTimeKernelHaveTheirOwn() {
        sandbox.nodes()
                .create(
                        "arm",
                        NodeProfile.of(OsRelease.RHCOS_8)
                                .withArchitecture("arm64")
                                .withKernel(NOW.replace("x86_64", "aarch64")));
        sandbox.nodes()
                .create("rt", NodeProfile.of(OsRelease.RHCOS_8).withKernel("4.18.0-305.19.1.rt7.91.el8_4.x86_64"));
        sandbox.run(Duration.ofMinutes(1));
        String kernel = NEXT.replace(".x86_64", "");
        String amd = registry.push("driver", "amd", OCI_MANIFEST, gzip(layer(toolkit(kernel, NEXT_RT, "8.6"))));
        String arm = registry.push(
                "driver", "arm", OCI_MANIFEST, gzip(layer(toolkit(NOW.replace(".x86_64", ""), "", "8.4"))));
        registry.pushList("driver", "all", OCI_INDEX, Map.of("amd64", amd, "arm64", arm));
        registry.release("4.12.3", kernel, NEXT_RT.replace(".x86_64", ""), "8.6");
        apply("acme", driver(registry.host() + "/driver:all", ""));
        release();

        assertThat(verdict("acme").getEvidence())
                .extracting(PreflightEvidence::getWantedKernel)
                .contains(NEXT, NEXT_RT);
        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.FALSE);
        assertThat(verdict("acme").getStatusReason()).contains("aarch64");
    }

    @Test
    void logsInWithTheSecretThatIsNamed() {
        registry.push("driver", "v1", OCI_MANIFEST, gzip(layer(toolkit(NEXT, "", "8.6"))));
        registry.require("Basic dXNlcjpnZWhlaW0=");
        sandbox.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("pull")
                        .withNamespace("default")
                        .endMetadata()
                        .withType("kubernetes.io/dockerconfigjson")
                        .addToData(
                                ".dockerconfigjson",
                                Base64.getEncoder()
                                        .encodeToString(("{\"auths\": {\"" + registry.host()
                                                        + "\": {\"auth\": \"dXNlcjpnZWhlaW0=\"}}}")
                                                .getBytes(StandardCharsets.UTF_8)))
                        .build())
                .create();
        apply("acme", driver(registry.host() + "/driver:v1", ""));
        preflight("kernelVersion: \"" + NEXT + "\"");
        assertThat(verdict("acme").getStatusReason()).contains("HTTP 401", "spec.pullSecret");

        preflight("kernelVersion: \"" + NEXT + "\", pullSecret: {namespace: default, name: pull}");
        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.TRUE);

        preflight("kernelVersion: \"" + NEXT + "\", pullSecret: {namespace: default, name: none}");
        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.ERROR);
        assertThat(verdict("acme").getStatusReason()).contains("there is no Secret default/none");
    }

    @Test
    void goesOnAfterTheOperatorWasKilled() {
        apply("acme", SETTINGS);
        release();
        PreflightValidationStatus before = status();
        sandbox.kill();
        sandbox.start();
        sandbox.run(Duration.ofMinutes(5));

        assertThat(status()).isEqualTo(before);
    }
}
