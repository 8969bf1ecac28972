package dev.sro.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.driver.HostFile;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.SoftDependency;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What scripts of load plans do with files of the host. */
class LoadScriptFilesTest extends LoadScriptWorld {

    @Test
    void runsDepmodOnlyWhereTheImageHasNoIndex() {
        LoadPlan plan = plan().addModules(KernelModule.of("gpu")).build();
        host.remove("image/lib/modules/" + FakeHost.KERNEL + "/modules.dep");

        run(plan, "load");

        assertThat(host.log())
                .containsExactly("depmod <-b> </image> <" + FakeHost.KERNEL + ">", "modprobe <-v> <-d> </image> <gpu>");
    }

    @Test
    void placesFilesAndTakesThemAwayWithoutTouchingOthers() {
        host.file("image/tools/it's a $tool", "new")
                .file("image/tools/.hidden", "h")
                .file("image/tools/sub/one", "1")
                .file("image/conf", "c")
                .file("host/usr/share/gpu/it's a $tool", "old")
                .file("host/usr/share/gpu/others", "kept");
        LoadPlan plan = plan().addModules(KernelModule.of("gpu"))
                .addHostFiles(
                        new HostFile(host.image() + "/tools", "/usr/share/gpu", true),
                        new HostFile(host.image() + "/conf", "/etc/gpu.conf", false))
                .build();

        FakeHost.Result first = run(plan, "load");
        FakeHost.Result again = run(plan, "load");

        assertThat(first.code()).as(first.out()).isZero();
        assertThat(host.read("host/usr/share/gpu/it's a $tool")).isEqualTo("new");
        assertThat(host.read("host/usr/share/gpu/.hidden")).isEqualTo("h");
        assertThat(host.read("host/usr/share/gpu/sub/one")).isEqualTo("1");
        assertThat(again.out()).doesNotContain("placed");

        assertThat(run(plan, "unload").code()).isZero();
        assertThat(host.exists("host/usr/share/gpu/it's a $tool")).isFalse();
        assertThat(host.exists("host/usr/share/gpu/sub")).isFalse();
        assertThat(host.read("host/usr/share/gpu/others")).isEqualTo("kept");
        assertThat(host.read("host/etc/gpu.conf")).isEqualTo("c");
    }

    @Test
    void aFileThatTheImageDoesNotHaveIsNamed() {
        LoadPlan plan = plan().addModules(KernelModule.of("gpu"))
                .addHostFiles(new HostFile("/none", "/etc/none", true))
                .build();

        assertThat(run(plan, "load").lastLine())
                .isEqualTo("the image has no /none, which is to be placed at " + host.path("host") + "/etc/none");
    }

    @Test
    void placesFirmwareAndTellsTheKernelWhere() {
        host.file("image/firmware/gpu/a.bin", "a");
        LoadPlan plan = plan().addModules(KernelModule.of("gpu"))
                .firmwareSource(host.image() + "/firmware")
                .build();

        assertThat(run(plan, "load").code()).isZero();
        assertThat(host.read("host/var/lib/firmware/gpu/a.bin")).isEqualTo("a");
        assertThat(host.read("sys/module/firmware_class/parameters/path")).isEqualTo("/var/lib/firmware");

        assertThat(run(plan, "load").code()).isZero();
        assertThat(run(plan, "unload").code()).isZero();
        assertThat(host.exists("host/var/lib/firmware/gpu/a.bin")).isFalse();
    }

    @Test
    void doesNotTakeTheFirmwareDirectoryFromOthers() {
        host.file("image/firmware/a.bin", "a").file("sys/module/firmware_class/parameters/path", "/opt/fw\n");

        assertThat(run(
                                plan().addModules(KernelModule.of("gpu"))
                                        .firmwareSource(host.image() + "/firmware")
                                        .build(),
                                "load")
                        .lastLine())
                .isEqualTo("the kernel searches /opt/fw for firmware (firmware_class.path), not /var/lib/firmware;"
                        + " place the firmware there");
    }

    @Test
    void writesBlacklistToTheHostAndOrderToTheImage() {
        LoadPlan plan = plan().addModules(KernelModule.of("gpu"), KernelModule.of("gpu_uvm"))
                .addBlacklist("nouveau", "nova")
                .addSoftDependencies(new SoftDependency("gpu_uvm", List.of("gpu"), List.of("x")))
                .build();

        assertThat(run(plan, "load").code()).isZero();
        assertThat(host.read("host/etc/modprobe.d/sro-gpu.conf")).isEqualTo("blacklist nouveau\nblacklist nova\n");
        assertThat(host.read("etc/modprobe.d/sro-gpu.conf")).isEqualTo("softdep gpu_uvm pre: gpu post: x\n");

        assertThat(run(plan, "unload").code()).isZero();
        assertThat(host.exists("host/etc/modprobe.d/sro-gpu.conf")).isFalse();
    }
}
