package dev.sro.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadExecutor;
import dev.sro.api.driver.LoadPlan;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts run in a real shell, on a directory that looks like a node. */
class LoadScriptTest extends LoadScriptWorld {

    @Test
    void loadsInOrderAndUnloadsInReverse() {
        LoadPlan plan = plan().addModules(
                        KernelModule.of("base"),
                        KernelModule.builder()
                                .name("top-driver")
                                .addParameters("mode=fast", "level=3")
                                .addLoadArguments("--force")
                                .addUnloadArguments("--wait=5")
                                .build())
                .build();

        assertThat(run(plan, "load").code()).isZero();
        assertThat(host.log())
                .containsExactly(
                        "modprobe <-v> <-d> </image> <base>",
                        "modprobe <-v> <-d> </image> <--force> <top-driver> <mode=fast> <level=3>");
        assertThat(run(plan, "check").code()).isZero();

        host.forget();
        assertThat(run(plan, "unload").code()).isZero();
        assertThat(host.log())
                .containsExactly(
                        "modprobe <-r> <-v> <-d> </image> <--wait=5> <top-driver>",
                        "modprobe <-r> <-v> <-d> </image> <base>");
        assertThat(run(plan, "check").lastLine()).isEqualTo("module base is not loaded");
    }

    @Test
    void aPodThatDidNotLoadHasNoIndexOfItsImageAndMakesOne() {
        LoadPlan plan = plan().addModules(KernelModule.of("gpu")).build();
        String index = "image/lib/modules/" + FakeHost.KERNEL + "/modules.dep";
        host.remove(index);
        run(plan, "load");
        host.remove(index);
        host.forget();

        assertThat(run(plan, "unload").code()).isZero();

        assertThat(host.log())
                .containsExactly(
                        "depmod <-b> </image> <" + FakeHost.KERNEL + ">", "modprobe <-r> <-v> <-d> </image> <gpu>");
    }

    @Test
    void unloadsInTheOrderThatIsGiven() {
        LoadPlan plan = plan().addModules(KernelModule.of("a"), KernelModule.of("b"))
                .unloadOrder(List.of("a", "b"))
                .build();
        run(plan, "load");
        host.forget();

        run(plan, "unload");

        assertThat(host.log())
                .containsExactly("modprobe <-r> <-v> <-d> </image> <a>", "modprobe <-r> <-v> <-d> </image> <b>");
    }

    @Test
    void rawArgumentsStandInsteadOfAllOthers() {
        LoadPlan plan = plan().addModules(KernelModule.builder()
                        .name("odd")
                        .addRawLoadArguments("-v", "odd", "it's=$HOME")
                        .addRawUnloadArguments("-r", "odd")
                        .build())
                .build();
        host.remove("image/lib/modules/" + FakeHost.KERNEL + "/modules.dep");

        assertThat(run(plan, "load").code()).isZero();
        assertThat(run(plan, "unload").code()).isZero();

        assertThat(host.log()).containsExactly("modprobe <-v> <odd> <it's=$HOME>", "modprobe <-r> <odd>");
    }

    @Test
    void loadingTwiceLoadsOnce() {
        LoadPlan plan = plan().addModules(KernelModule.of("gpu", "level=3")).build();
        run(plan, "load");
        host.forget();

        assertThat(run(plan, "load").lastLine()).isEqualTo("module gpu is loaded already");
        assertThat(host.log()).isEmpty();
    }

    @Test
    void whatIsLoadedOtherwiseGoesFirst() {
        host.loaded("gpu", "level", "1");

        FakeHost.Result result =
                run(plan().addModules(KernelModule.of("gpu", "level=3")).build(), "load");

        assertThat(result.code()).as(result.out()).isZero();
        assertThat(host.log())
                .containsExactly(
                        "modprobe <-r> <-v> <-d> </image> <gpu>", "modprobe <-v> <-d> </image> <gpu> <level=3>");
    }

    @Test
    void anotherBuildOfTheSameModuleGoesFirst() {
        host.loaded("gpu", "level", "3")
                .file("sys/module/gpu/srcversion", "OLD\n")
                .file("sources/gpu", "NEW\n");

        run(plan().addModules(KernelModule.of("gpu", "level=3")).build(), "load");

        assertThat(host.log()).hasSize(2).first().asString().contains("<-r>");
    }

