package dev.sro.core.recipe.chart;

import dev.sro.api.Problem;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Helm's messages mean. The words are those of Helm 3.21 and Go's text/template. Stateless. */
final class HelmErrors {

    private static final Pattern PARSE = Pattern.compile("parse error (?:at|in) \\((.+?)(?::\\d+)*\\)");
    private static final Pattern EXECUTE = Pattern.compile("execution error (?:at|in) \\((.+?)(?::\\d+)*\\)");
    private static final Pattern TEMPLATE = Pattern.compile("template: (.+?):\\d+:\\d+: executing ");
    private static final Pattern YAML = Pattern.compile("YAML parse error on (.+?): ");

    /** By SIGKILL, as Java reports it: 128 and the number of the signal. */
    private static final int KILLED = 128 + 9;

    private HelmErrors() {}

    /** The file whose syntax is wrong. */
    static Optional<String> unparsable(String message) {
        return first(PARSE, message);
    }

    /** The file that Helm was rendering. */
    static Optional<String> failed(String message) {
        return first(EXECUTE, message).or(() -> first(TEMPLATE, message)).or(() -> first(YAML, message));
    }

    /** Whether it comes of templates at all, and not of values, versions or dependencies. */
    static boolean isOfTemplates(String message) {
        return unparsable(message).isPresent() || failed(message).isPresent();
    }

    /** Of a file. */
    static Problem ofFile(Chart chart, String message) {
        boolean asked = first(EXECUTE, message).isPresent();
        // required and fail are how a chart speaks to its user.
        return new Problem(
                "TemplateFailed",
                "chart " + chart.label() + ": " + cleaned(message),
                asked ? Problem.Owner.USER : Problem.Owner.VENDOR,
                false);
    }

    /** Of the whole chart. */
    static Problem ofChart(Chart chart, String message) {
        String text = "chart " + chart.label() + ": " + cleaned(message);
        if (message.contains("values don't meet the specifications of the schema")) {
            return Problem.user("ValuesRefused", text);
        }
        if (message.contains("which is incompatible with Kubernetes")) {
            return new Problem("KubeVersionRefused", text, Problem.Owner.PLATFORM, false);
        }
        return new Problem("ChartNotRendered", text, Problem.Owner.VENDOR, false);
    }

    /** The process ended. */
    static Problem ofProcess(Chart chart, HelmProcess.EndedException ended, HelmRendererConfig config) {
        String label = "chart " + chart.label();
        return switch (ended.status()) {
            // Perhaps it was the machine that was slow.
            case HelmWorker.TOO_LONG ->
                Problem.vendor(
                        "RenderingTooLong",
                        label + " was not rendered within " + config.deadline().toMillis() + " ms");
            case HelmWorker.TOO_LARGE ->
                new Problem(
                        "RenderingTooLarge",
                        label + " needs more than " + config.memoryMiB() + " MiB to be rendered",
                        Problem.Owner.VENDOR,
                        false);
            case KILLED ->
                new Problem(
                        "RendererKilled",
                        label + ": the process with Helm was killed while it rendered the chart, as Linux does when a"
                                + " container has no memory left; the chart may have " + config.memoryMiB()
                                + " MiB, so make it render less, or give the operator's container more",
                        Problem.Owner.VENDOR,
                        true);
            default ->
                Problem.platform(
                        "RendererCrashed",
                        label + ": the process with Helm ended with status " + ended.status() + "; its last words: "
                                + ended.getMessage());
        };
    }

    private static String cleaned(String message) {
        return message.replace(RenderArchive.HIDDEN, "").strip();
    }

    private static Optional<String> first(Pattern pattern, String message) {
        Matcher matcher = pattern.matcher(message);
        return matcher.find() ? Optional.of(matcher.group(1).replace(RenderArchive.HIDDEN, "")) : Optional.empty();
    }
}
