package dev.sro.core.placement.extender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.placement.NodeChoice;
import dev.sro.core.placement.PlacementFleet;
import dev.sro.core.placement.SliceDemand;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceDevice;
import dev.sro.core.slicing.Spread;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.core.yaml.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExtenderAnswersTest {
    private static final DeviceModel A100 = Catalogue.builtin().model("A100-40GB");
    private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");
    private static final List<String> PROFILES = List.of("1g.5gb", "2g.10gb", "3g.20gb", "7g.40gb", "7g.80gb");

    private final PlacementFleet fleet = new PlacementFleet(SliceAllocator.create());
    private final Pods pods = new Pods();
    private final ExtenderAnswers answers = new ExtenderAnswers(fleet, pods);

    /** Pods of one slice; their profile is their name. */
    private static final class Pods implements PodDemands {
        private final Map<String, SliceDemand> known = new LinkedHashMap<>();
        private int read;

        @Override
        public Optional<SliceDemand> known(String uid, String version) {
            return version.equals("1") ? Optional.ofNullable(known.get(uid)) : Optional.empty();
        }

        @Override
        public Optional<SliceDemand> read(String json) {
            read++;
            if (!(Json.read(json) instanceof Map<?, ?> pod && pod.get("metadata") instanceof Map<?, ?> metadata)) {
                throw new IllegalArgumentException("pod without metadata");
            }
            String profile = String.valueOf(metadata.get("name"));
            return profile.equals("none")
                    ? Optional.empty()
                    : Optional.of(demand(String.valueOf(metadata.get("uid")), profile));
        }
    }

    private static SliceDemand demand(String uid, String profile) {
        return SliceDemand.of(uid, "ns", profile, "main", List.of(profile), Spread.ANYWHERE);
    }

    private void nodes(int count) {
        for (int i = 0; i < count; i++) {
            fleet.node("n" + i, List.of(SliceDevice.of("gpu-" + i, A100, "n" + i)));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String pod(String uid, String profile) {
        return "{\"metadata\":{\"name\":\"" + profile + "\",\"labels\":{\"uid\":\"[{\\\"no\\\"}]\"},\"uid\":\"" + uid
                + "\",\"resourceVersion\":\"1\"},\"spec\":{\"uid\":\"no\",\"containers\":[{\"args\":[\"]}\\\\\"]}]}}";
    }

    /** As Go writes it. */
    private static byte[] request(String pod, List<?> names) {
        return bytes("{\"Pod\":" + pod + ",\"Nodes\":null,\"NodeNames\":[\""
                + String.join("\",\"", names.stream().map(String::valueOf).toList()) + "\"]}");
    }

    private Map<?, ?> filter(byte[] body) {
        return (Map<?, ?>) read(answers.filter(body));
    }

    private List<?> prioritize(byte[] body) {
        return (List<?>) read(answers.prioritize(body));
    }

    private static Object read(byte[] answer) {
        return Objects.requireNonNull(Json.read(new String(answer, StandardCharsets.UTF_8)));
    }

    private static Map<?, ?> score(String node, int score) {
        return Map.of("Host", node, "Score", (long) score);
    }

    private List<?> scores(SliceDemand demand, List<String> names) {
        int[] scores = fleet.score(demand, names);
        return IntStream.range(0, scores.length)
                .mapToObj(i -> score(names.get(i), scores[i]))
                .toList();
    }

    @Test
    void answersAreThoseOfTheFleetNowWhateverWasAskedBefore() {
        nodes(30);
        SplittableRandom random = new SplittableRandom(11);
        for (int step = 0; step < 600; step++) {
            SliceDemand demand = demand("u" + step, PROFILES.get(random.nextInt(PROFILES.size())));
            if (random.nextBoolean()) {
                pods.known.put(demand.uid(), demand);
            }
            List<String> asked = new ArrayList<>(fleet.nodes());
            asked.add("unknown");
            Collections.shuffle(asked, new Random(step));
            List<String> names = asked.subList(0, random.nextInt(asked.size()) + 1);
            String pod = pod(demand.uid(), demand.pod());

            Map<?, ?> filtered = filter(request(pod, names));

            NodeChoice expected = fleet.choose(demand, names);
            assertThat(filtered.get("NodeNames")).isEqualTo(expected.fitting());
            assertThat(filtered.get("FailedNodes")).isEqualTo(reasons(expected.full()));
            assertThat(filtered.get("FailedAndUnresolvableNodes")).isEqualTo(reasons(expected.unsuited()));
            assertThat(filtered.get("Error")).isEqualTo("");
            if (random.nextInt(3) == 0) {
                change(random, step);
            }
            List<String> fitting = new ArrayList<>(expected.fitting());
            if (random.nextInt(4) == 0 && !fitting.isEmpty()) {
                fitting.remove(random.nextInt(fitting.size()));
            }
            if (!fitting.isEmpty()) {
                assertThat(prioritize(request(pod, fitting))).isEqualTo(scores(demand, fitting));
            }
            fleet.decide(demand, fitting, LATER);
        }
    }

    private static Map<String, String> reasons(List<NodeChoice.Refused> refused) {
        Map<String, String> reasons = new LinkedHashMap<>();
        refused.forEach(node -> reasons.put(node.node(), node.reason()));
        return reasons;
    }

    private void change(SplittableRandom random, int step) {
        if (random.nextBoolean() && !fleet.held().isEmpty()) {
            fleet.drop(fleet.held().get(random.nextInt(fleet.held().size())).id());
        } else if (random.nextBoolean()) {
            fleet.decide(demand("other" + step, "1g.5gb"), fleet.nodes(), LATER);
        } else {
            fleet.node("n" + random.nextInt(30), List.of());
        }
    }

    @Test
    void ofAPodThatHasItsSlicesTheOtherNodesAreRefused() {
        nodes(3);
        SliceDemand demand = demand("u", "3g.20gb");
        fleet.decide(demand, List.of("n1"), LATER);

        Map<?, ?> filtered = filter(request(pod("u", "3g.20gb"), List.of("n0", "n1", "n2")));

        assertThat(filtered.get("NodeNames")).isEqualTo(List.of("n1"));
        assertThat(filtered.get("FailedNodes"))
                .isEqualTo(Map.of("n0", "its slices are on node n1", "n2", "its slices are on node n1"));
        assertThat(prioritize(request(pod("u", "3g.20gb"), List.of("n1")))).isEqualTo(List.of(score("n1", 10)));
    }

    @Test
    void aPodThatIsWatchedIsNotReadAndAnotherVersionOfItIs() {
        nodes(2);
        pods.known.put("u", demand("u", "7g.40gb"));

        filter(request(pod("u", "7g.40gb"), List.of("n0")));
        assertThat(pods.read).isZero();
        filter(request(pod("u", "7g.40gb").replace("\"1\"", "\"2\""), List.of("n0")));
        assertThat(pods.read).isOne();
    }

    @Test
    void everyNodeWillDoForAPodWithoutSlices() {
        nodes(1);

        byte[] asked = request(pod("u", "none"), List.of("n0", "elsewhere"));

        assertThat(filter(asked).get("NodeNames")).isEqualTo(List.of("n0", "elsewhere"));
        assertThat(prioritize(asked)).isEqualTo(List.of(score("n0", 0), score("elsewhere", 0)));
    }

    @Test
    void spacesEscapesKeysOfAnyCaseAndNodesAsObjectsAreRead() {
        nodes(2);
        String pod = pod("u", "1g.5gb");

        assertThat(filter(bytes("{ \"nodenames\" : [ \"n\\u0030\" , \"n1\", \"q\\\"\" ] ,\n\t\"POD\" : " + pod + " }")))
                .satisfies(filtered -> {
                    assertThat(filtered.get("NodeNames")).isEqualTo(List.of("n0", "n1"));
                    assertThat(filtered.get("FailedAndUnresolvableNodes"))
                            .isEqualTo(Map.of("q\"", "no GPU that is cut"));
                });
        assertThat(filter(bytes("{\"pod\":" + pod
                                + ",\"nodes\":{\"items\":[{\"kind\":\"Node\",\"metadata\":{\"labels\":"
                                + "{\"name\":\"n1\"},\"name\":\"n0\"}},{\"metadata\":{}}]}}"))
                        .get("NodeNames"))
                .isEqualTo(List.of("n0"));
    }

    @Test
    void whatIsWrongWithThePodIsTheErrorOfTheAnswer() {
        assertThat(filter(bytes("{\"Pod\":{},\"NodeNames\":[\"n0\"]}"))).satisfies(filtered -> {
            assertThat(filtered.get("Error")).isEqualTo("pod without metadata");
            assertThat(filtered.get("NodeNames")).isEqualTo(List.of());
        });
        assertThat(filter(bytes("{\"Pod\":null,\"NodeNames\":[\"n0\"]}")).get("Error"))
                .isEqualTo("the request has no Pod");
        assertThatThrownBy(() -> answers.prioritize(bytes("{}")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the request has no Pod");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "[]",
                "7",
                "\"a\"",
                "{\"a\"}",
                "{\"a\":}",
                "{,}",
                "{\"a\":1",
                "{a:1}",
                "{\"a\":1]",
                "nul"
            })
    void whatIsNoObjectIsRefused(String body) {
        assertThatThrownBy(() -> answers.filter(bytes(body)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the body is no JSON object");
    }

    @Test
    void aRequestThatWasCutOffIsRefusedWhereverThatWas() {
        nodes(3);
        byte[] whole = request(pod("u", "1g.5gb"), List.of("n0", "n1", "n2"));
        answers.filter(whole);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> answers.prioritize(cut))
                    .as("%d bytes", length)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
