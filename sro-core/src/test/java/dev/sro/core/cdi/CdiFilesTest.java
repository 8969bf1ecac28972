package dev.sro.core.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.device.CdiHook;
import dev.sro.api.device.CdiMount;
import dev.sro.api.device.CdiNode;
import dev.sro.api.device.CdiSpec;
import dev.sro.api.device.ContainerEdits;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

class CdiFilesTest {

    private static final ContainerEdits NODE =
            ContainerEdits.builder().addNodes(CdiNode.of("/dev/nic")).build();

    private static final CdiSpec.Builder PLAIN = spec("vendor.example/nic", "all", NODE);

    static final List<Arguments> VERSIONS = List.of(
            Arguments.of("0.3.0", PLAIN.build()),
            Arguments.of("0.5.0", spec("vendor.example/nic", "0", NODE).build()),
            Arguments.of(
                    "0.5.0",
                    spec(
                                    "vendor.example/nic",
                                    "a",
                                    ContainerEdits.builder()
                                            .addNodes(new CdiNode("/dev/nic", "/dev/nic7", "rw"))
                                            .build())
                            .build()),
            Arguments.of("0.6.0", spec("vendor.example/nic.fast", "0", NODE).build()),
            Arguments.of(
                    "0.6.0",
                    spec("vendor.example/nic", "a", NODE)
                            .putAnnotations("a", "b")
                            .build()),
            Arguments.of(
                    "0.7.0",
                    spec("vendor.example/nic", "a", NODE)
                            .common(ContainerEdits.builder()
                                    .addAdditionalGroups(44L)
                                    .build())
                            .build()),
            Arguments.of("1.1.0", everything()));

    private static CdiSpec.Builder spec(String kind, String device, ContainerEdits edits) {
        return CdiSpec.builder().kind(kind).putDevices(device, edits);
    }

    private static CdiSpec everything() {
        return spec(
                        "vendor.example/nic.fast",
                        "0",
                        ContainerEdits.builder()
                                .putEnvironment("B", "2")
                                .putEnvironment("A", "1")
                                .addNodes(new CdiNode("/dev/nic", "/dev/nic7", "rw"))
                                .addMounts(CdiMount.readOnly("/usr/lib64/libnic.so"))
                                .addHooks(new CdiHook("createContainer", "/usr/bin/x", List.of("x", "y")))
                                .addAdditionalGroups(44L)
                                .putNetworkDevices("eth1", "nic0")
                                .build())
                .common(ContainerEdits.builder().putEnvironment("C", "3").build())
                .putAnnotations("vendor.example/of", "node")
                .build();
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    void isOfTheLowestVersionThatHasAllFields(String version, CdiSpec spec) {
        assertThat(CdiFiles.tree(spec)).containsEntry("cdiVersion", version);
    }

    @Test
    void writesEveryField() {
        assertThat(CdiFiles.text(everything())).isEqualTo("""
            {
              "cdiVersion": "1.1.0",
              "kind": "vendor.example/nic.fast",
              "annotations": {
                "vendor.example/of": "node"
              },
              "devices": [
                {
                  "name": "0",
                  "containerEdits": {
                    "env": [
                      "A=1",
                      "B=2"
                    ],
                    "deviceNodes": [
                      {
                        "path": "/dev/nic",
                        "hostPath": "/dev/nic7",
                        "permissions": "rw"
                      }
                    ],
                    "netDevices": [
                      {
                        "hostInterfaceName": "eth1",
                        "name": "nic0"
                      }
                    ],
                    "mounts": [
                      {
                        "hostPath": "/usr/lib64/libnic.so",
                        "containerPath": "/usr/lib64/libnic.so",
                        "options": [
                          "ro",
                          "nosuid",
                          "nodev",
                          "bind"
                        ]
                      }
                    ],
                    "hooks": [
                      {
                        "hookName": "createContainer",
                        "path": "/usr/bin/x",
                        "args": [
                          "x",
                          "y"
                        ]
                      }
                    ],
                    "additionalGids": [
                      44
                    ]
                  }
                }
              ],
              "containerEdits": {
                "env": [
                  "C=3"
                ]
              }
            }
            """);
        assertThat(CdiFiles.fileName("vendor.example/nic")).isEqualTo("vendor.example-nic.json");
    }

    static boolean hasSchema() {
        return CdiSchema.directory().isPresent();
    }

    @ParameterizedTest
    @FieldSource("VERSIONS")
    @EnabledIf(value = "hasSchema", disabledReason = "no corpus here: set SRO_CORPUS to the folder that has crds/")
    void fitsTheSchemaOfTheContainerDeviceInterface(String version, CdiSpec spec) throws IOException {
        assertThat(CdiSchema.read().errors(CdiFiles.tree(spec))).isEmpty();
    }

    @Test
    @EnabledIf(value = "hasSchema", disabledReason = "no corpus here: set SRO_CORPUS to the folder that has crds/")
    void theSchemaFindsWhatIsWrong() throws IOException {
        Map<String, Object> wrong = Map.of(
                "cdiVersion",
                1,
                "devices",
                List.of(Map.of(
                        "name",
                        "a",
                        "containerEdits",
                        Map.of("deviceNodes", List.of(Map.of("hostPath", "/x")), "additionalGids", List.of(-1)))));

        assertThat(CdiSchema.read().errors(wrong))
                .containsExactlyInAnyOrder(
                        ": kind is missing",
                        ".cdiVersion: is no string",
                        ".devices[0].containerEdits.deviceNodes[0]: path is missing",
                        ".devices[0].containerEdits.additionalGids[0]: -1 is below 0");
    }
}
