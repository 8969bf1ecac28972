package dev.sro.runtime.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginRejection;
import dev.sro.runtime.Cli;
import dev.sro.runtime.PluginDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator makes of a folder into which somebody drops a plugin. */
class PluginDropInTest {

    @TempDir
    private Path folder;

    @Test
    void aDroppedPluginIsLoadedAndABrokenSuccessorLeavesItInUse() throws IOException {
        Path own = Files.createDirectory(folder.resolve("own"));
        Path drop = Files.createDirectory(folder.resolve("drop"));
        AtomicInteger told = new AtomicInteger();
        PluginSources sources = new PluginSources(List.of(drop), List.of(), List.of(), Duration.ofSeconds(1));
        try (PluginHost host = PluginDirectory.open(own, sources.further(), sources::trust)) {
            PluginReload reload = new PluginReload(host, told::incrementAndGet);
            reload.run();
            assertThat(host.names()).isEmpty();
            assertThat(told).as("nothing came").hasValue(0);

            Cli.plugins(drop);
            reload.run();
            assertThat(host.names()).containsExactly("simple-kmod");
            assertThat(told).hasValue(1);

            Files.write(drop.resolve("simple-kmod.jar"), new byte[100]);
            reload.run();
            assertThat(host.names()).containsExactly("simple-kmod");
            assertThat(host.rejections()).extracting(PluginRejection::code).containsExactly("PluginFileUnreadable");
        }
    }

    @Test
    void whatIsNotListedIsNotLoaded() throws IOException {
        Path own = Cli.plugins(Files.createDirectory(folder.resolve("own")));
        Path list = Files.writeString(folder.resolve("list"), "");
        PluginSources sources = new PluginSources(List.of(), List.of(list), List.of(), Duration.ofSeconds(1));
        try (PluginHost host = PluginDirectory.open(own, sources.further(), sources::trust)) {
            assertThat(host.names()).isEmpty();
            assertThat(host.rejections()).extracting(PluginRejection::code).containsExactly("PluginNotAllowed");
        }
    }
}
