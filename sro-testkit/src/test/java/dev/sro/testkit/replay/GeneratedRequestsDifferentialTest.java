package dev.sro.testkit.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Sequences of requests that nobody thought out, about all kinds that operators use, are answered by the embedded server as by a real one:
 * objects are made from what the real server publishes of their fields. What differs is printed with the fewest requests that show it.
 * The real server has no controllers, so that nobody else writes.
 */
@RealControlPlane(needs = Feature.RESTART)
class GeneratedRequestsDifferentialTest {
    /** Others: {@code -Dsro.requests.first=1000 -Dsro.requests.generated=2000}. */
    private static final long FIRST = Long.getLong("sro.requests.first", 0);

    private static final int USUAL = 150;
    private static final int COUNT = Integer.getInteger("sro.requests.generated", USUAL);
    /** How many differences are made short before they are printed; {@code -Dsro.requests.shown=100}. */
    private static final int SHOWN = Integer.getInteger("sro.requests.shown", 10);
    /** {@code -Dsro.requests.report=FILE}: differences are appended there as they are found. */
    private static final String REPORT = System.getProperty("sro.requests.report", "");

    /**
     * How many of a thousand requests may be answered otherwise: 109 when this was first tried (141 of 1295), 18 by now (79 of 4476), of
     * seeds that nobody looked at.
     */
    private static final int MAY_DIFFER = Integer.getInteger("sro.requests.may", 30);

    private static final int THOUSAND = 1000;

    @Test
    void bothServersAnswerAlike(RealCluster cluster) throws Exception {
        List<String> differences = new ArrayList<>();
        Set<Long> differing = new TreeSet<>();
        int requests;
        try (LonelyServer lonely = LonelyServer.start(cluster);
                EmbeddedCluster own = EmbeddedCluster.builder().build()) {
            Endpoint real = lonely.endpoint();
            Endpoint embedded = new EmbeddedEndpoint(HttpClient.newHttpClient(), own);
            List<ObjectNode> samples = new ArrayList<>(SamplePaths.samples());
            samples.addAll(SamplePaths.samples("generated-samples.yaml"));
            define(real);
            define(embedded);
            GeneratedSequences sequences = new GeneratedSequences(real, embedded);
            for (long seed = FIRST; seed < FIRST + COUNT; seed++) {
                Optional<GeneratedSequences.Difference> found = sequences.play(seed, samples);
                if (found.isPresent()) {
                    differing.add(seed);
                    boolean shown = differences.size() < SHOWN;
                    GeneratedSequences.Difference difference =
                            shown ? sequences.shortest(found.get(), seed, samples) : found.get();
                    differences.add("\nseed " + seed + difference.text());
                    report(differences.get(differences.size() - 1));
                }
            }
            requests = sequences.requests();
        }
        String summary = differences.size() + " of " + requests + " requests are answered otherwise";
        report("\n" + summary + "\n");
        assertThat(differences)
                .as("%s, the first: %s", summary, differences.subList(0, Math.min(SHOWN, differences.size())))
                .hasSizeLessThanOrEqualTo(requests * MAY_DIFFER / THOUSAND);
        if (FIRST == 0 && COUNT == USUAL) {
            assertThat(differing)
                    .as("what generated-known-differences.txt lists, and no more, of %s", differences)
                    .isEqualTo(known());
        }
    }

    private static Set<Long> known() throws IOException {
        try (InputStream in = Objects.requireNonNull(
                GeneratedRequestsDifferentialTest.class.getResourceAsStream("generated-known-differences.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> Long.valueOf(line.substring(0, line.indexOf(" | "))))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static void report(String text) throws IOException {
        if (!REPORT.isEmpty()) {
            Files.writeString(Path.of(REPORT), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    private static void define(Endpoint server) throws IOException {
        ObjectNode definition = SamplePaths.samples("generated-definition.yaml").get(0);
        String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        ReadsDifferentialTest.make(server, SamplePaths.request("POST", definitions, definition));
        String kinds = "/apis/generated.example.com/v1/namespaces/default/widgets";
        SamplePaths.awaitServed(server, kinds);
    }
}
