package dev.sro.runtime.install;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The rights of SRO with the three plugins that come with it, all together, as a file: nobody widens them unseen. That each of them
 * is used is held by the compatibility kit for the plugins and by {@code EveryRightClusterTest} for all of them.
 */
class ShippedRightsTest {

    private static final Path FILE = Path.of("src/test/resources/dev/sro/runtime/install/shipped-rights.txt");

    @TempDir
    private Path folder;

    private String rights() {
        Cli.plugins(folder);
        Cli.plugin(folder, "sro-plugins-nvidia", "nvidia-gpu");
        Cli.plugin(folder, "sro-plugins-solarflare", "solarflare-onload");
        Cli cli = Cli.run("rbac", "--plugins", folder.toString());
        assertThat(cli.err()).isEmpty();
        return cli.out();
    }

    @Test
    void areThoseOfTheFile() throws IOException {
        String rights = rights();
        if (Boolean.getBoolean("sro.install.update")) {
            Files.createDirectories(FILE.getParent());
            Files.writeString(FILE, rights);
        }
        assertThat(rights)
                .as("read the difference, then write it with -Dsro.install.update=true")
                .isEqualTo(Files.readString(FILE));
    }

    /** A line for each right: what did not fit its line is below it, further in. */
    private String rows() {
        return rights().replaceAll("\n +", " ");
    }

    @Test
    void areNamedOneByOne() {
        String rows = rows();
        assertThat(rows.lines())
                .hasSizeGreaterThan(40)
                .noneMatch(line -> line.contains("*"))
                .noneMatch(line -> line.matches(".*\\bescalate\\b.*"))
                .filteredOn(line -> line.matches(".*\\b(bind|impersonate)\\b.*"))
                .as("for accounts of recipes, one role and one name")
                .hasSize(2)
                .allMatch(line -> line.matches("clusterroles in rbac.authorization.k8s.io +bind +cluster +SRO only"
                        + " special-resource-operator-recipes|serviceaccounts +impersonate +cluster +SRO"
                        + " only sro-recipe"));
        assertThat(rows.lines())
                .anyMatch(line -> line.contains("plugin nvidia-gpu"))
                .anyMatch(line -> line.contains("plugin solarflare-onload"))
                .anyMatch(line -> line.contains("plugin simple-kmod"))
                .as("Secrets are granted by name")
                .noneMatch(line -> line.matches("(.*,)?secrets[, ].*"));
    }
}
