package dev.sro.testkit.simulation;

import dev.sro.api.Problem;
import dev.sro.api.resource.ChartReference;
import dev.sro.core.recipe.chart.ChartException;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.ChartFetcher;
import dev.sro.core.recipe.source.FileCharts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** The charts of random histories, and a repository that has some of them, or cannot be reached. Confined to one thread. */
final class OracleCharts implements ChartFetcher {

    /** What becomes of the chart of a name and version that is asked for. */
    enum Fate {
        FOUND,
        MISSING,
        UNREACHABLE,
        BUG
    }

    static final List<Fate> FATES = List.of(Fate.values());

    /** Charts on disk, read once for all histories. Thread-safe. */
    static final class Shelf {
        private static final String HOOK =
                "{spec: {restartPolicy: Never, containers: [{name: main, image: registry.example/hook}]}}";

        private final Path folder;
        private final ChartFetcher files = new FileCharts(new ChartLoader());
        private final Map<String, Fetched> read = new ConcurrentHashMap<>();

        Shelf(Path folder) throws IOException {
            this.folder = folder;
            write("app", "1.0.0", "");
            write("app", "2.0.0", "");
            write("base", "1.0.0", "");
            write("base", "2.0.0", "");
            hooked("1.0.0");
            hooked("2.0.0");
            module();
            write("middle", "1.0.0", """
                apiVersion: sro.openshift.io/v1beta1
                kind: SpecialResource
                metadata: {name: middle}
                spec:
                  namespace: middle
                  chart: %s
                  dependencies: [{chart: %s}]
                """.formatted(
                            OracleResources.reference(folder, "middle", "1.0.0"),
                            OracleResources.reference(folder, "base", "1.0.0")));
        }

        private void hooked(String version) throws IOException {
            write("hooked", version, "");
            Files.writeString(folder.resolve("hooked-" + version).resolve("templates/hooks.yaml"), """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: prepare
                  annotations: {helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-delete-policy: "%s"}
                spec: {backoffLimit: 0, template: %s}
                ---
                apiVersion: batch/v1
                kind: Job
                metadata: {name: announce, annotations: {helm.sh/hook: "post-install,post-upgrade"}}
                spec: {backoffLimit: 0, template: %s}
                ---
                apiVersion: batch/v1
                kind: Job
                metadata: {name: farewell, annotations: {helm.sh/hook: pre-delete}}
                spec: {backoffLimit: 0, template: %s}
                """.formatted(
                            version.startsWith("1") ? "before-hook-creation,hook-succeeded" : "before-hook-creation",
                            HOOK,
                            HOOK,
                            HOOK));
        }

        private void module() throws IOException {
            write("mod", "1.0.0", "");
            Files.delete(folder.resolve("mod-1.0.0/templates/0000-all.yaml"));
            Files.writeString(folder.resolve("mod-1.0.0/templates/0000-build.yaml"), """
                apiVersion: image.openshift.io/v1
                kind: ImageStream
                metadata: {name: mod}
                ---
                apiVersion: build.openshift.io/v1
                kind: BuildConfig
                metadata:
                  name: mod-{{ .Values.openShiftVersion }}
                  annotations: {specialresource.openshift.io/wait: "true"}
                spec:
                  source: {type: Git, git: {uri: "https://git.example.com/mod.git"}}
                  strategy: {type: Docker, dockerStrategy: {buildArgs: [{name: WORD, value: "{{ .Values.word }}"}]}}
                  output: {to: {kind: ImageStreamTag, name: "mod:v{{ .Values.kernelFullVersion }}"}}
                  triggers: [{type: ConfigChange}]
                """);
            Files.writeString(folder.resolve("mod-1.0.0/templates/1000-ship.yaml"), """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: "ship-{{ .Values.openShiftVersion }}"}
                data: {word: "{{ .Values.word }}"}
                """);
        }

        Path folder() {
            return folder;
        }

        private void write(String name, String version, String resource) throws IOException {
            Path chart = folder.resolve(name + "-" + version);
            Files.createDirectories(chart.resolve("templates"));
            Files.writeString(
                    chart.resolve("Chart.yaml"), "{apiVersion: v2, name: " + name + ", version: " + version + "}");
            Files.writeString(chart.resolve("values.yaml"), "word: none");
            Files.writeString(chart.resolve("templates/0000-all.yaml"), """
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: %1$s
                  annotations: {word: "{{ .Values.word }}"}
                spec:
                  selector: {matchLabels: {app: %1$s}}
                  template:
                    metadata: {labels: {app: %1$s}}
                    spec: {containers: [{name: c, image: "registry.example/%1$s:%2$s"}]}
                """.formatted(name, version));
            if (chart.endsWith("app-2.0.0")) {
                Files.writeString(chart.resolve("templates/1000-widget.yaml"), """
                    apiVersion: widgets.example.com/v1
                    kind: Widget
                    metadata: {name: widget}
                    spec: {word: "{{ .Values.word }}"}
                    """);
            }
            if (!resource.isEmpty()) {
                Files.writeString(chart.resolve(name + ".yaml"), resource);
            }
        }

        private Fetched get(ChartReference reference) {
            return read.computeIfAbsent(reference.getName() + "-" + reference.getVersion(), unused -> {
                try {
                    return files.fetch(reference);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    private final Shelf shelf;
    private final Map<String, Fate> fates = new TreeMap<>();
    private final Set<String> had = new ConcurrentSkipListSet<>();

    OracleCharts(Shelf shelf) {
        this.shelf = shelf;
    }

    void fate(String chart, Fate fate) {
        fates.put(chart, fate);
    }

    /** What somebody has had is there again: a fresh operator could not go on with it otherwise. */
    void bringBackWhatWasHad() {
        had.forEach(chart -> fates.put(chart, Fate.FOUND));
    }

    @Override
    public Fetched fetch(ChartReference reference) throws IOException {
        String chart = reference.getName() + "-" + reference.getVersion();
        return switch (fates.getOrDefault(chart, Fate.FOUND)) {
            case FOUND -> {
                had.add(chart);
                yield shelf.get(reference);
            }
            case MISSING ->
                throw new ChartException(Problem.user("ChartNotFound", "spec.chart: there is no chart " + chart));
            case UNREACHABLE -> throw new IOException("the repository is away");
            case BUG -> throw new IllegalStateException("the fetcher has a bug");
        };
    }
}
