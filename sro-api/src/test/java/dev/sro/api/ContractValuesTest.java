package dev.sro.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sro.api.device.CdiHook;
import dev.sro.api.device.CdiMount;
import dev.sro.api.device.CdiNode;
import dev.sro.api.device.CdiSpec;
import dev.sro.api.device.ContainerEdits;
import dev.sro.api.device.DetectedDevice;
import dev.sro.api.device.DeviceClassValue;
import dev.sro.api.device.DeviceLayout;
import dev.sro.api.device.Exposure;
import dev.sro.api.device.NodeFeatures;
import dev.sro.api.device.PartitionPlacement;
import dev.sro.api.device.PartitionPlan;
import dev.sro.api.device.PartitionProfile;
import dev.sro.api.device.PartitionableModel;
import dev.sro.api.device.RuntimeDropIn;
import dev.sro.api.device.Sharing;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.HostFile;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.PreflightVerdict;
import dev.sro.api.driver.SignPlan;
import dev.sro.api.driver.SoftDependency;
import dev.sro.api.operation.AlertRule;
import dev.sro.api.operation.DiagnosticCommand;
import dev.sro.api.operation.DiagnosticsPlan;
import dev.sro.api.operation.HealthVerdict;
import dev.sro.api.operation.Monitoring;
import dev.sro.api.operation.NodeTaint;
import dev.sro.api.operation.Remediation;
import dev.sro.api.operation.Scheduling;
import dev.sro.api.operation.UpgradeStrategy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of the contract refuse what makes no sense, with the object, the field and the fix. */
class ContractValuesTest {

    private static final String IMAGE = "registry.example/driver:1.0";

    private static Arguments refused(String message, ThrowingCallable what) {
        return arguments(message, what);
    }

