package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The command line with the jar of this module. */
class AddedCommandsTest {

    @Test
    void theyAreAmongTheOthersByName() {
        List<String> names = List.copyOf(Main.commandLine().getSubcommands().keySet());
        List<String> own = names.subList(0, names.size() - 2);

        assertThat(own)
                .contains("crd", "demo", "dev", "diff", "install-artifacts", "new")
                .isSorted();
        assertThat(names).endsWith("generate-completion", "help").doesNotHaveDuplicates();
        assertThat(Cli.run("help").out()).contains("  demo ", "  dev ").doesNotContain("Not in this installation");
    }

    @Test
    void oneThatIsNamedIsTheOnlyOneThatIsRead() {
        assertThat(Main.commandLine("demo", "--plain").getSubcommands()).containsOnlyKeys("demo");
    }

    @Test
    void theyAreThemselves() {
        assertThat(Cli.run("dev", "--help").out()).contains("--no-operator", "Exit codes");
        assertThat(Cli.run("new", "--help").out()).contains("--vendor", "--resource");
        assertThat(Cli.run("install-artifacts", "--help").out()).contains("--repository");
        assertThat(Cli.run("demo", "--scenario", "none").err()).contains("life, upgrade, gpu, slices");
    }
}
