package dev.sro.runtime.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.plugin.PluginHost;
import dev.sro.core.plugin.PluginHostConfig;
import dev.sro.core.plugin.Plugins;
import dev.sro.runtime.Cli;
import dev.sro.runtime.SroVersion;
import dev.sro.testkit.operator.SroSandbox;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveViewTest {

    private static final Clock CLOCK = Clock.systemUTC();

    @TempDir
    private Path directory;

    @Test
    void fitsATerminalOf80By24AndEndsWithEverythingReady() {
        StringWriter text = new StringWriter();
        try (PluginHost host = host();
                SroSandbox sandbox = SroSandbox.create(false, host.current())) {
            Demo demo = new Demo(sandbox, new LiveView(new PrintWriter(text), false), Pacer.none(), CLOCK);
            demo.addNodes();
            demo.install(DemoSession.specialResource());
        }
        String[] frames = frames(text);

        assertThat(frames[0]).contains("waits: Job simple-kmod/simple-kmod-driver-build");
        assertThat(frames[frames.length - 1])
                .contains("Ready 3/3", "worker-3", "ok      the device is validated")
                .doesNotContain("Waiting");
    }

    @Test
    void turnsTheTableWhenItHasMoreStatesThanFit() {
        StringWriter text = new StringWriter();
        Cli.plugin(directory, "sro-plugins-nvidia", "nvidia-gpu");
        try (PluginHost host = host();
                SroSandbox sandbox = SroSandbox.create(GpuDemo.cluster(false), host.current())) {
            GpuDemo demo = new GpuDemo(sandbox, new LiveView(new PrintWriter(text), false), Pacer.none(), CLOCK);
            demo.install();
        }
        String[] frames = frames(text);

        assertThat(frames[frames.length - 1])
                .contains("  A rhel9.4-5.14.0-427.50.1.el9_4.x86_64: gpu-4 gpu-5 gpu-6 gpu-7")
                .containsPattern("state +A +B")
                .containsPattern("1000-driver +Ready 4/4 +Ready 4/4")
                .containsPattern("3000-driver-validation +Failed 3/4 +Ready 4/4")
                .containsPattern("9999-monitoring +Ready *\n")
                .contains("waits: 3000-driver-validation: ");
    }

    @Test
    @Tag("slow")
    void drawsUpgradesToo() {
        StringWriter text = new StringWriter();
        try (SroSandbox sandbox = SroSandbox.create(false, Plugins.of(new DemoDriver()))) {
            UpgradeDemo demo =
                    new UpgradeDemo(sandbox, new LiveView(new PrintWriter(text), false), Pacer.none(), CLOCK);
            demo.install();
            demo.kernel();
        }
        String[] frames = frames(text);

        assertThat(frames[frames.length - 1]).contains("worker-5").doesNotContain("Failed");
    }

    private PluginHost host() {
        return PluginHost.open(PluginHostConfig.builder()
                .directory(Cli.plugins(directory))
                .sroVersion(SroVersion.current())
                .build());
    }

    /** Each as it was drawn, checked to fit. */
    private static String[] frames(StringWriter text) {
        String[] frames = text.toString().split("\033\\[\\d+A\033\\[J", -1);
        assertThat(frames).hasSizeGreaterThan(3).allSatisfy(frame -> {
            assertThat(frame.lines().count()).isLessThan(24);
            assertThat(frame.lines().filter(line -> !line.startsWith("  ok")))
                    .allSatisfy(line -> assertThat(line.length()).isLessThan(80));
        });
        return frames;
    }
}
