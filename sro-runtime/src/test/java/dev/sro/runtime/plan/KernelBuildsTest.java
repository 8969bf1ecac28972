package dev.sro.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which builds of a chart there is one of for each kernel. */
class KernelBuildsTest {

    @TempDir
    private Path folder;

    private ChartFiles files;

    @BeforeEach
    void chart() {
        files = ChartFiles.in(folder);
    }

    @Test
    void aBuildConfigThatNamesTheKernelIsOnePerKernelWithoutSayingSo() {
        files.template("0000-build.yaml", """
            apiVersion: build.openshift.io/v1
            kind: BuildConfig
            metadata: {name: build}
            spec:
              source: {type: Git, git: {uri: "https://git.example.com/a.git"}}
              strategy: {type: Docker, dockerStrategy: {buildArgs: [{name: KVER, value: "{{ .Values.kernelFullVersion }}"}]}}
              output: {to: {kind: ImageStreamTag, name: "a:v{{ .Values.kernelFullVersion }}"}}
            """);

        assertThat(files.run("render", "--platform", "openshift", "--kernel", ChartFiles.K1, "--kernel", ChartFiles.K2)
                        .out())
                .containsPattern("name: \"?build-[0-9a-f]{15,16}")
                .contains("v" + ChartFiles.K1, "v" + ChartFiles.K2);
    }

    private static final String BUILD = """
        apiVersion: build.openshift.io/v1
        kind: BuildConfig
        metadata: {name: build}
        spec:
          source: {type: Git, git: {uri: "https://git.example.com/a.git"}}
          strategy: {type: Docker, dockerStrategy: {buildArgs: [{name: KVER, value: '%s'}]}}
          output: {to: {kind: ImageStreamTag, name: "a:v1"}}
        """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kernel through a helper   | {{ include \"demo.kernel\" . }}                     | true",
                "helper of a helper        | {{ include \"demo.args\" . }}                       | true",
                "a part of the kernel      | {{ trunc 15 .Values.kernelFullVersion }}            | true",
                "toolkit of the kernel     | {{ .Values.driverToolkitImage }}                    | true",
                "a value that is a template| {{ tpl .Values.arg . }}                             | true",
                "a helper without kernel   | {{ include \"demo.other\" . }}                      | false",
                "the cluster's version     | {{ .Values.clusterVersion }}                        | false",
            })
    void aBuildConfigThatReachesTheKernelInAnyWayIsOnePerKernel(String how, String argument, boolean perKernel) {
        files.write("chart/values.yaml", "arg: 'v{{ .Values.kernelFullVersion }}'\n");
        files.write("chart/templates/_helpers.tpl", """
            {{- define "demo.args" -}}a-{{ include "demo.kernel" . }}{{- end }}
            {{- define "demo.kernel" -}}{{ .Values.kernelFullVersion }}{{- end }}
            {{- define "demo.other" -}}{{ .Chart.Name }}{{- end }}
            """);
        files.template("0000-build.yaml", BUILD.formatted(argument));

        String out = files.run(
                        "render", "--platform", "openshift", "--kernel", ChartFiles.K1, "--kernel", ChartFiles.K2)
                .out();

        assertThat(Pattern.compile("name: \"?build-[0-9a-f]{15,16}")
                        .matcher(out)
                        .results()
                        .count())
                .as(how)
                .isEqualTo(perKernel ? 2 : 0);
    }
}
