package dev.sro.core.recipe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ClusterFacts;
import dev.sro.api.KernelVersion;
import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.api.ProxySettings;
import dev.sro.api.RecipeContext;
import dev.sro.api.resource.SpecialResource;
import dev.sro.core.fixture.Resources;
import dev.sro.core.recipe.gotemplate.GoTemplate;
import dev.sro.core.recipe.gotemplate.MissingKeys;
import dev.sro.core.recipe.gotemplate.TemplateRenderer;
import dev.sro.core.recipe.source.StateFileSet;
import dev.sro.core.yaml.LenientYaml;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What templates of numbered manifests see. */
class StateFileValuesTest {

    private static final Pool POOL = new Pool(
            "rhcos",
            "hash",
            new KernelVersion("4.18.0-305.45.1.el8_4.x86_64"),
            new OsRelease("rhcos", "8.4"),
            "amd64",
            new TreeMap<>(),
            List.of());

    private static final ClusterFacts OPENSHIFT = ClusterFacts.builder()
            .addServedKinds("config.openshift.io/v1/ClusterVersion")
            .openShiftVersion("4.10.0-fc.8")
            .machineOsImage("quay.example/os@sha256:1")
            .proxy(new ProxySettings("http://p", "https://p", ".local", "ca"))
            .putPushSecrets("acme-ns", "builder-dockercfg-x")
            .build();

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: acme, labels: {some-label: x}}
        spec:
          namespace: acme-ns
          node: {selector: example.com/card}
          configuration: [{name: MODULES, value: [a, b]}]
          environment: [{key: mode, value: fast}]
          driverContainer:
            source: {git: {ref: main, uri: "https://git.example.com/a.git"}}
            buildArgs: [{name: KVER, value: "1"}]
            artifacts:
              images: [{name: i, kind: ImageStreamTag, namespace: n, pullsecret: s, path: [{sourcePath: /a, destinationDir: /b}]}]
        """;

    private static String render(String template, String hardware, String nodeFeature) {
        SpecialResource resource = Resources.CODEC.fromTree(LenientYaml.map("r", RESOURCE), SpecialResource.class);
        StateFileSet files =
                new StateFileSet("ConfigMap x", new TreeMap<>(), nodeFeature, hardware, true, Map.of(), List.of());
        Map<String, Object> values = StateFileValues.collect(
                new RecipeContext(resource, OPENSHIFT),
                Resources.CODEC.toTree(resource),
                files,
                "acme-ns",
                List.of(POOL),
                POOL);
        return TemplateRenderer.builder()
                .template(GoTemplate.parse("t", template))
                .missingKeys(MissingKeys.ERROR)
                .build()
                .render("t", values);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{{.KernelVersion}}|4.18.0-305.45.1.el8_4.x86_64",
                "{{.KernelFullVersion}}|4.18.0-305.45.1.el8_4.x86_64",
                "{{.KernelPatchVersion}}|4.18.0-305",
                "{{.OperatingSystemMajor}}|rhel8",
                "{{.OperatingSystemMajorMinor}}|rhel8.4",
                "{{.OperatingSystemDecimal}}|8.4",
                "{{.ClusterVersion}} {{.ClusterVersionMajorMinor}}|4.10.0-fc.8 4.10",
                "{{.PushSecretName}} {{.OSImageURL}}{{.UpdateVendor}}|builder-dockercfg-x quay.example/os@sha256:1",
                "{{.Proxy.HttpProxy}} {{.Proxy.HttpsProxy}} {{.Proxy.NoProxy}} {{.Proxy.TrustedCA}}|http://p https://p"
                        + " .local ca",
                "{{.HardwareResource}} {{.NodeFeature}} {{.OperatorNamespace}}|acme example.com/card acme-ns",
                "{{.StateName.DriverContainer}}-{{.HardwareResource}}|specialresource.openshift.io/driver-container-acme",
                "{{.GroupName.DeviceGrafana}} {{.GroupName.CSIDriver}}|device-grafana csi-driver",
                "{{.SpecialResource.Name}} {{.SpecialResource.ObjectMeta.Name}}"
                        + " {{.SpecialResource.Spec.Namespace}}|acme acme acme-ns",
                "{{.SpecialResource.Spec.Node.Selector}}|example.com/card",
                "{{.SpecialResource.Spec.Metadata.Namespace}}|acme-ns",
                "{{range .SpecialResource.Spec.Configuration}}{{.Name}}{{range .Value}} {{.}}{{end}}{{end}}|MODULES a"
                        + " b",
                "{{(index .SpecialResource.Spec.Environment 0).Key}}|mode",
                "{{with .SpecialResource.Spec.DriverContainer.Source.Git}}{{.Ref}} {{.Uri}}{{end}}|main"
                        + " https://git.example.com/a.git",
                "{{range .SpecialResource.Spec.DriverContainer.Artifacts.Images}}{{.PullSecret}} {{range"
                        + " .Paths}}{{.DestinationDir}}{{end}}{{end}}|s /b",
                "{{index .SpecialResource.Labels \"some-label\"}}|x",
            })
    void haveTheNamesOfGo(String template, String expected) {
        assertThat(render(template, "", "")).isEqualTo(expected);
    }

    @Test
    void fieldsThatAreNotSetAreEmptyAsInGo() {
        assertThat(render(
                        "{{range .SpecialResource.Spec.DriverContainer.RunArgs}}x{{end}}"
                                + "{{range .SpecialResource.Spec.DependsOn}}x{{end}}"
                                + "{{range .SpecialResource.Spec.DriverContainer.Artifacts.Claims}}x{{end}}"
                                + "{{.SpecialResource.Status.State}}",
                        "",
                        ""))
                .isEmpty();
    }

    @Test
    void theConfigMapGoesBeforeTheSpecialResource() {
        assertThat(render("{{.HardwareResource}} {{.NodeFeature}}", "gpu", "example.com/gpu"))
                .isEqualTo("gpu example.com/gpu");
    }
}
