package dev.sro.core.recipe.chart;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A chart as the engine gets it: the chart itself, plus generated templates that make the engine tell the text of every
 * file, hooks included, and what the cluster serves.
 *
 * <p>How: Helm renders files whose name begins with an underscore only when something includes them. So each file is
 * renamed to one, and the generated NOTES.txt, whose text the engine returns untouched, includes them one after the other in
 * the order in which Helm would render them, each with the context of its own chart, which Helm offers under {@code
 * .Subcharts}. Under its old name each file is still there for others to include. For one chart; not thread-safe.
 *
 * @see #plain for the same chart without that, to have Helm's own words for an error
 */
final class RenderArchive {

    /** In front of the name of a file that is to be included and not rendered by Helm itself. */
    static final String HIDDEN = "_sro.";

    private static final String TEMPLATES = "templates/";
    private static final String LIST = TEMPLATES + "_sro-files";
    private static final String NAMES = TEMPLATES + "_sro-names";

    /** Collects the files, chart by chart, with the context of each. */
    private static final String COLLECT = """
        {{- define "sro.dev/collect" -}}
        {{- $all := . -}}
        {{- $own := dict -}}
        {{- $base := print .path "/templates" -}}
        {{- $none := include (print $base "/_sro-files") $own -}}
        {{- if hasKey $own "" }}{{ $_ := set .charts .path true }}{{ end -}}
        {{- range $file, $hidden := omit $own "" -}}
        {{- $name := print $base "/" $file -}}
        {{- $entry := dict "name" $name "base" $base "text" (print $base "/" $hidden) "chart" $all.chart -}}
        {{- $_ := set $all.files (printf "%06d %s" (splitList "/" $name | len) $name) $entry -}}
        {{- end -}}
        {{- range $name, $inside := .chart.Subcharts -}}
        {{- $path := print $all.path "/charts/" $name -}}
        {{- $none = include "sro.dev/collect"
          (dict "chart" $inside "path" $path "files" $all.files "charts" $all.charts) -}}
        {{- end -}}
        {{- end -}}
        """;

    /** Where the engine gives the texts of all files. */
    enum Answer {
        /** In the notes, which Helm's library returns untouched. */
        NOTES("NOTES.txt"),
        /** In a document of the manifests, which is all that {@code helm template} prints. */
        DOCUMENT("sro.dev-answer.yaml");

        private final String file;

        Answer(String file) {
            this.file = file;
        }
    }

    /** In front of the answer in a {@link Answer#DOCUMENT}. */
    static final String ANSWER = "sro-answer: ";

    /**
     * Files that are not rendered, by path with the chart's name in front.
     *
     * @param failed others may still include them, and their definitions count
     * @param unparsable they are not there at all
     */
    record Omitted(SortedSet<String> failed, SortedSet<String> unparsable) {}

    private final Chart chart;
    private final Collection<String> apiVersions;
    private final Omitted omitted;
    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private final StringBuilder names = new StringBuilder();

    private RenderArchive(Chart chart, Collection<String> apiVersions, Omitted omitted) {
        this.chart = chart;
        this.apiVersions = apiVersions;
        this.omitted = omitted;
    }

    /**
     * The chart that tells its files.
     *
     * @param apiVersions what the cluster serves
     * @param answer where it tells them
     */
    static byte[] telling(Chart chart, Collection<String> apiVersions, Omitted omitted, Answer answer) {
        return new RenderArchive(chart, apiVersions, omitted).build(Optional.of(answer));
    }

    /** The chart as Helm renders it, but for the cluster's capabilities, notes, and what is left out. */
    static byte[] plain(Chart chart, Collection<String> apiVersions, Omitted omitted) {
        return new RenderArchive(chart, apiVersions, omitted).build(Optional.empty());
    }

    private byte[] build(Optional<Answer> answer) {
        add("", List.of(chart.name()), chart, answer.isPresent());
        names.append(COLLECT).append(ApiVersions.templates(apiVersions));
        put(NAMES, names.toString());
        answer.ifPresent(asked -> put(TEMPLATES + asked.file, texts(asked)));
        return TarWriter.archive("chart", files);
    }

