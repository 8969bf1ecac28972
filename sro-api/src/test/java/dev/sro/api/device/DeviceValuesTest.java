package dev.sro.api.device;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of the contract about devices refuse what makes no sense, with the object, the field and the fix. */
class DeviceValuesTest {

    private static Arguments refused(String message, ThrowingCallable what) {
        return arguments(message, what);
    }

    private static Decoration nic() {
        return Decoration.builder()
                .kind("vendor.example/nic")
                .addDevices("/dev/nic")
                .build();
    }

    static Stream<Arguments> values() {
        return Stream.of(
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
                        "CdiSpec.kind: \"vendor.example/7nic\": vendor and class begin with a letter",
                        () -> CdiSpec.builder().kind("vendor.example/7nic").build()),
                refused(
                        "CdiSpec.devices: \"all\" gives nothing to a container",
                        () -> CdiSpec.builder()
                                .kind("vendor.example/nic")
                                .putDevices("all", ContainerEdits.builder().build())
                                .build()),
                refused(
                        "ContainerEdits.networkDevices: \"a/b\"",
                        () -> ContainerEdits.builder()
                                .putNetworkDevices("eth0", "a/b")
                                .build()),
                refused(
                        "ContainerEdits.additionalGroups: \"0\"",
                        () -> ContainerEdits.builder().addAdditionalGroups(0L).build()),
                refused(
                        "OciHook.stages: name at least one",
                        () -> OciHook.builder().name("a").path("/a").build()),
                refused(
                        "OciHook.stages: \"later\" must be one of",
                        () -> OciHook.builder()
                                .name("a")
                                .path("/a")
                                .addStages("later")
                                .build()),
                refused(
                        "OciHook.name: \"a/b\"",
                        () -> OciHook.builder()
                                .name("a/b")
                                .path("/a")
                                .addStages("prestart")
                                .build()),
                refused(
                        "RuntimeConfiguration.cdi: \"vendor.example/nic\" is there twice",
                        () -> RuntimeConfiguration.builder()
                                .addDecorations(nic(), nic())
                                .build()),
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
                refused("Exposure.resourceNames: \"x\" must begin with", () -> Exposure.devicePlugin("*")),
                refused("Sharing.replicas: \"1\" must be from 2", () -> new Sharing("mps", 1)),
                refused("DeviceClassValue.selectors", () -> new DeviceClassValue("c", List.of(" "), Optional.empty())));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("values")
    void refusesWhatMakesNoSense(String message, ThrowingCallable what) {
        assertThatIllegalArgumentException().isThrownBy(what).withMessageStartingWith(message);
    }
}