    static Stream<Arguments> driverValues() {
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

    static Stream<Arguments> deviceValues() {
        return Stream.of(
                refused(
                        "DetectedDevice.count: \"0\" must be from 1",
                        () -> DetectedDevice.builder().model("m").count(0).build()),
                refused("PciDevice.vendor: \"10DE\"", () -> new PciDevice("", "10DE", "")),
                refused("CdiNode.permissions: \"wr\"", () -> new CdiNode("/dev/a", "/dev/a", "wr")),
                refused("CdiMount.hostPath: \"lib\"", () -> new CdiMount("lib", "/lib", List.of())),
                refused("CdiHook.when: \"later\" must be one of", () -> new CdiHook("later", "/bin/x", List.of("x"))),
                refused(
                        "ContainerEdits.environment: \"A-B\"",
                        () -> ContainerEdits.builder()
                                .putEnvironment("A-B", "1")
                                .build()),
                refused(
                        "CdiSpec.kind: \"gpu\" must begin with the vendor's domain",
                        () -> CdiSpec.builder()
                                .kind("gpu")
                                .putDevices("0", ContainerEdits.builder().build())
                                .build()),
                refused(
                        "CdiSpec.devices: name at least one",
                        () -> CdiSpec.builder().kind("vendor.example/gpu").build()),
                refused(
                        "RuntimeDropIn.fileName: \"../a\"",
                        () -> new RuntimeDropIn(RuntimeDropIn.Engine.CRIO, "../a", "x")),
                refused(
                        "Exposure.draDriver: name the driver",
                        () -> Exposure.builder().mode(Exposure.Mode.DRA).build()),
                refused(
                        "Exposure.draDriver: only mode DRA has a driver",
                        () -> Exposure.builder()
                                .mode(Exposure.Mode.DEVICE_PLUGIN)
                                .addResourceNames("vendor.example/gpu")
                                .draDriver("gpu.vendor.example")
                                .build()),
                refused("Exposure.resourceNames: name at least one", () -> Exposure.devicePlugin()),
                refused("Exposure.resourceNames: \"gpu\" must begin with", () -> Exposure.devicePlugin("gpu")),
                refused("Sharing.replicas: \"1\" must be from 2", () -> new Sharing("mps", 1)),
                refused("DeviceClassValue.selectors", () -> new DeviceClassValue("c", List.of(" "), Optional.empty())),
                refused("PartitionPlacement.size: \"9\" must be from 1 to 8", () -> new PartitionPlacement(56, 9)),
                refused(
                        "PartitionProfile 1g.memory: \"5 GB\" must be a Kubernetes quantity",
                        () -> PartitionProfile.builder()
                                .name("1g")
                                .memory("5 GB")
                                .build()),
                refused(
                        "PartitionableModel A.profiles: a placement of \"1g\" ends beyond slice 7",
                        () -> PartitionableModel.builder()
                                .name("A")
                                .memorySlices(8)
                                .addProfiles(PartitionProfile.builder()
                                        .name("1g")
                                        .addPlacements(new PartitionPlacement(7, 2))
                                        .build())
                                .build()),
                refused(
                        "PartitionPlan.layouts: a plan with a problem has no layouts",
                        () -> PartitionPlan.builder()
                                .addLayouts(new DeviceLayout("0", List.of(), List.of(), Map.of()))
                                .problem(Problem.user("NoRoom", "x"))
                                .build()),
                refused(
                        "DeviceLayout.starts: one for each partition",
                        () -> new DeviceLayout("0", List.of("1g", "1g"), List.of(0), Map.of())),
                refused(
                        "NodeFeatures.extendedResources: \"epc\" must begin with",
                        () -> NodeFeatures.builder()
                                .putExtendedResources("epc", "1")
                                .build()));
    }

    static Stream<Arguments> operationValues() {
        return Stream.of(
                refused(
                        "UpgradeStrategy.maxUnavailable: \"120%\"",
                        () -> UpgradeStrategy.builder().maxUnavailable("120%").build()),
                refused(
                        "UpgradeStrategy.delegateTo: \"NodeMaintenance\" must be group/version/Kind",
                        () -> UpgradeStrategy.builder()
                                .delegateTo("NodeMaintenance")
                                .build()),
                refused(
                        "AlertRule.name: \"gpu hot\" must be one CamelCase word",
                        () -> AlertRule.builder()
                                .name("gpu hot")
                                .expression("x")
                                .summary("x")
                                .build()),
                refused(
                        "Monitoring.metricNames: \"a b\"",
                        () -> Monitoring.builder().putMetricNames("a", "a b").build()),
                refused("HealthVerdict.reason", () -> new HealthVerdict(HealthVerdict.Level.DEGRADED, "")),
                refused(
                        "Remediation.workflow: name it exactly when",
                        () -> Remediation.builder()
                                .addSteps(Remediation.Step.WORKFLOW)
                                .build()),
                refused(
                        "NodeTaint.key: \"gpu\" must begin with",
                        () -> new NodeTaint("gpu", "", NodeTaint.Effect.NO_SCHEDULE)),
                refused(
                        "Scheduling.readyState: a readiness taint and the state",
                        () -> Scheduling.builder().readyState("2000-x").build()),
                refused(
                        "Scheduling.priorityClasses: \"system-gpu\" must not begin",
                        () -> Scheduling.builder()
                                .putPriorityClasses("system-gpu", 1)
                                .build()),
                refused(
                        "DiagnosticCommand.command: say what runs",
                        () -> new DiagnosticCommand("a.txt", Map.of("a", "b"), "c", List.of())),
                refused(
                        "DiagnosticsPlan.kinds: \"Pod\" must be group/version/Kind",
                        () -> DiagnosticsPlan.builder().addKinds("Pod").build()));
    }

    static Stream<Arguments> coreValues() {
        return Stream.of(
                refused(
                        "AllocatableResource.resource: \"a/b/c\" must be a name",
                        () -> ReadinessRule.allocatable("a/b/c", 1)),
                refused(
                        "AllocatableResource.atLeast: \"0\" must be from 1",
                        () -> ReadinessRule.allocatable("vendor.example/gpu", 0)),
                refused("NodeShare.percent: \"101\" must be from 1 to 100", () -> ReadinessRule.nodeShare(101)),
                refused("FileOnNode.path: \"run\"", () -> ReadinessRule.fileOnNode("run")),
                refused("LogPattern.pattern", () -> ReadinessRule.logPattern("driver", "")),
                refused(
                        "State.readiness of 1000-a: NodeShare needs a state that is reached node by node",
                        () -> State.builder()
                                .id("1000-a")
                                .addReadiness(ReadinessRule.nodeShare(50))
                                .build()),
                refused(
                        "ValidationLimits.timeout: PT0S must be longer",
                        () -> ValidationLimits.builder().timeout(Duration.ZERO).build()),
                refused(
                        "ValidationLimits.nodeCondition: \"is good\"",
                        () -> ValidationLimits.builder()
                                .nodeCondition("is good")
                                .build()),
                refused(
                        "PluginDescriptor.requiredCrds: \"foos\" must be the name of a CRD",
                        () -> descriptor().addRequiredCrds("foos").build()),
                refused(
                        "PluginDescriptor.relatedImages: \"driver\"",
                        () -> descriptor().addRelatedImages("driver").build()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"driverValues", "deviceValues", "operationValues", "coreValues"})
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

    @Test
    void oneWrongSettingOfSchedulingIsNamed() {
        NodeTaint taint = new NodeTaint("vendor.example/not-ready", "", NodeTaint.Effect.NO_SCHEDULE);
        Scheduling scheduling = Scheduling.builder()
                .readinessTaint(taint)
                .readyState("2000-validation")
                .build();
        assertThat(scheduling.readinessTaint().orElseThrow().effect().word()).isEqualTo("NoSchedule");
    }

    /** The forms are those that NFD writes, depending on its setting {@code deviceLabelFields}. */
    @ParameterizedTest
    @CsvSource({
        "pci-10de.present, '', 10de, ''",
        "pci-0302_10de.present, 0302, 10de, ''",
        "pci-0302_10de_20b0.present, 0302, 10de, 20b0",
        "pci-0302_10de_20b0_10de_1463.present, 0302, 10de, 20b0"
    })
    void readsPciDevicesFromEveryFormOfLabel(String label, String deviceClass, String vendor, String device) {
        assertThat(PciDevice.of(Map.of("feature.node.kubernetes.io/" + label, "true")))
                .containsExactly(new PciDevice(deviceClass, vendor, device));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"pci-0302_10de.sriov.capable", "pci-gpu.present", "usb-ff_10de.present", "cpu-10de.present"})
    void takesNoOtherLabelForAPciDevice(String label) {
        assertThat(PciDevice.of(Map.of("feature.node.kubernetes.io/" + label, "true")))
                .isEmpty();
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

    private static PluginDescriptor.Builder descriptor() {
        PluginDescriptor.Builder builder = PluginDescriptor.builder();
        builder.name("acme").version("1.0").vendor("Acme");
        return builder;
    }
}
