package dev.sro.core.recipe;

import dev.sro.api.Problem;
import dev.sro.core.recipe.source.StateFileSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the texts of numbered manifests say about the generation that they are of. Stateless. */
final class StateFileText {

    /** In both spellings; a recipe with one of them, or with a log to wait for, is of a generation that had the annotation. */
    private static final Pattern WAIT = Pattern.compile("specialres(?:ource|rouce)\\.openshift\\.io/wait");

    /** What operators put into manifests that they change before they use them. */
    private static final Pattern FILLED = Pattern.compile("(?i)\\bFILLED[ _-]BY[ _-](?:THE[ _-])?OPERATOR\\b");

    /** What Go's templates can begin an action with: a field, a constant, a word of the language, a variable that is defined. */
    private static final Pattern ACTION = Pattern.compile(
            "\\{\\{(?:-\\s)?\\s*(?:[.(\"`'0-9]|/\\*|\\$\\.|(?:if|else|end|range|define|template|block|with|break|continue|and"
                    + "|or|not|eq|ne|lt|le|gt|ge|print|printf|println|html|js|urlquery|len|index|slice|call|true|false|nil)\\b)");

    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*#.*$");

    /** What labels of nodes are called after; a vendor of driver containers is none. */
    private static final Pattern LABEL =
            Pattern.compile("specialresource\\.openshift\\.io/(driver-container|driver-validation"
                    + "|runtime-enablement|device-plugin|device-validation|device-monitoring)(?!-vendor\\b)(-?)");

    private StateFileText() {}

    /**
     * Groups whose labels a recipe looks for without the hardware behind them, as the operator wrote them at the beginning of 2020; in
     * a recipe that looks for a group both ways it is with the hardware.
     */
    static Set<String> groupsWithoutHardware(StateFileSet files) {
        Set<String> without = new TreeSet<>();
        Set<String> with = new TreeSet<>();
        for (String text : files.files().values()) {
            if (text.contains(".StateName.")) {
                return Set.of();
            }
            Matcher matcher = LABEL.matcher(COMMENT.matcher(text).replaceAll(""));
            while (matcher.find()) {
                (matcher.group(2).isEmpty() ? without : with).add(matcher.group(1));
            }
        }
        without.removeAll(with);
        return Set.copyOf(without);
    }

    /**
     * Whether it is no template: nothing in folders is, nor what has no more of one than what alerts and dashboards have, {@code {{
     * $labels.node }}} or {@code {{gpu}}}, which to a template would be a mistake.
     */
    static boolean isPlain(String text, boolean folders) {
        return folders
                || !text.contains("{{")
                || (!text.contains(":=") && !ACTION.matcher(text).find());
    }

    static boolean saysWhatToWaitFor(StateFileSet files) {
        return files.files().values().stream()
                .anyMatch(text -> WAIT.matcher(text).find());
    }

    /**
     * Refuses what nothing but the code of another operator makes complete.
     *
     * @throws RecipeFailure if a manifest says so
     */
    static void requireComplete(StateFileSet files) {
        files.files().forEach((name, text) -> {
            if (FILLED.matcher(text).find()) {
                String plugin = text.contains("nvidia") ? "use the plugin nvidia (spec.plugin.name)" : "use a plugin";
                throw new RecipeFailure(new Problem(
                        "FilledByOtherOperator",
                        files.from() + ": " + name + " has fields that are filled by the operator that it belongs to,"
                                + " by code that SRO is not; " + plugin + " instead",
                        Problem.Owner.VENDOR,
                        false));
            }
        });
    }
}
