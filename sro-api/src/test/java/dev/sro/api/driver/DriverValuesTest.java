package dev.sro.api.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of the contract about drivers refuse what makes no sense, with the object, the field and the fix. */
class DriverValuesTest {

    private static final String IMAGE = "registry.example/driver:1.0";

    private static Arguments refused(String message, ThrowingCallable what) {
        return arguments(message, what);
    }

    static Stream<Arguments> values() {
        return Stream.of(
                refused(
                        "ImageCandidate.reference: \"driver\" must be an image with a tag",
                        () -> ImageCandidate.of(ImageCandidate.Kind.PREBUILT, "driver")),
                refused("ImageCandidates.none: say why", () -> ImageCandidates.of()),
                refused(
                        "ImageCandidates.candidates: \"" + IMAGE + "\" is there twice",
                        () -> ImageCandidates.of(candidate(), candidate())),
                refused(
                        "ImageCandidates.pollEvery: PT1S is too often",
                        () -> ImageCandidates.builder()
                                .addCandidates(candidate())
                                .pollEvery(Duration.ofSeconds(1))
                                .build()),
                refused("BuildPlan.dockerfile", () -> build().dockerfile(" ").build()),
                refused(
                        "there is no resource \"Dockerfile\" beside dev.sro.api.driver.BuildPlan",
                        () -> build().dockerfile(BuildPlan.class, "Dockerfile").build()),
                refused(
                        "BuildPlan.baseImage: the driver toolkit is",
                        () -> build().driverToolkit(true).baseImage(IMAGE).build()),
                refused(
                        "BuildPlan.gitUri: a reference needs",
                        () -> build().gitReference("main").build()),
                refused(
                        "SignPlan.signedImage: must differ",
                        () -> sign().signedImage(IMAGE).build()),
                refused(
                        "SignPlan.files: \"a.ko\" must be an absolute path",
                        () -> sign().addFiles("a.ko").build()),
                refused(
                        "KernelModule.name: \"a.ko\" must be the name of a kernel module",
                        () -> KernelModule.of("a.ko")),
                refused("KernelModule a.parameters: \"x y\"", () -> KernelModule.of("a", "x y")),
                refused(
                        "KernelModule a.rawUnloadArguments: raw arguments are needed for load and unload",
                        () -> KernelModule.builder()
                                .name("a")
                                .addRawLoadArguments("a")
                                .build()),
                refused(
                        "KernelModule a.rawLoadArguments: raw arguments stand instead",
                        () -> KernelModule.builder()
                                .name("a")
                                .addRawLoadArguments("a")
                                .addRawUnloadArguments("-r", "a")
                                .addParameters("x=1")
                                .build()),
                refused(
                        "SoftDependency of a: a module cannot depend on itself",
                        () -> new SoftDependency("a", List.of("a"), List.of())),
                refused(
                        "SoftDependency of a: a module cannot come before and after",
                        () -> new SoftDependency("a", List.of("b"), List.of("b"))),
                refused("HostFile.target: \"/a/../b\"", () -> new HostFile("/x", "/a/../b", true)),
                refused("HostFile.target: \"/\" would replace", () -> new HostFile("/x", "/", true)),
                refused("LoadPlan.modules: name at least one", () -> LoadPlan.of()),
                refused(
                        "LoadPlan.modules: a version is checked only where the host provides",
                        () -> LoadPlan.of(
                                KernelModule.builder().name("a").version("1").build())),
                refused("KernelModule a.parameters: \"--\" must be", () -> KernelModule.of("a", "--")),
                refused(
                        "LoadPlan.modules: \"a\" is there twice",
                        () -> LoadPlan.of(KernelModule.of("a"), KernelModule.of("a"))),
                refused(
                        "LoadPlan.unloadOrder: [a] must have every module of [a, b] once",
                        () -> LoadPlan.builder()
                                .addModules(KernelModule.of("a"), KernelModule.of("b"))
                                .addUnloadOrder("a")
                                .build()),
                refused(
                        "LoadPlan.inTreeToRemove: \"a\" cannot be removed and loaded first",
                        () -> LoadPlan.builder()
                                .addModules(KernelModule.of("b"))
                                .addInTreeToLoad("a")
                                .addInTreeToRemove("a")
                                .build()),
                refused(
                        "LoadPlan.kernelArguments: \"a b\"",
                        () -> LoadPlan.builder()
                                .addModules(KernelModule.of("b"))
                                .addKernelArguments("a b")
                                .build()),
                refused(
                        "PreflightVerdict.evidence: say why the image is bad",
                        () -> PreflightVerdict.builder()
                                .image(IMAGE)
                                .result(PreflightVerdict.Result.BAD)
                                .build()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("values")
    void refusesWhatMakesNoSense(String message, ThrowingCallable what) {
        assertThatIllegalArgumentException().isThrownBy(what).withMessageStartingWith(message);
    }

    @Test
    void unloadsInReverseUnlessToldOtherwise() {
        assertThat(LoadPlan.of(KernelModule.of("sfc"), KernelModule.of("onload"))
                        .unloadOrder())
                .containsExactly("onload", "sfc");
        assertThat(LoadPlan.builder()
                        .addModules(KernelModule.of("a"), KernelModule.of("b"))
                        .addUnloadOrder("a", "b")
                        .build()
                        .unloadOrder())
                .containsExactly("a", "b");
        assertThat(LoadPlan.hostProvided().unloadOrder()).isEmpty();
    }

    private static ImageCandidate candidate() {
        return ImageCandidate.of(ImageCandidate.Kind.PREBUILT, IMAGE);
    }

    private static BuildPlan.Builder build() {
        BuildPlan.Builder builder = BuildPlan.builder();
        builder.dockerfile("FROM scratch").pushTo(IMAGE);
        return builder;
    }

    private static SignPlan.Builder sign() {
        SignPlan.Builder builder = SignPlan.builder();
        builder.unsignedImage(IMAGE)
                .signedImage(IMAGE + "-signed")
                .keySecret("key")
                .certSecret("cert")
                .addFiles("/opt/lib/modules/a.ko");
        return builder;
    }
}
