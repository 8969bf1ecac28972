package dev.sro.core.driver;

import static dev.sro.core.driver.Fixtures.KERNEL;
import static dev.sro.core.driver.Fixtures.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.BuildTrigger;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadExecutor;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.RegistrySecurity;
import dev.sro.api.driver.SignPlan;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is pasted from a Module of Kernel Module Management becomes candidates and plans. */
class SpecDriverTest {

    private static final String BUILD = "build: {dockerfile: FROM x}";

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        image                         | containerImage: i:1                                            | PREBUILT i:1
        image and build               | containerImage: i:1, build: {dockerfile: FROM x}               | BUILD i:1
        built elsewhere               | containerImage: i:1, build: {dockerfile: FROM x, containerImage: b:1} | PREBUILT i:1, BUILD b:1
        only prebuilt                 | containerImage: i:1, imagePolicy: Prebuilt, build: {dockerfile: FROM x} | PREBUILT i:1
        only built                    | containerImage: i:1, imagePolicy: Build, build: {dockerfile: FROM x} | BUILD i:1
        only signed                   | containerImage: i:1, sign: {unsignedImage: u:1, filesToSign: [/opt/a.ko], keySecret: {name: k}, certSecret: {name: c}} | BUILD i:1
        compiles                      | containerImage: i:1, imagePolicy: CompileOnNode                | COMPILE_ON_NODE i:1
        by rules                      | repository: r/d, version: 550.1, tags: {scheme: Nvidia}, imagePolicy: PrebuiltThenCompileOnNode | PREBUILT r/d:550-5.15.0-91-generic-ubuntu22.04, COMPILE_ON_NODE r/d:550.1-ubuntu22.04
        all three                     | repository: r/d, version: 550.1, tags: {scheme: Nvidia, build: own}, imagePolicy: PrebuiltThenBuildThenCompileOnNode, build: {dockerfile: FROM x} | PREBUILT r/d:550-5.15.0-91-generic-ubuntu22.04, BUILD r/d:own, COMPILE_ON_NODE r/d:550.1-ubuntu22.04
        mapping over rules            | repository: r/d, kernelMappings: [{regexp: generic, containerImage: m:1}] | PREBUILT m:1
        """)
    void thePolicySaysInWhichOrder(String id, String driver, String expected) {
        assertThat(String.join(
                        ", ",
                        request("{" + driver + "}", KERNEL).candidates().stream()
                                .map(candidate -> candidate.kind() + " " + candidate.reference())
                                .toList()))
                .as(id)
                .isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        build without a way     | containerImage: i:1, imagePolicy: Build                             | add build
        modules and compiling   | containerImage: i:1, imagePolicy: PrebuiltThenCompileOnNode         | different names
        build for a digest      | containerImage: "i@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", build: {dockerfile: FROM x} | has a digest
        unknown webhook         | containerImage: i:1, build: {dockerfile: FROM x, triggers: [{type: Phone, secretReference: {name: s}}]} | none of GitHub
        webhook without secret  | containerImage: i:1, build: {dockerfile: FROM x, triggers: [{type: GitHub}]} | triggers.secretReference
        limit that is none      | containerImage: i:1, build: {dockerfile: FROM x, resources: {limits: {memory: much}}} | memory
        build without file      | containerImage: i:1, build: {}                                      | Dockerfile
        sign without key        | containerImage: i:1, sign: {unsignedImage: u:1, filesToSign: [/opt/a.ko]} | spec.driver.sign.keySecret
        sign nothing            | containerImage: i:1, sign: {filesToSign: [/opt/a.ko], keySecret: {name: k}, certSecret: {name: c}} | no image to sign
        an image that is none   | containerImage: "i:${NOBODY}"                                       | must be an image
        no repository           | kernelMappings: [{regexp: generic}]                                 | spec.driver.repository
        loader without modules  | loader: WorkerPod                                                   | spec.driver.modprobe
        raw without a name      | modprobe: {rawArgs: {load: [-a], unload: [-r]}}                     | does not end with the name
        """)
    void whatMakesNoSenseIsRefused(String id, String driver, String message) {
        assertThatThrownBy(() -> request("{" + driver + "}", KERNEL))
                .as(id)
                .isInstanceOf(DriverException.class)
                .hasMessageStartingWith("spec.driver")
                .hasMessageContaining(message);
    }

    private static DriverRequest.Making making(DriverRequest request, String image) {
        return Objects.requireNonNull(request.makings().get(image));
    }

    @Test
    void aBuildGetsTheKernelWhateverItsArgumentsSay() {
        DriverRequest request = request("""
            containerImage: r/d:${KERNEL_FULL_VERSION}
            registryTLS: {insecure: true}
            imageRepoSecret: {name: login}
            build:
              dockerfileConfigMap: {name: files}
              buildArgs: [{name: KERNEL_VERSION, value: mine}, {name: A, value: "$KERNEL_XYZ"}]
              secrets: [{name: s}]
              baseImageRegistryTLS: {insecureSkipTLSVerify: true}
              kanikoParams: {tag: v1}
              selector: {zone: a}
              timeout: 1h
            """, KERNEL + "+");
        BuildPlan plan = making(request, "r/d:" + KERNEL).build().orElseThrow();
        assertThat(plan.arguments())
                .containsEntry("KERNEL_VERSION", KERNEL)
                .containsEntry("KERNEL_FULL_VERSION", KERNEL)
                .containsEntry("MOD_NAME", "name")
                .containsEntry("MOD_NAMESPACE", "space")
                .containsEntry("A", "$KERNEL_XYZ");
        assertThat(plan.dockerfileConfigMap()).contains("files");
        assertThat(plan.secrets()).containsExactly("s");
        assertThat(plan.pushSecret()).contains("login");
        assertThat(plan.pushSecurity()).isEqualTo(RegistrySecurity.PLAIN);
        assertThat(plan.baseImageSecurity()).isEqualTo(RegistrySecurity.UNCHECKED);
        assertThat(plan.builderTag()).contains("v1");
        assertThat(plan.nodeSelector()).containsEntry("zone", "a");
        assertThat(plan.timeout()).hasValueSatisfying(limit -> assertThat(limit).hasHours(1));
        assertThat(plan.pushTo()).isEqualTo("r/d:" + KERNEL);
    }

    @Test
    void aBuildSaysWhereItsSourcesAreWhoStartsItAndWhatItMayUse() {
        DriverRequest request = request("""
            containerImage: r/d:1
            pullSecrets: [{name: login}]
            build:
              dockerfile: FROM x
              git: {uri: "https://git.example.com/driver", ref: v1}
              contextDir: kernel
              sourceSecret: {name: git-login}
              triggers:
              - {type: GitHub, secretReference: {name: hub}}
              - {type: Generic, secretReference: {name: other}}
              resources: {limits: {memory: 8Gi}, requests: {cpu: "2"}}
            sign:
              filesToSign: [/opt/a.ko]
              keySecret: {name: k}
              certSecret: {name: c}
              signImage: signer:1
            """, KERNEL);
        DriverRequest.Making making = making(request, "r/d:1");
        BuildPlan plan = making.build().orElseThrow();
        assertThat(plan.gitDirectory()).contains("kernel");
        assertThat(plan.gitSecret()).contains("git-login");
        assertThat(plan.triggers())
                .containsExactly(
                        new BuildTrigger(BuildTrigger.Type.GITHUB, "hub"),
                        new BuildTrigger(BuildTrigger.Type.GENERIC, "other"));
        assertThat(plan.limits()).containsExactly(Map.entry("memory", "8Gi"));
        assertThat(plan.requests()).containsExactly(Map.entry("cpu", "2"));
        assertThat(plan.pullSecrets()).containsExactly("login");
        assertThat(making.sign().orElseThrow().signImage()).contains("signer:1");
    }

    @Test
    void whatIsBuiltAndSignedIsBuiltUnderAnotherTagFirst() {
        DriverRequest request = request(
                "{containerImage: r/d:1, " + BUILD + ", sign: {filesToSign:"
                        + " [\"/opt/lib/modules/${KERNEL_FULL_VERSION}/a.ko\"],"
                        + " keySecret: {name: k}, certSecret: {name: c}}}",
                KERNEL);
        DriverRequest.Making making = making(request, "r/d:1");
        SignPlan sign = making.sign().orElseThrow();
        assertThat(making.build().orElseThrow().pushTo())
                .isEqualTo(sign.unsignedImage())
                .isEqualTo("r/d:1_space_name_unsigned");
        assertThat(sign.signedImage()).isEqualTo("r/d:1");
        assertThat(sign.files()).containsExactly("/opt/lib/modules/" + KERNEL + "/a.ko");
    }

    @Test
    void aFileInAnImageIsUnderTheKernelsOwnNameAndATagIsNot() {
        String kernel = "6.12.117+deb13-cloud-amd64";
        DriverRequest request = request(
                "{containerImage: \"r/d:${KERNEL_FULL_VERSION}\", " + BUILD + ", sign: {filesToSign:"
                        + " [\"/opt/lib/modules/$KERNEL_VERSION/a.ko\"],"
                        + " keySecret: {name: k}, certSecret: {name: c}}}",
                kernel);
        SignPlan sign = making(request, "r/d:6.12.117_deb13-cloud-amd64").sign().orElseThrow();
        assertThat(sign.files()).containsExactly("/opt/lib/modules/" + kernel + "/a.ko");
    }

    @Test
    void modulesAreLoadedFromTheBottomOfTheOrder() {
        LoadPlan plan = request("""
            modprobe:
              moduleName: top
              dirName: /drv
              parameters: [a=1]
              args: {load: [-v], unload: [-q]}
              firmwarePath: /firmware
              modulesLoadingOrder: [top, middle, bottom]
            loader: WorkerPod
            inTreeModulesToRemove: [other]
            """, KERNEL).load().orElseThrow();
        assertThat(plan.executor()).isEqualTo(LoadExecutor.WORKER_POD);
        assertThat(plan.modules()).extracting(KernelModule::name).containsExactly("bottom", "middle", "top");
        assertThat(plan.unloadOrder()).containsExactly("top", "middle", "bottom");
        assertThat(plan.modules().get(2).parameters()).containsExactly("a=1");
        assertThat(plan.modules().get(2).loadArguments()).containsExactly("-v");
        assertThat(plan.directory()).isEqualTo("/drv");
        assertThat(plan.firmwareSource()).contains("/firmware");
        assertThat(plan.inTreeToRemove()).containsExactly("other");
    }

    @Test
    void rawArgumentsAreAboutTheModuleThatTheyEndWith() {
        LoadPlan plan = request(
                        "modprobe: {rawArgs: {load: [-d, /opt, kmod, a=1], unload: [-r, -d, /opt, kmod]}}", KERNEL)
                .load()
                .orElseThrow();
        assertThat(plan.modules()).extracting(KernelModule::name).containsExactly("kmod");
        assertThat(plan.modules().get(0).rawLoadArguments()).containsExactly("-d", "/opt", "kmod", "a=1");
    }

    @Test
    void variablesOfWhichNothingIsKnownAreToldOf() {
        DriverRequest request = request("containerImage: \"i:v${NOBODY}\"", KERNEL);
        assertThat(request.candidates()).extracting(ImageCandidate::reference).containsExactly("i:v");
        assertThat(request.warnings()).singleElement().asString().contains("NOBODY");
    }
}
