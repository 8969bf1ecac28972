package dev.sro.agent.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.Agent;
import dev.sro.agent.claims.ApiClaims;
import dev.sro.agent.claims.ApiServer;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.ClaimSource.Standing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole agent with emulated devices, between a kubelet and an API server of our own. */
class AgentTest {
    private static final String DRIVER = "slices.sro.dev";
    private static final String DEVICE = "gpu-0000-11-00-0-3g-20gb-4";
    private static final ClaimRef ONE = new ClaimRef("uid-one", "default", "one");

    private final Path directory;
    private final FakeApiServer api = new FakeApiServer();
    private final FakeKubelet kubelet;
    private final List<String> log = new CopyOnWriteArrayList<>();

    /** Of JUnit's own length a socket's path must not be. */
    AgentTest() throws IOException {
        directory = Files.createTempDirectory("a");
        kubelet = new FakeKubelet(directory);
        Files.writeString(directory.resolve("boot"), "boot-1\n");
        Files.writeString(directory.resolve("devices.yaml"), """
            schema: sro.dev/emulated-devices/v1
            nodes:
            - name: "*"
              gpus:
              - model: A100-40GB
                count: 2
            """);
    }

    @AfterEach
    void close() throws IOException {
        kubelet.close();
        api.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private Agent start(String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "--node",
                "node-1",
                "--emulated",
                directory.resolve("devices.yaml").toString(),
                "--kubelet",
                directory.toString(),
                "--cdi",
                directory.resolve("cdi").toString(),
                "--boot-id",
                directory.resolve("boot").toString(),
                "--api",
                api.address().toString()));
        arguments.addAll(List.of(more));
        return Agent.start(arguments.toArray(new String[0]), Map.of(), pause -> {}, log::add);
    }

    private ClaimResult prepare() throws IOException {
        PluginInfo info = kubelet.register(kubelet.found().get(0));
        return kubelet.prepare(info, new ClaimsRequest(List.of(ONE)))
                .values()
                .iterator()
                .next();
    }

    @Test
    void aClaimGoesFromTheApiServerToContainersAndSurvivesTheAgent() throws Exception {
        api.allocate("one", "uid-one", DRIVER, DEVICE);
        ClaimResult first;
        try (Agent agent = start()) {
            first = prepare();
            assertThat(agent).isNotNull();
        }
        assertThat(first)
                .isEqualTo(new ClaimResult(
                        List.of(new PreparedDevice(
                                List.of("r"), "p", DEVICE, List.of("sro.dev/slice=uid-one-" + DEVICE))),
                        ""));
        assertThat(log)
                .contains(
                        "driver 580.65.06, CUDA 13.0, 2 GPUs",
                        "0000:10:00.0: A100-PCIE-40GB, MIG is on",
                        "kubelet registered the plugin");

        try (Agent agent = start()) {
            assertThat(agent).isNotNull();
            assertThat(log)
                    .contains(
                            "repaired: 3g.20gb at 4 of 0000:11:00.0 of claim default/one was gone and was made again");
            assertThat(prepare()).isEqualTo(first);
        }
        assertThat(directory.resolve("cdi/sro.dev-slice_uid-one.json")).exists();
    }

    @Test
    void afterARebootWithClaimsKubeletIsAnsweredAgain() throws Exception {
        api.allocate("one", "uid-one", DRIVER, DEVICE);
        try (Agent agent = start()) {
            assertThat(agent).isNotNull();
            prepare();
        }
        Files.writeString(directory.resolve("boot"), "boot-2\n");

        try (Agent agent = start()) {
            assertThat(agent).isNotNull();
            assertThat(log).contains("the node was booted since; the checkpoint was thrown away");
            assertThat(prepare().error()).isEmpty();
        }
    }

    @Test
    void whatBelongsToClaimsThatAreGoneIsTakenBackAtTheStart() throws Exception {
        api.allocate("one", "uid-one", DRIVER, DEVICE);
        try (Agent agent = start()) {
            assertThat(agent).isNotNull();
            prepare();
        }
        api.delete("one");

        try (Agent agent = start()) {
            assertThat(agent).isNotNull();
            assertThat(log).contains("repaired: claim default/one (uid-one) is gone; its slices were taken back");
            assertThat(prepare().error()).isEqualTo("claim default/one is gone");
        }
        assertThat(directory.resolve("cdi/sro.dev-slice_uid-one.json")).doesNotExist();
    }

    /** Of a proxy, of a server without this API, or of nobody: no word about the claim. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "404 page not found",
                "<html>not here</html>",
                "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"details\":{\"kind\":\"namespaces\",\"name\":\"one\"}}",
                "{\"kind\":\"Status\",\"reason\":\"NotFound\"}",
                "[]"
            })
    void onlyTheApiServersOwnWordMeansThatAClaimIsGone(String answer) throws IOException {
        ApiClaims claims = new ApiClaims(ApiServer.at(api.address(), Optional.empty(), Optional.empty()), DRIVER);
        api.allocate("one", "uid-one", DRIVER, DEVICE);
        assertThat(claims.standing(ONE)).isEqualTo(Standing.ALLOCATED);

        api.saysInstead(answer);
        assertThat(claims.standing(ONE)).isEqualTo(Standing.UNKNOWN);
        assertThatThrownBy(() -> claims.allocations(ONE)).isInstanceOf(IOException.class);

        api.saysInstead("");
        api.delete("one");
        assertThat(claims.standing(ONE)).isEqualTo(Standing.GONE);
        api.close();
        assertThat(claims.standing(ONE)).isEqualTo(Standing.UNKNOWN);
    }

    @Test
    void aClaimThatIsAnotherOneOrHasNothingOfOursIsToldApart() throws IOException {
        ApiClaims claims = new ApiClaims(ApiServer.at(api.address(), Optional.empty(), Optional.empty()), DRIVER);
        api.allocate("one", "uid-new", DRIVER, DEVICE);
        assertThat(claims.standing(ONE)).isEqualTo(Standing.GONE);
        assertThatThrownBy(() -> claims.allocations(ONE)).hasMessageContaining("is another one now");
        api.deallocate("one", "uid-one");
        assertThat(claims.standing(ONE)).isEqualTo(Standing.GONE);
        assertThatThrownBy(() -> claims.allocations(ONE)).hasMessageContaining("is not allocated");
        api.allocate("one", "uid-one", "another.example.com", DEVICE);
        assertThatThrownBy(() -> claims.allocations(ONE)).hasMessageContaining("has no device of slices.sro.dev");
        assertThatThrownBy(() -> claims.allocations(new ClaimRef("u", "../..", "one")))
                .hasMessageContaining("is no name of a claim");
    }

    @Test
    void nothingIsMadeOfWhatIsGivenWithAdminAccess() throws IOException {
        ApiClaims claims = new ApiClaims(ApiServer.at(api.address(), Optional.empty(), Optional.empty()), DRIVER);
        api.allocate("one", "uid-one", DRIVER, DEVICE + "\",\"adminAccess\":true,\"x\":\"");
        assertThatThrownBy(() -> claims.allocations(ONE))
                .hasMessageContaining("has no device of slices.sro.dev for itself")
                .hasMessageContaining("adminAccess");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--nodes x", "--interval 0", "--interval x", "--node"})
    void wrongArgumentsAreTold(String arguments) {
        assertThatThrownBy(() -> start(arguments.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(arguments.split(" ")[0]);
    }
}
