package dev.sro.plugins.solarflare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sro.api.Problem;
import dev.sro.api.driver.ImageCandidate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of {@code spec.plugin.config}. */
class OnloadSettingsTest {

    private final OnloadPlugin plugin = new OnloadPlugin();

    private List<String> errors(String config) {
        return plugin.validate(Onload.settings(config)).stream()
                .map(Problem::message)
                .toList();
    }

    @Test
    void takesTheSmallestSettings() {
        assertThat(errors(Onload.MINIMUM)).isEmpty();
        assertThat(plugin.images(Onload.settings(Onload.MINIMUM), Onload.pool()).candidates())
                .extracting(ImageCandidate::reference)
                .containsExactly("registry.example/module:5.14.0");
    }

    @Test
    void namesAllThatIsMissingOrWrong() {
        assertThat(errors("""
            selector: {a: b}
            onlode: {}
            devicePlugin:
              setPreload: true
              mountOnload: true
              maxPodsPerNode: 0
              hostOnloadPath: /usr
              imagePullPolicy: Sometimes
            onload:
              userImage: onload-user
              version: 9
              kernelMappings:
              - {kernelModuleImage: "registry.example/module:${KERNEL}", regexp: "a(?=b)", literal: x}
              - {kernelModuleImage: "registry.example/module:1", regexp: "a", build: {dockerfileConfigMap: {}}}
              controlPlane: {parameters: ["-K", "-x"]}
              moduleParameters: {onload: ["a b"], sfq: []}
            """))
                .containsExactly(
                        "spec.plugin.config.onload.kernelMappings[0].regexp: set exactly one of regexp and literal",
                        "spec.plugin.config.onload.kernelMappings[0].regexp: \"a(?=b)\" is no RE2 expression: uses (?=,"
                                + " which RE2 does not have",
                        "spec.plugin.config.onload.kernelMappings[0].kernelModuleImage: [KERNEL] have no value; there"
                                + " are KERNEL_FULL_VERSION, KERNEL_VERSION, KERNEL_XYZ, KERNEL_X, KERNEL_Y and KERNEL_Z",
                        "spec.plugin.config.onload.kernelMappings[1].build.dockerfileConfigMap.name: is missing; set"
                                + " it",
                        "spec.plugin.config.onload.userImage: \"onload-user\" must be an image with a tag or digest,"
                                + " for example registry.example/driver:1.0",
                        "spec.plugin.config.onload.version: must be text that is not empty; put numbers in quotes",
                        "spec.plugin.config.onload.moduleParameters.onload: \"a b\" must be name=value without white"
                                + " space",
                        "spec.plugin.config.onload.moduleParameters.sfq: is not known; there are [onload, sfc,"
                                + " sfc_resource]. Correct or remove it",
                        "spec.plugin.config.onload.controlPlane.parameters: [-K, -x]: the kernel module takes one word"
                                + " without white space; give one",
                        "spec.plugin.config.devicePlugin.devicePluginImage: is missing; set it",
                        "spec.plugin.config.devicePlugin.mountOnload: cannot go together with setPreload; set one of"
                                + " them to false",
                        "spec.plugin.config.devicePlugin.hostOnloadPath: \"/usr\" must be a directory for Onload"
                                + " alone, below another one and with onload in its path, for example /opt/onload",
                        "spec.plugin.config.devicePlugin.imagePullPolicy: \"Sometimes\" must be one of [Always,"
                                + " IfNotPresent, Never]",
                        "spec.plugin.config.devicePlugin.maxPodsPerNode: must be a whole number from 1 to 10000",
                        "spec.plugin.config.selector: is spec.nodeSelector of the special resource here; move it there",
                        "spec.plugin.config.onlode: is not known; there are [cdi, decorator, devicePlugin,"
                                + " nodeFeatureRule, onload, profiles, ptp, selector, serviceAccountName]. Correct or"
                                + " remove it");
    }

    @Test
    void checksWhatIsOptional() {
        assertThat(errors(Onload.MINIMUM + """
            ptp: {config: "x"}
            profiles: [{name: fast}, {name: latency, environment: {PATH: /x}}, {name: latency}]
            decorator: {kind: amd.com/onload, devices: [/dev/onload]}
            """))
                .containsExactly(
                        "spec.plugin.config.decorator.kind: is that of the device that is described anyway; choose"
                                + " another, or set cdi: false",
                        "spec.plugin.config.ptp.image: is missing; set it",
                        "spec.plugin.config.profiles[0].environment: is missing; set variables, or take the profile"
                                + " latency, which has some",
                        "spec.plugin.config.profiles[1].environment.PATH: is no variable of Onload; they begin with"
                                + " EF_. Remove it",
                        "spec.plugin.config.profiles[2].name: \"latency\" is there twice; remove one");
        assertThat(errors("onload: {}"))
                .contains("spec.plugin.config.onload.kernelMappings: is missing; name at least one image of the kernel"
                        + " modules");
    }

    @Test
    void otherFormsOfDecoratorsAreToldApart() {
        assertThat(errors(Onload.MINIMUM + """
            decorator: {activationFlag: A, activation_flag: B, inventory: {compute: {devices: [onload]}}, devices: [/dev/x]}
            """))
                .containsExactly(
                        "spec.plugin.config.decorator.activation_flag: is activationFlag, which is there, too; remove"
                                + " one",
                        "spec.plugin.config.decorator.inventory: is the form of oci-decorator; put what a driver"
                                + " feature lists beside kind, devices as paths");
    }

    @Test
    void longNamesAreRefused() {
        String name = "n".repeat(40);

        assertThat(plugin.validate(Onload.context(Onload.RESOURCE.replace("{name: onload}", "{name: " + name + "}"))))
                .extracting(Problem::code, Problem::message)
                .containsExactly(tuple(
                        "OnloadNameTooLong",
                        "metadata.name: \"" + name + "\" has 40 characters, 39 are possible; choose a shorter one"));
    }
}
