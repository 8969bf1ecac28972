package dev.sro.runtime.rights;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.client.rights.Grant;
import dev.sro.runtime.Cli;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The table of rights is for a person with a terminal. */
class RbacTableTest {

    private static final int COLUMNS = 120;
    private static final Path PAGE = Path.of("..", "docs", "admins", "installing.md");

    @TempDir
    private Path folder;

    @Test
    void fitsATerminalWithAllPlugins() throws Exception {
        Cli.plugins(folder);
        Cli.plugin(folder, "sro-plugins-nvidia", "nvidia-gpu");
        Cli.plugin(folder, "sro-plugins-solarflare", "solarflare-onload");

        Cli run = Cli.run("rbac", "--plugins", folder.toString());

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS));
        assertThat(run.out())
                .contains("plugin simple-kmod", "plugin nvidia-gpu", "plugin solarflare-onload")
                .contains("prometheusrules.monitoring.coreos.com");
    }

    @Test
    void isThatOfThePage() throws Exception {
        Cli run = Cli.run("rbac", "--plugins", Cli.plugins(folder).toString());
        String page = Files.readString(PAGE);
        int start = page.indexOf("RESOURCES ");

        assertThat(page.substring(start, page.indexOf("```", start)).lines().filter(line -> !line.equals("…")))
                .as(run.out())
                .isSubsetOf(run.out().lines().toList());
    }

    @Test
    void cutsNamesThatNoLineHasRoomFor() {
        String name = "n".repeat(253);
        String table = Grant.table(List.of(new Grant(
                "role",
                "n".repeat(63),
                "plugin " + "p".repeat(63),
                List.of(new PolicyRuleBuilder()
                        .withApiGroups("acme.example")
                        .withResources("widgets")
                        .withResourceNames(name)
                        .withVerbs("get", "list", "watch", "create", "patch", "delete")
                        .build()))));

        assertThat(table.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS));
        assertThat(table.lines()
                        .flatMap(line -> List.of(line.split(" {2,}")).stream())
                        .map(String::strip)
                        .filter(cell -> cell.matches("(only )?n+"))
                        .mapToInt(cell -> cell.replace("only ", "").length())
                        .sum())
                .as("all letters of both names")
                .isEqualTo(253 + 63);
    }
}
