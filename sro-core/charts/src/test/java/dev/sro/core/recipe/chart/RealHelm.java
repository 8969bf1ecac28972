package dev.sro.core.recipe.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.yaml.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The command helm, to compare with. */
final class RealHelm {
    private static final Pattern SOURCE = Pattern.compile("(?m)^---\\n# Source: (.+)\\n");

    private static final Pattern SEPARATOR = Pattern.compile("(?:^|\\s*\n)---\\s*");

    /** Of the library in helm-java; {@code .ci/helm} builds the same. */
    private static final String VERSION = "3.21.0";

    /** What the cluster serves beside of what Helm knows. */
    private static final String MORE = "example.com/v1";

    private final Path helm;

    private RealHelm(Path helm) {
        this.helm = helm;
    }

    /** What one call gave. */
    record Output(int status, String out, String err) {
        /** The texts of the documents by file, sorted: Helm prints them in the order of kinds, hooks last. */
        SortedMap<String, List<String>> documents() {
            SortedMap<String, List<String>> documents = new TreeMap<>();
            List<MatchResult> heads = SOURCE.matcher(out).results().toList();
            for (int i = 0; i < heads.size(); i++) {
                int end = i + 1 < heads.size() ? heads.get(i + 1).start() : out.length();
                documents
                        .computeIfAbsent(heads.get(i).group(1), path -> new ArrayList<>())
                        .addAll(split(out.substring(heads.get(i).end(), end)));
            }
            // CRDs of a chart that runs twice may be there twice.
            documents.replaceAll(
                    (path, list) -> (path.contains("/crds/") ? list.stream().distinct() : list.stream())
                            .sorted()
                            .toList());
            return documents;
        }
    }

    /** As Helm splits what it rendered ({@code pkg/releaseutil/manifest.go}). */
    static List<String> split(String text) {
        return SEPARATOR
                .splitAsStream(text.strip())
                .map(String::strip)
                .filter(document -> !document.isEmpty())
                .toList();
    }

    static boolean isHere() {
        return find().isPresent();
    }

    /** Where {@code sro.helm} or SRO_HELM say, which must then be right, or where {@code .ci/helm/build.sh} puts it. */
    static Optional<RealHelm> find() {
        String given = System.getProperty("sro.helm", System.getenv("SRO_HELM"));
        if (given != null && !given.isEmpty()) {
            assertThat(Path.of(given)).as("SRO_HELM").isExecutable();
            return Optional.of(new RealHelm(Path.of(given)));
        }
        String cache = System.getenv("XDG_CACHE_HOME");
        Path caches =
                cache == null || cache.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
        Path helm = caches.resolve(Path.of("sro", "helm", VERSION + "-linux-amd64", "helm"));
        return Files.isExecutable(helm) ? Optional.of(new RealHelm(helm)) : Optional.empty();
    }

    /** The command. */
    Path path() {
        return helm;
    }

    /** helm template with everything that it can show. */
    Output template(Path chart, RenderRequest request, Path folder) throws IOException, InterruptedException {
        return template(chart, request.values(), request, folder);
    }

    /** The same with other values. */
    Output template(Path chart, Map<String, Object> given, RenderRequest request, Path folder)
            throws IOException, InterruptedException {
        StringBuilder values = new StringBuilder();
        Json.write(given, values);
        Path file = Files.writeString(Files.createTempFile(folder, "values", ".yaml"), values);
        List<String> command = new ArrayList<>(List.of(
                helm.toString(),
                "template",
                request.release().name(),
                chart.toString(),
                "--namespace",
                request.release().namespace(),
                "--values",
                file.toString(),
                "--include-crds",
                "--no-hooks=false",
                "--kube-version",
                request.cluster().kubeVersion()));
        command.addAll(List.of("--api-versions", MORE));
        ProcessBuilder builder = new ProcessBuilder(command);
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("HOME", folder.toString());
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        int status = process.waitFor();
        return new Output(
                status,
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8).strip());
    }
}
