package dev.sro.runtime.plan;

import dev.sro.core.feature.FeatureRules;
import dev.sro.core.feature.RawFeatures;
import dev.sro.core.feature.RuleResult;
import dev.sro.core.model.ValueTrees;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.UnusableInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says what rules of Node Feature Discovery come to on nodes. */
@Command(
        name = "features",
        mixinStandardHelpOptions = true,
        description = {
            "Says what NodeFeatureRules come to on nodes, from files with NodeFeatureRule and NodeFeature objects.",
            "Nothing is asked of a cluster, and nothing is written.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 all is well; 1 a rule asks for something that Node Feature Discovery would drop; 2 wrong",
            "arguments, or input that cannot be read.",
            "",
            "Example:",
            "  kubectl get nodefeatures -A -o yaml | sro features -f rule.yaml -f -"
        })
public final class FeaturesCommand implements Callable<Integer> {

    private static final String GROUP = "nfd.k8s-sigs.io/v1alpha1/";
    private static final String NODE_LABEL = "nfd.node.kubernetes.io/node-name";

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            required = true,
            description = "Objects as YAML or JSON, lists too; - is the standard input.")
    private List<Path> files = new ArrayList<>();

    @Mixin
    private OutputForm form = new OutputForm();

    /** Filled by the command line parser. */
    public FeaturesCommand() {}

    @Override
    public Integer call() {
        List<Map<String, Object>> rules = new ArrayList<>();
        SortedMap<String, RawFeatures> nodes = new TreeMap<>();
        for (Path file : files) {
            for (Document document : Document.read(file)) {
                if (document.kindKey().equals(GROUP + "NodeFeatureRule")) {
                    rules.add(document.tree());
                } else if (document.kindKey().equals(GROUP + "NodeFeature")) {
                    nodes.merge(node(document), RawFeatures.of(document.tree()), RawFeatures::and);
                } else {
                    throw new UnusableInputException(
                            document.where(),
                            document.kindKey() + " is neither " + GROUP + "NodeFeatureRule nor " + GROUP
                                    + "NodeFeature; remove it");
                }
            }
        }
        if (rules.isEmpty() || nodes.isEmpty()) {
            throw new UnusableInputException(
                    "-f",
                    "there is no " + (rules.isEmpty() ? "NodeFeatureRule" : "NodeFeature") + "; add a file with one");
        }
        FeatureRules all;
        try {
            all = FeatureRules.of(rules);
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException("-f", String.valueOf(e.getMessage()));
        }
        SortedMap<String, RuleResult> results = new TreeMap<>();
        nodes.forEach((node, features) -> results.put(node, all.evaluate(features)));
        form.print(() -> text(results), () -> tree(results));
        boolean well =
                results.values().stream().allMatch(result -> result.problems().isEmpty());
        return well ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static String node(Document document) {
        Object node = ValueTrees.map(document.tree(), "metadata", "labels").get(NODE_LABEL);
        if (node == null) {
            throw new UnusableInputException(
                    document.where(),
                    "metadata.labels: " + NODE_LABEL + " is missing, so that the object is about no node; add it");
        }
        return String.valueOf(node);
    }

    private static String text(SortedMap<String, RuleResult> results) {
        StringBuilder text = new StringBuilder();
        results.forEach((node, result) -> {
            String rules =
                    result.matched().isEmpty() ? "no rule matches" : "rules " + String.join(", ", result.matched());
            text.append("node ").append(node).append(": ").append(rules).append('\n');
            result.labels().forEach((key, value) -> line(text, "label " + key + "=" + value));
            result.annotations().forEach((key, value) -> line(text, "annotation " + key + "=" + value));
            result.extendedResources().forEach((key, value) -> line(text, "extended resource " + key + ": " + value));
            result.taints().forEach(taint -> line(text, "taint " + taint));
            result.problems().forEach(problem -> line(text, "problem: " + problem));
        });
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append("  ").append(line).append('\n');
    }

    private static List<Map<String, Object>> tree(SortedMap<String, RuleResult> results) {
        List<Map<String, Object>> nodes = new ArrayList<>();
        results.forEach((node, result) -> {
            Map<String, Object> tree = new LinkedHashMap<>();
            tree.put("node", node);
            tree.put("rules", result.matched());
            tree.put("labels", result.labels());
            tree.put("annotations", result.annotations());
            tree.put("extendedResources", result.extendedResources());
            tree.put("taints", result.taints());
            tree.put("problems", result.problems());
            nodes.add(tree);
        });
        return nodes;
    }
}