    private void add(String folder, List<String> paths, Chart at, boolean telling) {
        StringBuilder list = new StringBuilder();
        Set<String> taken = new TreeSet<>();
        at.allFiles().forEach(file -> taken.add(file.path()));
        for (ChartFile file : at.allFiles()) {
            if (!file.path().startsWith(TEMPLATES)) {
                files.put(folder + file.path(), file.bytes());
                continue;
            }
            if (among(omitted.unparsable(), paths, file)) {
                continue;
            }
            boolean rendered =
                    !Decomposition.isShared(file.path()) && !at.metadata().isLibrary();
            boolean notes = Decomposition.isNotes(file.path());
            boolean hide = rendered && (telling || notes || among(omitted.failed(), paths, file));
            String path = hide ? hidden(file.path(), taken) : file.path();
            files.put(folder + path, ApiVersions.rewritten(file));
            if (hide) {
                paths.forEach(chartPath -> name(chartPath + "/" + file.path(), chartPath + "/" + path));
                if (!notes) {
                    list.append("{{- $_ := set . ")
                            .append(GoQuote.quote(below(file.path())))
                            .append(' ')
                            .append(GoQuote.quote(below(path)))
                            .append(" -}}\n");
                }
            }
        }
        // When a chart runs twice, Helm has the files of one inside of it only once: then there is only the empty one.
        put(folder + LIST, "{{- $_ := set . \"\" \"\" -}}\n" + list);
        paths.forEach(path -> names.append("{{- define ")
                .append(GoQuote.quote(path + "/" + LIST))
                .append(" }}{{ end -}}\n"));
        int number = 0;
        for (Chart inside : at.subcharts()) {
            List<String> inner = paths.stream()
                    .flatMap(path -> ChartNames.ofPaths(at, inside).stream().map(name -> path + "/charts/" + name))
                    .toList();
            add(folder + "charts/" + inside.name() + "." + number + "/", inner, inside, telling);
            number++;
        }
    }

    private static boolean among(Set<String> some, List<String> charts, ChartFile file) {
        return charts.stream().anyMatch(path -> some.contains(path + "/" + file.path()));
    }

    private String texts(Answer answer) {
        StringBuilder left = new StringBuilder("{{- $left := dict -}}\n");
        omitted.failed()
                .forEach(path -> left.append("{{- $_ := set $left ")
                        .append(GoQuote.quote(path))
                        .append(" true -}}\n"));
        return left + """
            {{- $files := dict -}}
            {{- $charts := dict -}}
            {{- $none := include "sro.dev/collect" (dict "chart" . "path" .Chart.Name "files" $files "charts" $charts) -}}
            {{- $texts := dict -}}
            {{- range $key := keys $files | sortAlpha | reverse -}}
            {{- $file := get $files $key -}}
            {{- if not (hasKey $left $file.name) -}}
            {{- $_ := set $file.chart "Template" (dict "Name" $file.name "BasePath" $file.base) -}}
            {{- $_ := set $texts $file.name (include $file.text $file.chart) -}}
            {{- end -}}
            {{- end -}}
            {{- print "%s" (dict "texts" $texts "charts" (keys $charts) | toJson | b64enc) -}}
            """.formatted(answer == Answer.NOTES ? "" : ANSWER);
    }

    /** Others may include a file by its path: Helm's documentation recommends it for check sums. */
    private void name(String path, String hidden) {
        names.append("{{- define ")
                .append(GoQuote.quote(path))
                .append(" }}{{ template ")
                .append(GoQuote.quote(hidden))
                .append(" . }}{{ end -}}\n");
    }

    private static String hidden(String path, Set<String> taken) {
        int name = path.lastIndexOf('/') + 1;
        String hidden = path.substring(0, name) + HIDDEN + path.substring(name);
        while (!taken.add(hidden)) {
            hidden = hidden.substring(0, name) + HIDDEN + hidden.substring(name);
        }
        return hidden;
    }

    private static String below(String path) {
        return path.substring(TEMPLATES.length());
    }

    private void put(String path, String text) {
        files.put(path, text.getBytes(StandardCharsets.UTF_8));
    }

    /** CRDs of the charts that were switched on, by path. */
    static Map<String, String> crds(Chart chart, Set<String> active) {
        Map<String, String> crds = new TreeMap<>();
        crds(List.of(chart.name()), chart, active, crds);
        return crds;
    }

    private static void crds(List<String> paths, Chart at, Set<String> active, Map<String, String> crds) {
        for (String path : paths) {
            if (active.contains(path)) {
                at.crds().forEach(file -> crds.put(path + "/" + file.path(), file.text()));
            }
        }
        for (Chart inside : at.subcharts()) {
            List<String> inner = paths.stream()
                    .flatMap(path -> ChartNames.ofPaths(at, inside).stream().map(name -> path + "/charts/" + name))
                    .toList();
            crds(inner, inside, active, crds);
        }
    }
}