    @Test
    void aModuleInUseIsNamedWithItsUsers() {
        host.loaded("gpu", "level", "1")
                .file("sys/module/gpu/refcnt", "2\n")
                .file("sys/module/gpu/holders/gpu_uvm/x", "");

        FakeHost.Result result =
                run(plan().addModules(KernelModule.of("gpu", "level=3")).build(), "load");

        assertThat(result.code()).isOne();
        assertThat(result.lastLine())
                .isEqualTo("module gpu is loaded otherwise than it is to be, and cannot be removed:"
                        + " module gpu has 2 users, among them the modules gpu_uvm");
        assertThat(run(plan().addModules(KernelModule.of("gpu")).build(), "unload")
                        .lastLine())
                .isEqualTo("cannot unload module gpu: module gpu has 2 users, among them the modules gpu_uvm"
                        + " (modprobe: FATAL: Module gpu is in use.)");
    }

    @Test
    void aModuleThatCannotBeLoadedFails() {
        host.file("fail/gpu", "");

        FakeHost.Result result = run(
                plan().addModules(KernelModule.of("gpu"), KernelModule.of("never"))
                        .build(),
                "load");

        assertThat(result.code()).isOne();
        assertThat(result.lastLine())
                .isEqualTo("cannot load module gpu: modprobe: ERROR: could not insert 'gpu': refused");
        assertThat(host.log()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpu: disagrees about version of symbol a | gpu: disagrees about version of symbol a",
                "gpu: Unknown symbol b^module: bad^eth0: up | gpu: Unknown symbol b",
                "Loading of module with unavailable key is rejected^eth0: up |"
                        + " Loading of module with unavailable key is rejected",
                "Lockdown: modprobe: unsigned module loading is restricted |"
                        + " Lockdown: modprobe: unsigned module loading is restricted"
            })
    void whatTheKernelSaysOfARefusedModuleIsWhatItHasSaidSince(String lines, String told) {
        host.file("fail/gpu", "[ 2.0] " + lines.replace("^", "\n[ 2.0] ") + "\n");

        FakeHost.Result result = run(plan().addModules(KernelModule.of("gpu")).build(), "load");

        assertThat(result.lastLine()).endsWith("could not insert 'gpu': refused; the kernel says: [ 2.0] " + told);
    }

