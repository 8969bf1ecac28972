package dev.sro.core.recipe;

import dev.sro.api.KernelVersion;
import dev.sro.api.Pool;
import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartFile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which builds of a chart are for one kernel, though nothing says so: built once, they are of no use after the next upgrade. A chart's
 * templates say which may be, by what they reach through helpers and values; which are, shows when they are rendered for another
 * kernel. Immutable.
 */
final class KernelBuilds {

    private static final String KIND = "BuildConfig";

    private static final Pattern KERNEL =
            Pattern.compile("\\b(?:kernelFullVersion|kernelPatchVersion|driverToolkitImage)\\b");

    private static final Pattern DEFINE = Pattern.compile("\\{\\{-?\\s*define\\s+[\"`]([^\"`]+)[\"`]");

    private static final Pattern INCLUDE = Pattern.compile("\\b(?:include|template)\\s+(?:[\"`]([^\"`]+)[\"`]|[($])");

    /** What runs a text that is a value, or in a file. */
    private static final Pattern RUNS_TEXT = Pattern.compile("\\btpl\\b");

    private static final Pattern DOCUMENT = Pattern.compile("(?m)^---.*$");

    /** Of a build, behind version and dash; no longer than what a long can hold. */
    private static final Pattern BUILD_NUMBER = Pattern.compile("^(\\d+\\.\\d+\\.\\d+-)(\\d{1,9})(\\D.*)?$");

    /** Stands for the toolkit of another kernel. */
    private static final String OTHER_TOOLKIT = "registry.invalid/driver-toolkit@sha256:" + "0".repeat(64);

    private final Map<String, String> helpers = new TreeMap<>();
    private final String values;

    /**
     * @param set what the user sets, whose texts may be templates
     */
    KernelBuilds(Chart chart, Map<String, Object> set) {
        StringBuilder all = new StringBuilder(String.valueOf(set));
        collect(chart, all);
        this.values = all.toString();
    }

    private void collect(Chart chart, StringBuilder texts) {
        for (ChartFile file : chart.templates()) {
            Matcher define = DEFINE.matcher(file.text());
            List<Integer> starts = new ArrayList<>();
            List<String> names = new ArrayList<>();
            while (define.find()) {
                starts.add(define.start());
                names.add(define.group(1));
            }
            for (int i = 0; i < names.size(); i++) {
                // Up to the next: rather too much than too little.
                int end =
                        i + 1 < starts.size() ? starts.get(i + 1) : file.text().length();
                helpers.merge(names.get(i), file.text().substring(starts.get(i), end), String::concat);
            }
        }
        texts.append(chart.values());
        chart.subcharts().forEach(sub -> collect(sub, texts));
    }

    /** Whether a template may make builds that depend on the kernel. */
    boolean maybeIn(String template) {
        String reached = reached(template);
        boolean kernel =
                KERNEL.matcher(reached).find() || KERNEL.matcher(values).find();
        return reached.contains(KIND) && kernel;
    }

    /** The text with those of all helpers that it includes. */
    private String reached(String template) {
        StringBuilder all = new StringBuilder();
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(template));
        while (!open.isEmpty()) {
            String text = open.pop();
            all.append(text);
            Matcher include = INCLUDE.matcher(text);
            while (include.find()) {
                String name = include.group(1);
                if (name == null) {
                    // Its name is worked out: it may be any.
                    helpers.keySet().stream()
                            .filter(seen::add)
                            .map(helpers::get)
                            .forEach(open::push);
                } else if (helpers.containsKey(name) && seen.add(name)) {
                    open.push(helpers.getOrDefault(name, ""));
                }
            }
        }
        return RUNS_TEXT.matcher(all).find() ? all + values : all.toString();
    }

    /** The pool if its nodes had another kernel of the same system. */
    static Pool other(Pool pool) {
        return new Pool(
                pool.name(),
                pool.affinityHash(),
                new KernelVersion(other(pool.kernel().raw())),
                pool.os(),
                pool.architecture(),
                pool.key(),
                pool.nodes());
    }

    private static String other(String kernel) {
        Matcher number = BUILD_NUMBER.matcher(kernel);
        return number.matches()
                ? number.group(1)
                        + (Long.parseLong(number.group(2)) + 1)
                        + Objects.requireNonNullElse(number.group(3), "")
                : kernel + ".1";
    }

    /** The runtime values of that pool, whose toolkit is another one, too. */
    static Map<String, Object> other(Map<String, Object> runtime) {
        Map<String, Object> other = new LinkedHashMap<>(runtime);
        other.put("driverToolkitImage", OTHER_TOOLKIT);
        return other;
    }

    /** Whether a build of this name comes out otherwise in the text for another kernel. */
    static boolean differs(String name, String rendered, String forOther) {
        Set<String> others = new HashSet<>();
        DOCUMENT.splitAsStream(forOther).map(String::strip).forEach(others::add);
        Pattern named = Pattern.compile("name[\"']?\\s*:\\s*[\"']?" + Pattern.quote(name) + "(?![-\\w.])");
        return DOCUMENT.splitAsStream(rendered)
                .map(String::strip)
                .filter(document ->
                        document.contains(KIND) && named.matcher(document).find())
                .anyMatch(document -> !others.contains(document));
    }
}
