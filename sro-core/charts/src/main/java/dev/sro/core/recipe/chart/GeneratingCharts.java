package dev.sro.core.recipe.chart;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Charts with functions that give something else each time: passwords, certificates, the time. Rendering such a chart once more shows
 * where. Stateless.
 */
public final class GeneratingCharts {
    private static final Pattern FUNCTIONS = Pattern.compile(
            "\\b(?:rand(?:Alpha(?:Num)?|Numeric|Ascii|Bytes|Int)|uuidv4|shuffle|bcrypt|htpasswd|encryptAES|now|ago"
                    + "|gen(?:CA|SelfSignedCert|SignedCert)(?:WithKey)?|genPrivateKey)\\b");

    /** The time as a word of an action, not in a name or a path. */
    private static final Pattern NOW = Pattern.compile("(?<=[({|=\\s-])now(?=[)}|\\s-])");

    /** No part of the time is the same then. */
    private static final String LATER = "(now | dateModify \"9517h31m29s\")";

    private static final Pattern ACTION = Pattern.compile("\\{\\{.*?}}", Pattern.DOTALL);

    private GeneratingCharts() {}

    /** The chart as it is to be rendered once more, at another time; empty if nothing in it comes out otherwise. */
    public static Optional<Chart> again(Chart chart) {
        return isGenerating(chart) ? Optional.of(later(chart, true)) : Optional.empty();
    }

    private static boolean isGenerating(Chart chart) {
        return chart.allFiles().stream()
                        // Values may be templates, too.
                        .filter(file -> file.path().startsWith("templates/")
                                || file.path().equals("values.yaml"))
                        .anyMatch(file -> ACTION.matcher(file.text())
                                .results()
                                .anyMatch(action ->
                                        FUNCTIONS.matcher(action.group()).find()))
                || chart.subcharts().stream().anyMatch(GeneratingCharts::isGenerating);
    }

    private static Chart later(Chart chart, boolean top) {
        List<ChartFile> files = new ArrayList<>();
        chart.allFiles().forEach(file -> files.add(file.path().startsWith("templates/") ? later(file) : file));
        if (top) {
            // Whoever remembers what came of a chart takes this one for another.
            files.add(new ChartFile("templates/_once-more.tpl", "{{/* */}}".getBytes(StandardCharsets.UTF_8)));
        }
        return new Chart(
                chart.metadata(),
                chart.values(),
                files,
                chart.subcharts().stream().map(inside -> later(inside, false)).toList());
    }

    private static ChartFile later(ChartFile file) {
        String text = file.text();
        String changed = ACTION.matcher(text)
                .replaceAll(action -> Matcher.quoteReplacement(
                        NOW.matcher(action.group()).replaceAll(Matcher.quoteReplacement(LATER))));
        return changed.equals(text) ? file : new ChartFile(file.path(), changed.getBytes(StandardCharsets.UTF_8));
    }
}
