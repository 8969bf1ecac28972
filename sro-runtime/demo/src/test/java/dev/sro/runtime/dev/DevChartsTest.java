package dev.sro.runtime.dev;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.plan.ChartMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sro dev} with special resources that are charts. */
class DevChartsTest {

    @TempDir
    private Path folder;

    private Path plugins = Path.of("");
    private Path resource = Path.of("");

    @BeforeEach
    void noPlugins() throws IOException {
        plugins = Files.createDirectory(folder.resolve("plugins"));
        resource = folder.resolve("special-resource.yaml");
    }

    private static final String CHART_RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {generateName: charted-}
        spec:
          namespace: charted
          chart:
            name: charted
            version: 0.0.1
            repository: {name: example, url: "cm://charted/charts"}
        """;

    /** A pod that pushes with the Secret that OpenShift has for it. */
    private static final String CHART_POD = """
        apiVersion: v1
        kind: Pod
        metadata:
          name: {{ .Values.specialresource.metadata.name }}
          labels: {app: push}
          annotations: {specialresource.openshift.io/wait: "true", specialresource.openshift.io/wait-for-logs: "d[o]ne"}
        spec:
          restartPolicy: Never
          containers:
          - name: push
            image: registry.acme.example/push:v1
            volumeMounts: [{name: cfg, mountPath: /root}]
          volumes: [{name: cfg, secret: {secretName: "{{ .Values.pushSecretName }}"}}]
        """;

    private Path chart() throws IOException {
        Path chart = folder.resolve("charted");
        Files.createDirectories(chart.resolve("templates"));
        Files.writeString(chart.resolve("Chart.yaml"), "apiVersion: v2\nname: charted\nversion: 0.0.1\n");
        Files.writeString(chart.resolve("templates/0000-push.yaml"), CHART_POD);
        return chart;
    }

    private Cli charted(String... arguments) {
        List<String> all = new ArrayList<>(
                List.of("dev", "--until-ready", "--for-seconds", "60", "--plain", "--speed", "50", "--openshift"));
        all.addAll(List.of(
                "--log", "pushed", "--log", "done", "--plugins", plugins.toString(), "-f", resource.toString()));
        all.addAll(List.of(arguments));
        return Cli.run(all.toArray(String[]::new));
    }

    @Test
    void aChartGetsReadyToo() throws IOException {
        Files.writeString(resource, CHART_RESOURCE);

        Cli ended = charted("--chart", chart().toString());

        assertThat(ended.code()).as("%s", ended).isEqualTo(ExitCodes.OK);
        assertThat(ended.out()).contains("charted-00000: Ready on 2 of 2 nodes");
    }

    @Test
    void aChartMayBeInAConfigMapOfTheFiles() throws IOException {
        Files.writeString(resource, ChartMap.of(chart(), "charted", "charts") + "---\n" + CHART_RESOURCE);

        Cli ended = charted();

        assertThat(ended.code()).as("%s", ended).isEqualTo(ExitCodes.OK);
    }

    @Test
    void whatIsNoChartIsSaidAtOnce() throws IOException {
        Files.writeString(resource, CHART_RESOURCE);

        Cli ended = charted("--chart", plugins.toString());

        assertThat(ended.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(ended.err()).contains("--chart " + plugins, "Chart.yaml");
    }

    @Test
    void namesThatTheApiServerEndsAreOneForEachObjectOfAllFiles() throws IOException {
        Files.writeString(resource, CHART_RESOURCE + "---\n" + CHART_RESOURCE);
        Path other = Files.writeString(folder.resolve("other.yaml"), CHART_RESOURCE);

        Cli ended = charted("--chart", chart().toString(), "-f", other.toString());

        assertThat(ended.out()).contains("charted-00000: ", "charted-00001: ", "charted-00002: ");
    }
}