    @Test
    void aParameterThatTheKernelDidNotTakeFails() {
        host.loaded("gpu", "level", "1").file("sys/module/gpu/refcnt", "0\n");
        LoadPlan plan = plan().addModules(KernelModule.of("gpu", "level=2")).build();
        run(plan, "load");
        host.file("sys/module/gpu/parameters/level", "1\n");

        assertThat(run(plan, "check").lastLine())
                .isEqualTo("module gpu has parameter level=1 on the node, level=2 was asked for");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Y|1|yes",
                "Y|y|yes",
                "N|0|yes",
                "Y|0|no",
                "16|0x10|yes",
                "-1|-1|yes",
                "8|010|yes",
                "8|08|no",
                "a|a|yes",
                "a|b|no",
                "1,2|0x1,2|yes",
                "(null)|x|no",
                "16|$(id)|no",
                "5|0x|no"
            })
    void valuesAreComparedAsTheKernelShowsThem(String shown, String wanted, String same) {
        host.loaded("gpu", "level", shown);

        FakeHost.Result result = host.run(
                script(plan().addModules(KernelModule.of("gpu", "level=" + wanted))
                        .build()),
                "check");

        assertThat(result.code() == 0 ? "yes" : "no").as(result.out()).isEqualTo(same);
    }

    @Test
    void refusesNodesThatWereNotBootedWithAnArgument() {
        LoadPlan plan = plan().addModules(KernelModule.of("gpu"))
                .addKernelArguments("quiet", "intel_iommu=on")
                .build();

        FakeHost.Result result = run(plan, "load");

        assertThat(result.code()).isOne();
        assertThat(result.lastLine())
                .isEqualTo("the kernel was not booted with intel_iommu=on (it has no intel_iommu);"
                        + " set it in the boot loader of the node and boot it");
        assertThat(host.log()).isEmpty();

        host.file("proc/cmdline", "quiet intel_iommu=on intel_iommu=off * \n");
        assertThat(run(plan, "load").lastLine()).contains("(it has intel_iommu=off)");

        host.file("proc/cmdline", "quiet intel_iommu=off intel_iommu=on");
        assertThat(run(plan, "load").code()).isZero();
    }

    @Test
    void removesModulesOfTheKernelOnlyIfTheyAreLoadedAndTheKernelsOwn() {
        host.file(
                        "host/lib/modules/" + FakeHost.KERNEL + "/modules.dep",
                        "kernel/a/in-tree.ko.xz: kernel/b/x.ko.xz\nkernel/b/x.ko.xz:\n")
                .loaded("in_tree", "p", "1")
                .loaded("stranger", "p", "1");
        LoadPlan plan = plan().addModules(KernelModule.of("gpu"))
                .addInTreeToRemove("in_tree", "stranger", "absent")
                .addInTreeToLoad("x")
                .build();

        FakeHost.Result result = run(plan, "load");

        assertThat(result.code()).as(result.out()).isZero();
        assertThat(host.log())
                .containsExactly(
                        "modprobe <-r> <-v> <-d> </host> <in_tree>",
                        "modprobe <-v> <-d> </host> <x>",
                        "modprobe <-v> <-d> </image> <gpu>");
        assertThat(result.out()).contains("module stranger is loaded, but is not of the kernel's own tree; left alone");
    }

    @Test
    void whatReplacesAModuleOfTheKernelIsNotTakenForIt() {
        host.file("host/lib/modules/" + FakeHost.KERNEL + "/modules.dep", "kernel/i915.ko:\n")
                .loaded("i915", "p", "1")
                .file("sys/module/i915/srcversion", "OURS\n")
                .file("sources/i915", "OURS\n");
        LoadPlan plan = plan().addModules(KernelModule.of("i915"))
                .addInTreeToRemove("i915")
                .build();

        assertThat(run(plan, "load").code()).isZero();
        assertThat(host.log()).isEmpty();

        host.file("sys/module/i915/srcversion", "THEIRS\n");
        assertThat(run(plan, "load").code()).isZero();
        assertThat(host.log())
                .containsExactly("modprobe <-r> <-v> <-d> </host> <i915>", "modprobe <-v> <-d> </image> <i915>");
    }

    @Test
    void modulesOfTheKernelsOwnTreeAreLoadedFromTheHost() {
        LoadPlan plan = plan().addModules(
                        KernelModule.builder().name("vfio").inTree(true).build())
                .build();

        assertThat(run(plan, "load").code()).isZero();

        assertThat(host.log()).containsExactly("modprobe <-v> <-d> </host> <vfio>");
    }

    @Test
    void saysWhichKernelsTheImageIsFor() {
        host.remove("image/lib/modules/" + FakeHost.KERNEL + "/modules.dep")
                .remove("image/lib/modules/" + FakeHost.KERNEL)
                .file("image/lib/modules/5.14.0-1/modules.dep", "");

        assertThat(run(plan().addModules(KernelModule.of("gpu")).build(), "load")
                        .lastLine())
                .isEqualTo("the image has no modules for kernel 6.1.0-test in " + host.image()
                        + "/lib/modules; it has 5.14.0-1");
    }

    @Test
    void doesNothingInABootThatItWasNotMadeFor() {
        LoadPlan plan = plan().addModules(KernelModule.of("gpu")).build();
        host.set("SRO_BOOT", "boot-0");

        assertThat(run(plan, "load").lastLine())
                .isEqualTo("the node was booted again: its boot id is boot-1, this pod was made for boot-0");
        assertThat(run(plan, "unload").code()).isOne();
        assertThat(host.log()).isEmpty();

        host.set("SRO_BOOT", "boot-1");
        assertThat(run(plan, "load").code()).isZero();
    }

    @Test
    void isReadyOnlyWhenAllIsLoaded() {
        LoadPlan plan = plan().addModules(KernelModule.of("gpu")).build();
        host.loaded("gpu", "p", "1");

        assertThat(run(plan, "ready").lastLine()).isEqualTo("the modules are not all loaded yet");
        host.file("run/loaded", "");
        assertThat(run(plan, "ready").code()).isZero();
    }

    @Test
    void checksADriverThatTheHostBrings() {
        LoadPlan plan = LoadPlan.builder()
                .executor(LoadExecutor.HOST_PROVIDED)
                .addModules(
                        KernelModule.builder().name("nvidia").version("550.1").build())
                .build();

        assertThat(run(plan, "check").lastLine())
                .isEqualTo("module nvidia is not loaded: the operating system is expected to bring it");
        host.loaded("nvidia", "p", "1").file("sys/module/nvidia/version", "535.2\n");
        assertThat(run(plan, "check").lastLine())
                .isEqualTo("module nvidia has version 535.2 on the node, 550.1 is expected");
        host.file("sys/module/nvidia/version", "550.1\n");
        assertThat(run(plan, "check").code()).isZero();
    }
}
