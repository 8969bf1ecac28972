package dev.sro.runtime.operator;

import dev.sro.runtime.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A metric in the table of docs/admins/operator.md, which is the contract.
 *
 * @param name as Prometheus has it
 * @param labels all of its own
 */
record DocumentedMetric(String name, List<String> labels) {

    private static final Pattern METRIC = Pattern.compile("`(sro_[a-z_]+)(?:\\{([a-z_,]+)})?`");

    /** All of SRO's own. */
    static List<DocumentedMetric> all() {
        List<DocumentedMetric> all = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(Repository.file("docs/admins/operator.md"))) {
                if (line.startsWith("| `sro_")) {
                    all.addAll(of(line.substring(0, line.indexOf('|', 1))));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    private static List<DocumentedMetric> of(String cell) {
        List<DocumentedMetric> metrics = new ArrayList<>();
        Matcher matcher = METRIC.matcher(cell);
        while (matcher.find()) {
            String labels = matcher.group(2);
            metrics.add(
                    new DocumentedMetric(matcher.group(1), labels == null ? List.of() : List.of(labels.split(","))));
        }
        return metrics;
    }

    /** Its series: three of a timer. */
    List<String> series() {
        return name.endsWith("_seconds") ? List.of(name + "_count", name + "_sum", name + "_max") : List.of(name);
    }
}
