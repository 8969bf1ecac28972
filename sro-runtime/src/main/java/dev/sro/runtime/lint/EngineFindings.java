package dev.sro.runtime.lint;

import dev.sro.core.engine.trip.Preview;
import dev.sro.runtime.plan.PreviewedResource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the engine says of the special resource by itself: problems, warnings, and what it does not act on. Stateless. */
final class EngineFindings {

    /** How Helm and we name a place in a template. */
    private static final Pattern PLACE = Pattern.compile("^(\\S+:\\d+(?::\\d+)?): (.*)$", Pattern.DOTALL);

    private EngineFindings() {}

    static List<Finding> in(Subject subject) {
        List<Finding> found = new ArrayList<>();
        PreviewedResource previewed = subject.previewed();
        Preview preview = previewed.preview();
        previewed
                .problems()
                .forEach(one -> found.add(Finding.error(
                        one.problem().code(), one.where(), one.problem().message(), "")));
        preview.warnings().forEach(text -> found.add(warning(text)));
        preview.notices()
                .forEach(text -> found.add(Finding.warning(
                        "NotActedOn", "", text, "leave it out, or do by hand what it would have done")));
        previewed
                .unshown()
                .forEach(unshown -> found.add(Finding.note(
                        "NotLookedAt",
                        unshown.where(),
                        "its objects are not known yet, so none could be looked at; it waits: " + unshown.why(),
                        unshown.how())));
        if (!previewed.idle().isEmpty() && previewed.problems().isEmpty()) {
            found.add(Finding.note(
                    "NothingRendered",
                    "spec.nodeSelector",
                    previewed.idle() + ", so no template was rendered and none could be looked at",
                    "give nodes that match and have the device, or --kernel RELEASE"));
        }
        return found;
    }

    private static Finding warning(String text) {
        Matcher matcher = PLACE.matcher(text);
        String where = matcher.matches() ? matcher.group(1) : "";
        String message = matcher.matches() ? matcher.group(2) : text;
        return message.contains("is not defined")
                ? Finding.warning(
                        "UndefinedValue",
                        where,
                        message,
                        "define it in values.yaml or spec.set, or correct its name; letter case counts")
                : Finding.warning("RecipeWarning", where, message, "");
    }
}
