package dev.sro.core.recipe.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The rules of {@code .helmignore}, as Helm reads them ({@code pkg/ignore} of Helm 3.21): like {@code .gitignore}, but without
 * {@code **}, and a negated rule ignores all that it does not match. Immutable.
 */
final class HelmIgnore {

    private record Rule(Pattern pattern, boolean negated, boolean directoryOnly, boolean nameOnly) {
        boolean matches(String path) {
            String subject = nameOnly ? path.substring(path.lastIndexOf('/') + 1) : path;
            return pattern.matcher(subject).matches();
        }
    }

    private final List<Rule> rules = new ArrayList<>();

    /**
     * @param source what a message calls the file
     * @param text what is in it
     */
    HelmIgnore(String source, String text) {
        text.lines().forEach(line -> add(source, line.strip()));
        add(source, "templates/.?*");
    }

    private void add(String source, String line) {
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        if (line.contains("**")) {
            throw ChartException.invalid(source + ": \"" + line + "\": Helm does not support **");
        }
        String rule = line;
        boolean negated = rule.startsWith("!");
        if (negated) {
            rule = rule.substring(1);
        }
        boolean directoryOnly = rule.endsWith("/");
        if (directoryOnly) {
            rule = rule.substring(0, rule.length() - 1);
        }
        boolean nameOnly = !rule.contains("/");
        if (rule.startsWith("/")) {
            rule = rule.substring(1);
        }
        rules.add(new Rule(glob(source, rule), negated, directoryOnly, nameOnly));
    }

    /** Whether the rules leave out the file or directory; what is in a directory that is left out is not asked for. */
    boolean ignores(String path, boolean directory) {
        for (Rule rule : rules) {
            if (rule.negated()) {
                if ((rule.directoryOnly() && !directory) || !rule.matches(path)) {
                    return true;
                }
            } else if ((directory || !rule.directoryOnly()) && rule.matches(path)) {
                return true;
            }
        }
        return false;
    }

    /** Go's filepath.Match: *, ?, [a-z], [^a-z] and \c; none of them matches a slash. */
    private static Pattern glob(String source, String rule) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < rule.length(); i++) {
            char c = rule.charAt(i);
            switch (c) {
                case '*' -> regex.append("[^/]*");
                case '?' -> regex.append("[^/]");
                case '[' -> {
                    int end = rule.indexOf(']', i + 2);
                    if (end < 0) {
                        throw ChartException.invalid(source + ": \"" + rule + "\": a [ without its ]");
                    }
                    regex.append(set(rule.substring(i + 1, end)));
                    i = end;
                }
                case '\\' -> {
                    i++;
                    if (i == rule.length()) {
                        throw ChartException.invalid(source + ": \"" + rule + "\" ends with a backslash");
                    }
                    regex.append(Pattern.quote(rule.substring(i, i + 1)));
                }
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        try {
            return Pattern.compile(regex.toString());
        } catch (PatternSyntaxException e) {
            throw ChartException.invalid(source + ": \"" + rule + "\" is no pattern: " + e.getDescription());
        }
    }

    private static String set(String content) {
        boolean negated = content.startsWith("^");
        StringBuilder set = new StringBuilder(negated ? "[^/" : "[");
        for (char c : content.substring(negated ? 1 : 0).toCharArray()) {
            // A dash stays a range; all else stands for itself.
            set.append(c == '-' || Character.isLetterOrDigit(c) ? String.valueOf(c) : "\\" + c);
        }
        return set.append(']').toString();
    }
}
