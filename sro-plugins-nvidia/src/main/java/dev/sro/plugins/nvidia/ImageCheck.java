package dev.sro.plugins.nvidia;

import dev.sro.api.Problem;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds parts of images that no registry could have. Nodes would say so only with {@code InvalidImageName}, after operands were
 * changed. Stateless.
 */
final class ImageCheck {

    private static final String ROOT = "spec.plugin.config.";

    /** A path with an optional registry before it, as the distribution specification has them. */
    private static final Pattern NAME =
            Pattern.compile("(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?/)?"
                    + "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*)*");

    private static final Pattern REGISTRY =
            Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?");

    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");

    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");

    private ImageCheck() {}

    /** All problems, by section. */
    static List<Problem> check(Settings settings) {
        Set<String> sections = new LinkedHashSet<>(Catalogue.OWN.entries().keySet());
        sections.add("vgpuManager");
        sections.add("slices");
        List<Problem> problems = new ArrayList<>();
        sections.forEach(section -> check(settings, section, problems));
        return problems;
    }

    private static void check(Settings settings, String section, List<Problem> problems) {
        settings.maybe(section + ".repository")
                .filter(text ->
                        !NAME.matcher(text).matches() && !REGISTRY.matcher(text).matches())
                .ifPresent(text -> problems.add(problem(
                        section + ".repository",
                        "\"" + text + "\" is no repository; write registry and path without a scheme, as in"
                                + " registry.example/nvidia")));
        settings.maybe(section + ".image")
                .filter(text -> !isReference(text))
                .ifPresent(text -> problems.add(problem(
                        section + ".image",
                        "\"" + text + "\" is no name of an image; write a name in lower case, or all of a reference"
                                + " with its tag or sha256: and 64 digits")));
        settings.maybe(section + ".version")
                .filter(text ->
                        !TAG.matcher(text).matches() && !DIGEST.matcher(text).matches())
                .ifPresent(text -> problems.add(problem(
                        section + ".version",
                        text.contains("sha256")
                                ? "\"" + text + "\" is no digest: that is sha256: and 64 of the characters 0-9 and a-f"
                                : "\"" + text + "\" is no tag: those have letters, digits, '_', '.' and '-', at most"
                                        + " 128 of them")));
    }

    private static boolean isReference(String text) {
        int at = text.indexOf('@');
        String name = at < 0 ? text : text.substring(0, at);
        if (at >= 0 && !DIGEST.matcher(text.substring(at + 1)).matches()) {
            return false;
        }
        int colon = name.lastIndexOf(':');
        if (colon > name.lastIndexOf('/')) {
            return TAG.matcher(name.substring(colon + 1)).matches()
                    && NAME.matcher(name.substring(0, colon)).matches();
        }
        return NAME.matcher(name).matches();
    }

    private static Problem problem(String field, String message) {
        return Problem.user("NvidiaInvalidField", ROOT + field + ": " + message);
    }
}
