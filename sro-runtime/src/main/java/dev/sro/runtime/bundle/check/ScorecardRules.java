package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.check.BundleRule.SCORECARD_INVALID;

import dev.sro.core.model.ValueTrees;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code tests/scorecard/config.yaml}, where there is one. Stateless. */
final class ScorecardRules {

    private static final String CONFIG = "tests/scorecard/config.yaml";

    private static final String API = "scorecard.operatorframework.io/v1alpha3";

    private ScorecardRules() {}

    static void check(Bundle bundle, Findings findings) {
        String text = bundle.files().get(CONFIG);
        if (text == null) {
            return;
        }
        Bundle.Manifest config = Bundle.Manifest.of(CONFIG, text);
        if (!config.fault().isEmpty()) {
            findings.add(SCORECARD_INVALID, CONFIG, config.fault());
            return;
        }
        Map<String, Object> tree = config.object();
        findings.addUnless(
                API.equals(caseless(tree, "apiVersion")) && "Configuration".equals(tree.get("kind")),
                SCORECARD_INVALID,
                CONFIG,
                "is no Configuration of " + API);
        List<Map<String, Object>> stages = ValueTrees.maps(tree, "stages");
        findings.addUnless(!stages.isEmpty(), SCORECARD_INVALID, CONFIG, "has no stages");
        for (Map<String, Object> stage : stages) {
            List<Map<String, Object>> tests = ValueTrees.maps(stage, "tests");
            findings.addUnless(!tests.isEmpty(), SCORECARD_INVALID, CONFIG, "has a stage without tests");
            for (Map<String, Object> test : tests) {
                findings.addUnless(
                        !ValueTrees.text(test, "image").isEmpty()
                                && test.get("entrypoint") instanceof List<?> words
                                && !words.isEmpty(),
                        SCORECARD_INVALID,
                        CONFIG,
                        "test " + ValueTrees.map(test, "labels") + " needs image and entrypoint");
            }
        }
    }

    /** Some generators write the key in lower case, which the scorecard takes. */
    private static String caseless(Map<String, Object> tree, String key) {
        String exact = ValueTrees.text(tree, key);
        return exact.isEmpty() ? ValueTrees.text(tree, key.toLowerCase(Locale.ROOT)) : exact;
    }
}
