package dev.sro.runtime.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginHostConfig;
import dev.sro.runtime.Cli;
import dev.sro.runtime.SroVersion;
import dev.sro.testkit.operator.SroSandbox;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveViewTest {

    @TempDir
    private Path directory;

    @Test
    void fitsATerminalOf80By24AndEndsWithEverythingReady() {
        StringWriter text = new StringWriter();
        try (PluginHost host = PluginHost.open(PluginHostConfig.builder()
                        .directory(Cli.plugins(directory))
                        .sroVersion(SroVersion.current())
                        .build());
                SroSandbox sandbox = SroSandbox.create(false, host.current())) {
            Demo demo = new Demo(sandbox, new LiveView(new PrintWriter(text), false), Pacer.none(), Clock.systemUTC());
            demo.addNodes();
            demo.install(DemoSession.specialResource());
        }
        String[] frames = text.toString().split("\033\\[\\d+A\033\\[J", -1);

        assertThat(frames).hasSizeGreaterThan(3).allSatisfy(frame -> {
            assertThat(frame.lines().count()).isLessThan(24);
            assertThat(frame.lines())
                    .allSatisfy(line -> assertThat(line.length()).isLessThan(80));
        });
        assertThat(frames[0]).contains("waits: Job simple-kmod/simple-kmod-driver-build");
        assertThat(frames[frames.length - 1])
                .contains("Ready 3/3", "worker-3", "ok      the device is validated")
                .doesNotContain("Waiting");
    }
}
