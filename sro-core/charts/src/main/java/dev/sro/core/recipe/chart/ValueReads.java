package dev.sro.core.recipe.chart;

import dev.sro.core.recipe.gotemplate.FieldReference;
import dev.sro.core.recipe.gotemplate.GoTemplate;
import dev.sro.core.recipe.gotemplate.Inclusion;
import dev.sro.core.recipe.gotemplate.Position;
import dev.sro.core.recipe.gotemplate.TemplateException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which values the templates of a chart read without a guard, helpers included as far as it is known what they are given.
 * Depends on the chart alone, so it is made once. Immutable.
 */
final class ValueReads {

    private static final String VALUES = "Values";

    /** Helpers that include each other are followed so far. */
    private static final int MAX_DEPTH = 50;

    /**
     * A value that is read.
     *
     * @param position the place, with the file
     * @param path below {@code .Values}
     * @param requires it is only read if there are values at these paths, also below {@code .Values}
     */
    record Read(Position position, List<String> path, List<List<String>> requires) {}

    private final Map<String, List<Read>> byFile;

    private ValueReads(Map<String, List<Read>> byFile) {
        this.byFile = byFile;
    }

    /** By file, as Helm registers it when the chart is not renamed. */
    Map<String, List<Read>> byFile() {
        return byFile;
    }

    /** Reads all templates; one that cannot be parsed is left out. */
    static ValueReads of(Chart chart) {
        Map<String, GoTemplate> templates = new HashMap<>();
        List<String> files = new ArrayList<>();
        parse(chart.name(), chart, templates, files);
        Map<String, List<Read>> byFile = new LinkedHashMap<>();
        for (String file : files) {
            Collector collector = new Collector(templates);
            collector.visit(file, List.of(), 0);
            if (!collector.reads.isEmpty()) {
                byFile.put(file, List.copyOf(collector.reads));
            }
        }
        return new ValueReads(Collections.unmodifiableMap(byFile));
    }

    private static void parse(String path, Chart chart, Map<String, GoTemplate> templates, List<String> files) {
        for (ChartFile file : chart.templates()) {
            String name = path + "/" + file.path();
            try {
                GoTemplate template = GoTemplate.parse(name, file.text());
                templates.put(name, template);
                template.definitions().forEach(definition -> templates.put(definition.name(), template));
            } catch (TemplateException e) {
                // The engine reports it.
                continue;
            }
            if (!Decomposition.isShared(name) && !Decomposition.isNotes(name)) {
                files.add(name);
            }
        }
        for (Chart inside : chart.subcharts()) {
            for (String name : ChartNames.ofPaths(chart, inside)) {
                parse(path + "/charts/" + name, inside, templates, files);
            }
        }
    }

    private static final class Collector {
        private final Map<String, GoTemplate> templates;
        private final List<Read> reads = new ArrayList<>();
        private final Set<List<Object>> visited = new HashSet<>();

        Collector(Map<String, GoTemplate> templates) {
            this.templates = templates;
        }

        void visit(String name, List<String> base, int depth) {
            GoTemplate template = templates.get(name);
            if (template == null || depth > MAX_DEPTH || !visited.add(List.of(name, base))) {
                return;
            }
            for (FieldReference reference : template.references()) {
                if (reference.template().equals(name) && !reference.guarded()) {
                    add(reference, base);
                }
            }
            for (Inclusion inclusion : template.inclusions()) {
                if (inclusion.template().equals(name)) {
                    inclusion.argument().ifPresent(path -> visit(inclusion.name(), join(base, path), depth + 1));
                }
            }
        }

        private void add(FieldReference reference, List<String> base) {
            List<String> path = join(base, reference.path());
            if (path.size() < 2 || !path.get(0).equals(VALUES)) {
                return;
            }
            List<List<String>> requires = new ArrayList<>();
            for (List<String> required : reference.requires()) {
                List<String> full = join(base, required);
                if (full.size() > 1 && full.get(0).equals(VALUES)) {
                    requires.add(full.subList(1, full.size()));
                }
            }
            reads.add(new Read(reference.position(), path.subList(1, path.size()), requires));
        }

        private static List<String> join(List<String> base, List<String> path) {
            List<String> joined = new ArrayList<>(base);
            joined.addAll(path);
            return joined;
        }
    }
}
