package dev.sro.plugins.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.RecipeContext;
import dev.sro.api.State;
import dev.sro.api.StateGraph;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Order of the states, and what of them waits for what. */
class RecipeTest {

    private static StateGraph graph(String config) {
        return new NvidiaPlugin().states(Gpus.context(Gpus.kubernetes(), config));
    }

    /** By number, the numbers directly before. */
    private static Map<String, Set<String>> order(String config) {
        StateGraph graph = graph(config);
        Map<String, Set<String>> order = new TreeMap<>();
        for (State state : graph.states()) {
            Set<String> before = new TreeSet<>();
            graph.before(state.id()).forEach(id -> before.add(id.substring(0, 4)));
            order.put(state.number(), before);
        }
        return order;
    }

    /** Beside the chain: on nodes with a driver of their own, the others wait for it by its file. */
    private static Map<String, Set<String>> withHostDriver(Map<String, Set<String>> chain) {
        Map<String, Set<String>> all = new TreeMap<>(chain);
        all.put("1010", Set.of());
        return all;
    }

    private static Set<String> allBefore(StateGraph graph, String id) {
        Set<String> all = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(graph.before(id));
        while (!open.isEmpty()) {
            String next = open.pop();
            if (all.add(next)) {
                open.addAll(graph.before(next));
            }
        }
        return all;
    }

    @Test
    void theChainEndsWhereWorkIsIndependent() {
        assertThat(order("{}"))
                .isEqualTo(withHostDriver(Map.of(
                        "1000", Set.of(),
                        "2000", Set.of("1000"),
                        "3000", Set.of("2000"),
                        "4000", Set.of("3000"),
                        "4100", Set.of("3000"),
                        "4900", Set.of("4000"),
                        "5000", Set.of("4900"),
                        "6000", Set.of("5000"),
                        "8000", Set.of("3000"),
                        "9000", Set.of("8000"))));
    }

    @Test
    void claimsStandInThePlaceOfTheDevicePlugin() {
        assertThat(order("{dra: {enabled: true}}"))
                .isEqualTo(withHostDriver(Map.of(
                        "1000", Set.of(),
                        "4000", Set.of("1000"),
                        "5000", Set.of("4000"),
                        "6000", Set.of("5000"))));
    }

    @Test
    void aHostEngineIsThereBeforeTheExporterThatUsesIt() {
        assertThat(order("{dcgm: {enabled: true}}").get("6000")).containsExactly("5000", "6100");
    }

    @Test
    void whatIsSwitchedOffIsLeftOutAndNobodyWaitsForIt() {
        assertThat(order("{devicePlugin: {enabled: false}, gfd: {enabled: false}}"))
                .isEqualTo(withHostDriver(Map.of(
                        "1000", Set.of(),
                        "2000", Set.of("1000"),
                        "3000", Set.of("2000"),
                        "6000", Set.of("3000"),
                        "9000", Set.of("3000"))));
        assertThat(order("{dcgmExporter: {enabled: false}, migManager: {enabled: false}}"))
                .doesNotContainKeys("6000", "9000");
    }

    @Test
    void machinesWaitForNothingOfContainers() {
        StateGraph graph = graph("{sandboxWorkloads: {enabled: true},"
                + " vgpuManager: {repository: registry.example, image: vgpu-manager, version: '1'}}");

        assertThat(allBefore(graph, "4200-sandbox-device-plugin"))
                .containsExactly("1100-vgpu-manager", "2100-vfio-manager", "3200-sandbox-validation");
    }

    @Test
    void aDriverWithPeerMemoryComesAfterTheNetworkDriver() {
        assertThat(graph("{driver: {rdma: {enabled: true}}}").states().get(0).afterCapabilities())
                .containsExactly("network-driver");
        assertThat(graph("{driver: {rdma: {enabled: true, useHostMofed: true}}}")
                        .states()
                        .get(0)
                        .afterCapabilities())
                .isEmpty();
        assertThat(graph("{}").states().get(0).afterCapabilities()).isEmpty();
        assertThat(graph("{}").states().get(0).provides()).containsExactly("gpu-driver");
    }

    @Test
    void onlyPodsOfTheDriverWaitForWhatSroWrites() {
        RecipeContext context = Gpus.context(Gpus.kubernetes(), "{sandboxWorkloads: {enabled: true}}");

        assertThat(new NvidiaPlugin().states(context).states())
                .filteredOn(state -> !state.reach().hasOwnBarrier())
                .extracting(State::id)
                .containsExactly(Recipe.DRIVER);
    }

    @Test
    void theValidationThatTakesAGpuLeavesAndWithoutItNobodyAsksForOne() {
        State usual = graph("{}").states().stream()
                .filter(state -> state.id().equals("4900-device-plugin-workload"))
                .findFirst()
                .orElseThrow();

        assertThat(usual.reach().leavesWhenReady()).isTrue();
        assertThat(usual.manifests().toString()).contains("nvidia.com/gpu: \"1\"");
        assertThat(order("{validator: {plugin: {env: [{name: WITH_WORKLOAD, value: 'false'}]}}}"))
                .doesNotContainKey("4900")
                .containsEntry("5000", Set.of("4000"));
        assertThat(order("{devicePlugin: {args: [--mig-strategy=mixed]}}")).doesNotContainKey("4900");
    }

    @Test
    void theValidationOfTheDriverAsksForNoResource() {
        State driver = graph("{}").states().stream()
                .filter(state -> state.id().equals(Recipe.VALIDATION))
                .findFirst()
                .orElseThrow();

        assertThat(driver.manifests().toString()).contains("vectorAdd").doesNotContain("nvidia.com/gpu:");
    }
}
