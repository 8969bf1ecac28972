package dev.sro.core.driver;

import static dev.sro.core.driver.Fixtures.driver;
import static dev.sro.core.driver.Fixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.core.driver.TagCatalogue.Use;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class TagTemplatesTest {

    private static final TagCatalogue CATALOGUE = TagCatalogue.builtIn();

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "tags.csv", numLinesToSkip = 1, delimiter = '|', quoteCharacter = '~')
    void areThoseOfTheVendors(
            String id,
            String driver,
            String os,
            String kernel,
            String arch,
            @Nullable String openShift,
            Use use,
            String expected) {
        String found;
        try {
            found = TagTemplates.image(
                    CATALOGUE, driver(driver), pool(os, kernel, arch), openShift == null ? "" : openShift, use);
        } catch (DriverException e) {
            assertThat(e.problem().code()).isEqualTo("InvalidDriver");
            assertThat(expected).as("%s: %s", id, e.getMessage()).startsWith("error: ");
            assertThat(e.problem().message()).contains(expected.substring("error: ".length()));
            return;
        }
        assertThat(found).as(id).isEqualTo(expected);
    }

    @Test
    void aTagThatIsBuiltIsCutWithAHashAndOneThatIsFoundIsRefused() {
        String driver = "{repository: r/d, branch: " + "x".repeat(200) + ", tags: {prebuilt: \"${driverBranch}\"}}";
        String built = TagTemplates.image(CATALOGUE, driver(driver), pool("6.1.0"), "", Use.BUILD);
        assertThat(built.substring("r/d:".length()))
                .hasSize(128)
                .startsWith("xxx")
                .matches(".*-[0-9a-f]{16}");
        assertThatThrownBy(() -> TagTemplates.image(CATALOGUE, driver(driver), pool("6.1.0"), "", Use.PREBUILT))
                .hasMessageContaining("at most 128");
    }

    @Property(tries = 500)
    void whateverTheVersionIsTheTagIsLegalOrRefused(@ForAll @StringLength(max = 140) String version) {
        var driver = driver("{repository: r/d, tags: {scheme: VersionKernel}}");
        driver.setVersion(version);
        try {
            assertThat(TagTemplates.image(CATALOGUE, driver, pool("6.1.0"), "", Use.PREBUILT))
                    .matches("r/d:[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");
        } catch (DriverException e) {
            assertThat(e.problem().code()).isEqualTo("InvalidDriver");
        }
    }

    @Test
    void aFileThatIsNoCatalogueIsRefusedWithItsName() {
        String good = "schema: sro.dev/driver-tags/v1\nfamily: default\nids: []\n";
        assertThat(TagCatalogue.of(Map.of("a.yaml", good)).schemes()).isEmpty();
        refused("x: 1", "schema: must be");
        refused(good + "more: 1", "\"more\" is none of");
        refused(good.replace("ids: []", "ids: a"), "ids: must be a list");
        refused(good.replace("family: default", "family: x"), "none has family: default");
        refused(good + "schemes: {A: {other: x}}", "\"other\" is none of");
    }

    private static void refused(String text, String message) {
        assertThatThrownBy(() -> TagCatalogue.of(Map.of("a.yaml", text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a.yaml")
                .hasMessageContaining(message);
    }
}
