package dev.sro.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The conformance suite: extend it, say how the server is reached, and every case is a test. The server needs its namespace,
 * workload, garbage collection and definition controllers; nothing else may run in the namespaces {@code conformance-*}.
 */
public abstract class ConformanceSuite {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> FILES = List.of(
            "objects.json",
            "kinds.json",
            "devices.json",
            "writes.json",
            "patches.json",
            "changes.json",
            "updates.json",
            "apply.json",
            "ownership.json",
            "lists.json",
            "watches.json",
            "deletion.json",
            "garbage.json",
            "custom.json",
            "schemas.json",
            "definitions.json",
            "expressions.json",
            "cluster.json",
            "validation.json",
            "webhooks.json",
            "policies.json",
            "mutations.json",
            "costs.json",
            "accounts.json",
            "tokens.json",
            "bodies.json",
            "admission.json");

    /** The server under test. Asked once per case. */
    protected abstract HttpCaller caller();

    /**
     * Whether a class runs a topic; all of them unless it says otherwise. Where each request takes long, several classes that share the
     * topics take less.
     *
     * @param topic such as {@code watches}
     */
    protected boolean runs(String topic) {
        return true;
    }

    /** The cases, by topic. */
    @TestFactory
    List<DynamicContainer> conformance() {
        List<DynamicContainer> topics = new ArrayList<>();
        for (String file : FILES) {
            String topic = file.replace(".json", "");
            if (!runs(topic)) {
                continue;
            }
            List<DynamicTest> tests = new ArrayList<>();
            for (JsonNode c : read(file)) {
                String name = c.path("name").asText();
                tests.add(DynamicTest.dynamicTest(name, () -> new CaseRun(caller(), c).run()));
            }
            topics.add(DynamicContainer.dynamicContainer(topic, tests));
        }
        return topics;
    }

    private static JsonNode read(String file) {
        try (InputStream in = ConformanceSuite.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("missing on the class path: " + file);
            }
            return JSON.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
