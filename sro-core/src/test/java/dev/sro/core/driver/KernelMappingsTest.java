package dev.sro.core.driver;

import static dev.sro.core.driver.Fixtures.driver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.KernelVersion;
import dev.sro.api.Problem;
import dev.sro.api.resource.DriverBuild;
import dev.sro.api.resource.DriverSpec;
import dev.sro.api.resource.KernelMapping;
import dev.sro.api.resource.NamedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernel mappings mean what they mean in Kernel Module Management. */
class KernelMappingsTest {

    private static KernelMapping mapping(String text) {
        KernelMapping mapping = new KernelMapping();
        if (text.startsWith("L:")) {
            mapping.setLiteral(text.substring(2));
        } else if (text.startsWith("R:")) {
            mapping.setRegexp(text.substring(2));
        }
        return mapping;
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "kernel-matching.csv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '~')
    void theFirstThatFitsCounts(String id, String kernel, String mappings, String expected) {
        List<KernelMapping> list = new ArrayList<>();
        for (String text : mappings.split(";")) {
            KernelMapping mapping = mapping(text);
            mapping.setContainerImage("image:" + list.size());
            list.add(mapping);
        }
        DriverSpec driver = new DriverSpec();
        driver.setKernelMappings(list);
        String found;
        try {
            found = KernelMappings.map(driver, new KernelVersion(kernel)).containerImage();
        } catch (DriverException e) {
            found = e.problem().code().equals("NoKernelMapping") ? "image:none" : "image:error";
            assertThat(e.problem().owner()).isEqualTo(Problem.Owner.USER);
        }
        assertThat(found).as(id).isEqualTo("image:" + expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "templates.csv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '~')
    void templatesAreThoseOfEnvsubst(String id, String kernel, String template, String expected) {
        String found;
        try {
            Map<String, String> values =
                    new TreeMap<>(TagVariables.collect(TagCatalogue.builtIn(), Fixtures.pool(kernel), "", "", ""));
            values.putAll(KernelNames.variables(new KernelVersion(kernel)));
            values.putAll(Map.of("MOD_NAME", "name", "MOD_NAMESPACE", "space"));
            found = EnvSubst.expand("field", template, values, new TreeSet<>());
        } catch (DriverException e) {
            found = "error";
            assertThat(e.problem().code()).isEqualTo("InvalidDriver");
        }
        assertThat(found).as(id).isEqualTo(expected);
    }

    /** Each row: what the driver has, what the mapping has, which field of the result is looked at. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        image of the mapping        | containerImage: c:1                       | containerImage: m:1                  | m:1
        image of the driver         | containerImage: c:1                       |                                      | c:1
        TLS of the mapping          | registryTLS: {insecure: true}             | registryTLS: {}                      | tls null
        TLS of the driver           | registryTLS: {insecure: true}             |                                      | tls true
        modules of the mapping      | inTreeModulesToRemove: [a]                | inTreeModulesToRemove: [b]           | [b]
        empty list of the mapping   | inTreeModulesToRemove: [a]                | inTreeModulesToRemove: []            | []
        modules of the driver       | inTreeModulesToRemove: [a]                |                                      | [a]
        one module of the mapping   | inTreeModuleToRemove: a                   | inTreeModuleToRemove: b              | [b]
        one module of the driver    | inTreeModuleToRemove: a                   |                                      | [a]
        build of the mapping alone  |                                           | build: {dockerfileConfigMap: {name: m}} | file m
        build of the driver alone   | build: {dockerfileConfigMap: {name: c}}   |                                      | file c
        Dockerfile of the mapping   | build: {dockerfileConfigMap: {name: c}}   | build: {dockerfileConfigMap: {name: m}} | file m
        Dockerfile of the driver    | build: {dockerfileConfigMap: {name: c}}   | build: {buildArgs: []}               | file c
        unsigned image of mapping   | sign: {unsignedImage: c}                  | sign: {unsignedImage: m}             | unsigned m
        unsigned image of driver    | sign: {unsignedImage: c}                  | sign: {filesToSign: [x]}             | unsigned c
        """)
    void whatIsInBothIsMergedByField(String id, String common, String own, String expected) {
        KernelMappings.Mapped mapped = KernelMappings.map(
                driver("{" + (common == null ? "" : common + ", ") + "kernelMappings: [{literal: 1.2.3"
                        + (own == null ? "" : ", " + own) + "}]}"),
                new KernelVersion("1.2.3"));
        List<String> facts = new ArrayList<>(List.of(mapped.containerImage()));
        facts.add(mapped.inTreeModulesToRemove().toString());
        facts.add("tls "
                + (mapped.registryTls() == null ? "none" : mapped.registryTls().getInsecure()));
        if (mapped.build() != null && mapped.build().getDockerfileConfigMap() != null) {
            facts.add("file " + mapped.build().getDockerfileConfigMap().getName());
        }
        if (mapped.sign() != null) {
            facts.add("unsigned " + mapped.sign().getUnsignedImage());
        }
        assertThat(facts).as(id).contains(expected);
    }

    @Test
    void listsOfBuildAndSignAreJoinedAndTheRestOfABuildIsTheDrivers() {
        KernelMappings.Mapped mapped = KernelMappings.map(driver("""
            build:
              secrets: [{name: a}]
              selector: {zone: a}
              kanikoParams: {tag: v1}
              baseImageRegistryTLS: {insecure: true}
            sign: {filesToSign: [/opt/a.ko], keySecret: {name: ck}, certSecret: {name: cc}}
            kernelMappings:
            - regexp: ""
              literal: 1.2.3
              build: {secrets: [{name: b}], selector: {zone: b}, kanikoParams: {tag: v2}}
              sign: {filesToSign: [/opt/b.ko], keySecret: {name: mk}}
            """), new KernelVersion("1.2.3"));
        assertThat(mapped.build()).isNotNull();
        assertThat(mapped.build().getSecrets()).extracting("name").containsExactly("a", "b");
        assertThat(mapped.build().getSelector()).containsEntry("zone", "a");
        assertThat(Objects.requireNonNull(mapped.build().getKanikoParams()).getTag())
                .isEqualTo("v1");
        assertThat(Objects.requireNonNull(mapped.build().getBaseImageRegistryTLS())
                        .getInsecure())
                .isTrue();
        assertThat(mapped.sign()).isNotNull();
        assertThat(mapped.sign().getFilesToSign()).containsExactly("/opt/a.ko", "/opt/b.ko");
        assertThat(Objects.requireNonNull(mapped.sign().getKeySecret()).getName())
                .isEqualTo("mk");
        assertThat(Objects.requireNonNull(mapped.sign().getCertSecret()).getName())
                .isEqualTo("cc");
    }

    @Test
    void whatStartsABuildAndWhatItMayUseAreTheMappingsIfItSaysAnything() {
        String driver = """
            containerImage: i:1
            build:
              git: {uri: "https://g.example.com/a", ref: main}
              contextDir: a
              sourceSecret: {name: a}
              triggers: [{type: GitHub, secretReference: {name: a}}]
              resources: {limits: {memory: 1Gi}}
            sign: {filesToSign: [/opt/a.ko], signImage: "a:1"}
            kernelMappings:
            - literal: 1.2.3
              build: {contextDir: b, triggers: [{type: GitLab, secretReference: {name: b}}]}
              sign: {signImage: "b:1"}
            - literal: 4.5.6
              build: {}
              sign: {}
            """;
        KernelMappings.Mapped own = KernelMappings.map(driver(driver), new KernelVersion("1.2.3"));
        DriverBuild build = Objects.requireNonNull(own.build());
        assertThat(build.getContextDir()).isEqualTo("b");
        assertThat(build.getTriggers()).extracting("type").containsExactly("GitLab");
        assertThat(Objects.requireNonNull(build.getSourceSecret()).getName()).isEqualTo("a");
        assertThat(Objects.requireNonNull(build.getResources()).getLimits()).containsEntry("memory", "1Gi");
        assertThat(Objects.requireNonNull(own.sign()).getSignImage()).isEqualTo("b:1");
        KernelMappings.Mapped common = KernelMappings.map(driver(driver), new KernelVersion("4.5.6"));
        assertThat(Objects.requireNonNull(common.build()).getTriggers())
                .extracting("type")
                .containsExactly("GitHub");
        assertThat(Objects.requireNonNull(common.sign()).getSignImage()).isEqualTo("a:1");
    }

    private static List<NamedValue> arguments(List<String> names, String value) {
        return names.stream()
                .map(name -> {
                    NamedValue argument = new NamedValue();
                    argument.setName(name);
                    argument.setValue(value);
                    return argument;
                })
                .toList();
    }

    @Property(tries = 300)
    void argumentsKeepTheirOrderAndOthersFollowSorted(
            @ForAll @Size(max = 6) List<@AlphaChars @StringLength(max = 1) String> common,
            @ForAll @Size(max = 6) List<@AlphaChars @StringLength(max = 1) String> own) {
        List<NamedValue> merged = KernelMappings.arguments(arguments(common, "c"), arguments(own, "m"));
        assertThat(merged.stream().limit(common.size()).map(NamedValue::getName))
                .containsExactlyElementsOf(common);
        TreeSet<String> others = new TreeSet<>(own);
        others.removeAll(common);
        assertThat(merged.stream().skip(common.size()).map(NamedValue::getName)).containsExactlyElementsOf(others);
        assertThat(merged)
                .allMatch(argument -> argument.getValue().equals(own.contains(argument.getName()) ? "m" : "c"));
    }

    @Property(tries = 500)
    void aLiteralOfTheKernelAlwaysFitsAndNothingThrowsAnythingElse(
            @ForAll @StringLength(min = 1, max = 12) String kernel, @ForAll @StringLength(max = 8) String regexp) {
        if (kernel.isBlank() || KernelNames.matched(new KernelVersion(kernel)).isEmpty()) {
            return;
        }
        KernelMapping literal = new KernelMapping();
        literal.setLiteral(KernelNames.matched(new KernelVersion(kernel)));
        literal.setContainerImage("found:1");
        KernelMapping any = new KernelMapping();
        any.setRegexp(regexp);
        any.setContainerImage("found:1");
        DriverSpec driver = new DriverSpec();
        driver.setKernelMappings(List.of(any, literal));
        try {
            assertThat(KernelMappings.map(driver, new KernelVersion(kernel)).containerImage())
                    .isEqualTo("found:1");
        } catch (DriverException e) {
            assertThat(e.problem().message()).contains("kernelMappings[0].regexp");
        }
    }

    @Test
    void whatIsWrongNamesFieldAndFix() {
        assertThatThrownBy(() -> KernelMappings.map(
                        driver("kernelMappings: [{regexp: \"(a)\\\\1\"}]"), new KernelVersion("1.2.3")))
                .hasMessageContaining("spec.driver.kernelMappings[0].regexp")
                .hasMessageContaining("back references");
    }
}
