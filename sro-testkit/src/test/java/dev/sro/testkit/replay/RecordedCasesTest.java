package dev.sro.testkit.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.sim.SimulationFactory;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The embedded server answers what a real one answered, wherever recordings of one are at hand. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIf(
        value = "dev.sro.testkit.replay.Recordings#areHere",
        disabledReason = "no recordings here: set SRO_APISERVER_CASES to the folder that has cases/")
class RecordedCasesTest {
    private final Map<String, EmbeddedCluster> clusters = new HashMap<>();
    private final Map<String, Endpoint> endpoints = new HashMap<>();
    private final Interference interference = Interference.read();
    private final KnownDifferences known = KnownDifferences.read();
    private final Random random = new Random(1);
    private final HttpClient http = HttpClient.newHttpClient();
    private @Nullable WebhookServer webhooks;

    @BeforeAll
    void startWebhooks(@TempDir Path folder) throws Exception {
        webhooks = WebhookServer.start(folder);
    }

    @AfterAll
    void stop() {
        clusters.values().forEach(EmbeddedCluster::close);
        if (webhooks != null) {
            webhooks.close();
        }
    }

    @TestFactory
    List<DynamicContainer> answersWhatWasRecorded() {
        Recordings recordings = Recordings.find().orElseThrow();
        List<DynamicContainer> groups = new ArrayList<>();
        Set<String> listed = new HashSet<>(known.cases());
        for (String group : recordings.groups()) {
            JsonNode scenarios = recordings.scenarios(group);
            Map<String, JsonNode> cases = recordings.cases(group);
            List<DynamicTest> tests = new ArrayList<>();
            for (JsonNode scenario : scenarios.path("cases")) {
                String name = scenario.path("name").asText();
                JsonNode recorded = cases.get(name);
                listed.remove(group + "/" + name);
                if (recorded != null && known.of(group, name).played()) {
                    tests.add(DynamicTest.dynamicTest(name, () -> play(scenarios, scenario, recorded)));
                }
            }
            groups.add(DynamicContainer.dynamicContainer(group, tests));
        }
        Set<String> interfered = new HashSet<>(interference.cases());
        recordings
                .groups()
                .forEach(group ->
                        recordings.cases(group).keySet().forEach(name -> interfered.remove(group + "/" + name)));
        assertThat(interfered).as("interference in cases that are not there").isEmpty();
        assertThat(listed).as("known differences of cases that are not there").isEmpty();
        return groups;
    }

    private void play(JsonNode group, JsonNode scenario, JsonNode recorded) {
        String name = group.path("group").asText();
        KnownDifferences.Known expected = known.of(name, scenario.path("name").asText());
        Map<Integer, String> differences = differences(name, group, scenario, recorded);
        if (!differences.keySet().equals(expected.steps())) {
            // Once more: nothing bounds how long an event travels over the loopback interface.
            differences = differences(name, group, scenario, recorded);
        }
        Set<Integer> gone = new HashSet<>(expected.steps());
        gone.removeAll(differences.keySet());
        assertThat(gone)
                .as("steps that are listed as different (%s) and are not any more", expected.reason())
                .isEmpty();
        differences.keySet().removeAll(expected.steps());
        assertThat(differences).as("differences by step").isEmpty();
    }

    private Map<Integer, String> differences(String name, JsonNode group, JsonNode scenario, JsonNode recorded) {
        Endpoint endpoint = endpoints.computeIfAbsent(name, this::start);
        var others = interference.before(name + "/" + scenario.path("name").asText());
        try {
            return Recordings.differences(
                    recorded, new ReplayCase(endpoint, group, scenario, random, webhooks, others).run());
        } finally {
            interference.leave(endpoint);
        }
    }

    private Endpoint start(String group) {
        EmbeddedCluster cluster =
                EmbeddedCluster.builder().controller(new SimulationFactory()).build();
        cluster.server().namespaceGrace(Duration.ofSeconds(5));
        clusters.put(group, cluster);
        return new EmbeddedEndpoint(http, cluster);
    }
}
