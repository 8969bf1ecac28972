package dev.sro.runtime.lint;

import dev.sro.api.ManifestTemplate;
import dev.sro.core.manifest.DesiredState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of templates that do not say what they seem to. Stateless. */
final class TemplateChecks {

    private static final Pattern NUMBERED = Pattern.compile("(?:.*/)?(\\d{4})[^/]*");

    private static final Pattern LOOKS_LIKE_A_STATE = Pattern.compile("(?:.*/)?\\d{4}[-_.][^/]*\\.yml");

    private TemplateChecks() {}

    static List<Finding> in(Subject subject) {
        List<Finding> found = new ArrayList<>();
        Map<String, TreeSet<String>> byNumber = new TreeMap<>();
        for (DesiredState state : subject.previewed().preview().states()) {
            for (ManifestTemplate template : state.state().manifests()) {
                String name = template.name();
                if (LOOKS_LIKE_A_STATE.matcher(name).matches()) {
                    found.add(Finding.warning(
                            "TemplateIsNoState",
                            name,
                            "only templates whose names end in .yaml are states; this one comes with all others, after"
                                    + " the last state",
                            "rename it to end in .yaml"));
                }
                Matcher matcher = NUMBERED.matcher(name);
                if (state.state().reach().byNode() && matcher.matches()) {
                    byNumber.computeIfAbsent(matcher.group(1), unused -> new TreeSet<>())
                            .add(name);
                }
            }
        }
        byNumber.forEach((number, names) -> {
            if (names.size() > 1) {
                found.add(Finding.warning(
                        "SameStateNumber",
                        String.join(", ", names),
                        "these states have the same number " + number
                                + ", so they share one label on nodes, and which is"
                                + " first is decided by the rest of their names",
                        "give each a number of its own"));
            }
        });
        subject.previewed().preview().recipe().stream()
                .flatMap(recipe -> recipe.overwritten().stream().sorted())
                .forEach(name -> found.add(Finding.note(
                        "ValueOverwritten",
                        ".Values." + name,
                        "the value of the chart, or of spec.set, is overwritten by what SRO knows of the cluster, as in the"
                                + " original",
                        "name it otherwise, if it means something else")));
        return found;
    }
}
