package dev.sro.testkit.preflight;

import static dev.sro.testkit.preflight.FakeRegistry.OCI_MANIFEST;
import static dev.sro.testkit.preflight.FakeRegistry.gzip;
import static dev.sro.testkit.preflight.FakeRegistry.layer;
import static dev.sro.testkit.preflight.FakeRegistry.toolkit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.resource.VerificationStatus;
import dev.sro.testkit.server.Recording;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a preflight says of images that {@code spec.driver} names: those that are there, and those that would have to be built. */
class PreflightBuildScenarioTest extends PreflightWorld {
    private static final String NEXT = "4.18.0-372.32.1.el8_6.x86_64";
    private static final byte[] CONTENT = gzip(layer(Map.of("etc/driver", "x")));

    PreflightBuildScenarioTest() {
        super(new DriverPlugin());
    }

    @BeforeEach
    void namespace() {
        sandbox.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("acme")
                        .endMetadata()
                        .build())
                .create();
    }

    private void dockerfile() {
        sandbox.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("files")
                        .withNamespace("acme")
                        .endMetadata()
                        .addToData("dockerfile", "ARG DTK_AUTO\nFROM $DTK_AUTO")
                        .build())
                .create();
    }

    private String image(String tag) {
        return registry.host() + "/acme/driver:" + tag;
    }

    private void apply(String driver) {
        sandbox.apply("""
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: acme}
            spec:
              namespace: acme
              plugin: {name: acme}
              driver: {containerImage: "%s", %s}
            """.formatted(image("v1-${KERNEL_FULL_VERSION}"), driver.replace("REGISTRY", registry.host())));
    }

    private void kernel() {
        preflight("kernelVersion: \"" + NEXT + "\"");
        sandbox.run(Duration.ofMinutes(2));
    }

    private String condition() {
        return status().getConditions().get(0).getStatus() + " "
                + status().getConditions().get(0).getReason();
    }

    /** The registry has no image for the kernel to come, and there is no toolkit for it. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        nobody builds     | pinDigest: false                                            | FALSE | WaitingForImage       | HTTP 404
        text              | build: {dockerfile: "FROM scratch"}                         | TRUE  | CouldBeBuilt          | with its Dockerfile
        in a ConfigMap    | build: {dockerfileConfigMap: {name: files}}                 | TRUE  | CouldBeBuilt          | the Dockerfile of ConfigMap acme/files
        no such ConfigMap | build: {dockerfileConfigMap: {name: none}}                  | FALSE | DockerfileMissing     | ConfigMap acme/none
        source            | build: {dockerfile: "FROM a", git: {uri: "https://git.example.com/d", ref: v2}} | TRUE | CouldBeBuilt | the source https://git.example.com/d#v2
        no toolkit        | build: {dockerfile: "FROM a", driverToolkit: true}          | FALSE | DriverToolkitMissing  | 4.18.0-372.32.1
        no base image     | build: {method: Job, dockerfile: "FROM a", baseImage: "REGISTRY/acme/base:1"} | FALSE | BuildImageNotReadable | REGISTRY/acme/base:1
        no signing key    | build: {dockerfile: "FROM a"}, sign: {keySecret: {name: key}, certSecret: {name: cert}, filesToSign: ["/opt/a.ko"], signImage: "example.com/sign:1"} | FALSE | BuildSecretMissing | Secret acme/cert
        not served        | build: {method: Shipwright, dockerfile: "FROM a"}           | FALSE | BuildMethodNotServed  | shipwright.io
        """)
    void anImageThatIsMissingIsBuiltOrTheVerdictSaysWhyNot(
            String name, String driver, String expected, String code, String reason) {
        dockerfile();
        apply(driver);
        kernel();

        assertThat(verdict("acme").getStatusReason()).contains(reason.replace("REGISTRY", registry.host()));
        assertThat(verdict("acme").getReason()).isEqualTo(code);
        assertThat(verdict("acme").getVerificationStatus()).hasToString(expected);
        assertThat(condition()).isEqualTo(expected.equals("TRUE") ? "True ImagesToBuild" : "False NotVerified");
        assertThat(verdict("acme").getEvidence()).anySatisfy(evidence -> {
            assertThat(evidence.getImage()).isEqualTo(image("v1-" + NEXT));
            assertThat(evidence.getMessage()).contains("HTTP 404");
        });
    }

    @Test
    void theToolkitOfTheReleaseToComeIsEnoughToBuild() {
        apply("build: {dockerfile: \"FROM a\", driverToolkit: true}");
        preflight("updateImage: \"" + registry.release("4.12.3", NEXT, "", "8.6") + "\"");

        String toolkit = status().getTargets().get(0).getDriverToolkitImage();
        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.TRUE);
        assertThat(verdict("acme").getReason()).isEqualTo("CouldBeBuilt");
        assertThat(verdict("acme").getStatusReason()).contains("on the driver toolkit " + toolkit);
    }

    @Test
    void anImageThatIsBuiltMeanwhileIsNoWarningAnyMore() {
        apply("build: {dockerfile: \"FROM scratch\"}");
        kernel();
        assertThat(condition()).isEqualTo("True ImagesToBuild");
        assertThat(status().getConditions().get(0).getMessage()).contains("acme");

        registry.push("acme/driver", "v1-" + NEXT, OCI_MANIFEST, CONTENT);
        sandbox.run(Duration.ofMinutes(11));
        assertThat(condition()).isEqualTo("True AllVerified");
        assertThat(verdict("acme").getReason()).isEmpty();
        assertThat(verdict("acme").getStatusReason()).contains(image("v1-" + NEXT) + " is there");

        Recording recording = sandbox.cluster().recording();
        recording.start();
        int asked = registry.requests.size();
        sandbox.run(Duration.ofHours(1));
        assertThat(recording.entries(entry -> String.valueOf(entry).contains("preflightvalidations")))
                .isEmpty();
        assertThat(registry.requests.subList(asked, registry.requests.size()))
                .as("of the kernel to come")
                .noneMatch(request -> String.valueOf(request).contains(NEXT));
        recording.stop();
    }

    @Test
    void anImageForAnotherKernelIsBuiltAnew() {
        registry.push(
                "acme/driver",
                "v1-" + NEXT,
                OCI_MANIFEST,
                gzip(layer(FakeRegistry.toolkit("4.18.0-305.19.1.el8_4.x86_64", "", "8.4"))));
        apply("verifyKernel: true, build: {dockerfile: \"FROM scratch\"}");
        kernel();

        assertThat(verdict("acme").getReason()).isEqualTo("CouldBeBuilt");
        assertThat(verdict("acme").getEvidence().get(0).getMessage()).contains("4.18.0-305");
    }

    @Test
    void aKernelWithoutMappingIsNotReady() {
        apply("kernelMappings: [{literal: 4.18.0-305.19.1.el8_4.x86_64, containerImage: \"" + image("v1") + "\"}]");
        kernel();

        assertThat(verdict("acme").getVerificationStatus()).isEqualTo(VerificationStatus.FALSE);
        assertThat(verdict("acme").getStatusReason()).contains("4.18.0-372");
    }
}
