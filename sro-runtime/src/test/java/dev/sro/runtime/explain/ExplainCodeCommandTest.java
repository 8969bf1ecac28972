package dev.sro.runtime.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.core.plugin.PluginRejectionCodes;
import dev.sro.runtime.Cli;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ExplainCodeCommandTest {

    @Test
    void saysWhoseItIsAndWhatMendsIt() {
        Cli cli = Cli.run("explain", "unknownplugin");

        assertThat(cli.code()).isZero();
        assertThat(cli.out())
                .startsWith("UnknownPlugin\n  owner:  user\n")
                .contains("\n  means:  no plugin of that name is loaded", "\n  fix:    correct the name\n")
                .endsWith("  page:   docs/reference/problems.md, In the special resource\n");
    }

    @Test
    void oneCodeCanMeanTwoThings() {
        assertThat(Cli.run("explain", "PluginTimeout").out())
                .containsSubsequence(
                        "docs/reference/problems.md", "\n\nPluginTimeout\n", "docs/reference/plugin-loading.md");
    }

    @Test
    void links() {
        assertThat(Cli.run("explain", "PluginRejected").out())
                .contains("see rejections (docs/reference/plugin-loading.md#rejections)")
                .doesNotContain("](");
    }

    @Test
    void linksWithinAPageAndToOtherFoldersLeadSomewhere() {
        for (String code : Cli.run("explain").out().lines().toList()) {
            Matcher links = Pattern.compile("\\((docs/[^)#]*)[^)]*\\)")
                    .matcher(Cli.run("explain", code).out());
            while (links.find()) {
                assertThat(Path.of("..", links.group(1))).as(code).exists();
            }
        }
    }

    @Test
    void saysItToProgramsToo() throws IOException {
        JsonNode one = new ObjectMapper()
                .readTree(Cli.run("explain", "UnknownPlugin", "-o", "json").out());
        assertThat(one).hasSize(1);
        assertThat(one.at("/0/codes/0").asText()).isEqualTo("UnknownPlugin");
        assertThat(one.at("/0/columns/owner").asText()).isEqualTo("user");
        assertThat(one.at("/0/page").asText()).isEqualTo("docs/reference/problems.md");

        assertThat(Cli.run("explain", "-o", "yaml").out())
                .as("all of them")
                .contains("- \"UnknownPlugin\"", "- \"LookingForImage\"", "page: \"docs/reference/plugin-loading.md\"");
    }

    @Test
    void saysWhichWasMeant() {
        Cli cli = Cli.run("explain", "ImageNotBuild");

        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).contains("ImageNotBuild: is no code of SRO; did you mean ImageNotBuilt?");
    }

    @Test
    void knowsAllCodes() throws IllegalAccessException {
        List<String> all = Cli.run("explain").out().lines().toList();

        assertThat(all)
                .contains("PluginError", "LookingForImage", "NotLookedAt")
                .hasSizeGreaterThan(150)
                .isSorted();
        for (Field field : PluginRejectionCodes.class.getFields()) {
            assertThat(all).contains(String.valueOf(field.get(null)));
        }
    }
}
