package dev.sro.core.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class FeatureRulesTest {

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    @SuppressWarnings("unchecked")
    private static Map<String, Object> tree(String yaml) {
        return (Map<String, Object>) YAML.unmarshal("---\n" + yaml, Map.class);
    }

    static RawFeatures node() {
        try (InputStream in = Objects.requireNonNull(FeatureRulesTest.class.getResourceAsStream("node-feature.yaml"))) {
            return RawFeatures.of(tree(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> object(String name, String rules) {
        List<Object> list = new ArrayList<>();
        for (String rule : rules.split("; (?=\\{)")) {
            Map<String, Object> one = tree(rule);
            one.put("name", "r" + list.size());
            list.add(one);
        }
        return Map.of("kind", "NodeFeatureRule", "metadata", Map.of("name", name), "spec", Map.of("rules", list));
    }

    /** Labels with an equals sign, annotations with a colon, resources with a hash; taints as they are. */
    private static String text(RuleResult result) {
        List<String> all = new ArrayList<>();
        result.labels().forEach((key, value) -> all.add(key + "=" + value));
        result.annotations().forEach((key, value) -> all.add(key + ":" + value));
        result.extendedResources().forEach((key, value) -> all.add(key + "#" + value));
        all.addAll(result.taints());
        return String.join(" ", all);
    }

    /** A result with an exclamation mark is a problem, with a question mark what is said when the rule is read. */
    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "rules.psv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '~')
    void meanWhatTheyMeanToNodeFeatureDiscovery(String id, String rules, @Nullable String expected) {
        List<Map<String, Object>> objects = List.of(object("x", rules));
        if (expected != null && expected.startsWith("?")) {
            assertThatThrownBy(() -> FeatureRules.of(objects))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("NodeFeatureRule x")
                    .hasMessageContaining(expected.substring(1));
            return;
        }
        RuleResult result = FeatureRules.of(objects).evaluate(node());
        if (expected != null && expected.startsWith("!")) {
            assertThat(result.problems())
                    .as(id)
                    .singleElement()
                    .asString()
                    .startsWith("rule r0: ")
                    .contains(expected.substring(1));
            assertThat(text(result)).isEmpty();
        } else {
            assertThat(result.problems()).as(id).isEmpty();
            assertThat(text(result)).as(id).isEqualTo(expected == null ? "" : expected);
        }
    }

    @Test
    void objectsAreTakenByTheirNamesWhateverTheirOrder() {
        Map<String, Object> first = object("a", "{vars: {v: \"1\"}}");
        Map<String, Object> second = object(
                "b", "{labels: {l: x}, matchFeatures: [{feature: rule.matched, matchExpressions: {v: {op: Exists}}}]}");
        assertThat(FeatureRules.of(List.of(second, first)).evaluate(node()).labels())
                .containsEntry("feature.node.kubernetes.io/l", "x");
    }

    @Test
    void severalObjectsOfANodeAreOne() {
        RawFeatures more = RawFeatures.of(tree("{spec: {features: {attributes: {kernel.version: {elements: {major:"
                + " \"6\"}}}, flags: {cpu.cpuid: {elements: {AMX: {}}}}, instances: {pci.device: {elements:"
                + " [{attributes: {vendor: \"1002\"}}]}}}}}"));
        RawFeatures all = node().and(more);
        assertThat(all.flags().get("cpu.cpuid")).contains("AMX", "AVX2");
        assertThat(all.attributes().get("kernel.version"))
                .containsEntry("major", "6")
                .containsKey("minor");
        assertThat(all.instances().get("pci.device")).hasSize(4);
    }

    @Test
    void anythingElseIsNoRule() {
        assertThatThrownBy(() -> FeatureRules.of(List.of(Map.of("kind", "Node"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kind \"Node\" is no NodeFeatureRule");
    }
}
