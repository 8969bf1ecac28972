package dev.sro.core.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.NodeBarrier;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadPlan;
import org.junit.jupiter.api.Test;

/** The file on the node that is there while the modules of a plan are loaded. */
class LoadScriptBarrierTest extends LoadScriptWorld {

    private static final String FILE = "host/run/sro/barriers/gpu/modules";

    private LoadPlan.Builder guarded() {
        return plan().barrier(NodeBarrier.of("gpu", "modules").saying("driver-2"));
    }

    @Test
    void isLeftBehindTheLastModuleAndTakenAwayBeforeTheFirstOneGoes() {
        LoadPlan plan = guarded()
                .addModules(KernelModule.of("gpu"), KernelModule.of("gpu_uvm"))
                .build();

        assertThat(run(plan, "load").code()).isZero();
        assertThat(host.read(FILE)).isEqualTo("driver-2\n");

        host.file("host/run/sro/barriers/gpu/others", "kept");
        assertThat(run(plan, "unload").code()).isZero();
        assertThat(host.exists(FILE)).isFalse();
        assertThat(host.exists("host/run/sro/barriers/gpu/others")).isTrue();
    }

    @Test
    void isNotThereWhereLoadingFailsEvenIfTheDriverBeforeLeftIt() {
        host.file(FILE, "driver-1\n");
        LoadPlan plan = guarded()
                .addModules(KernelModule.of("gpu"))
                .addKernelArguments("never_given")
                .build();

        assertThat(run(plan, "load").code()).isOne();
        assertThat(host.exists(FILE)).isFalse();
    }

    @Test
    void theProbeOpensItOnceAllIsLoadedAndClosesItWhenAModuleGoes() {
        LoadPlan plan = guarded().addModules(KernelModule.of("gpu")).build();
        assertThat(run(plan, "ready").code()).as("run has not begun").isOne();
        assertThat(host.exists(FILE)).isFalse();
        assertThat(run(plan, "load").code()).isZero();
        host.remove(FILE);
        host.file("run/loaded", "");

        assertThat(run(plan, "ready").code()).isZero();
        assertThat(host.read(FILE)).isEqualTo("driver-2\n");

        host.run("rm -r \"$SRO_SYS/module/gpu\"", "");
        assertThat(run(plan, "ready").lastLine()).isEqualTo("module gpu is not loaded");
        assertThat(host.exists(FILE)).isFalse();
    }

    @Test
    void aProbeThatComesAfterTheEndLeavesItClosed() {
        LoadPlan plan = guarded().addModules(KernelModule.of("gpu")).build();
        assertThat(run(plan, "load").code()).isZero();
        host.file("run/loaded", "");

        assertThat(run(plan, "unload").code()).isZero();
        assertThat(run(plan, "ready").code()).isOne();
        assertThat(host.exists(FILE)).isFalse();
    }

    @Test
    void plansWithoutOneHaveTheScriptThatTheyHad() {
        assertThat(script(plan().addModules(KernelModule.of("gpu")).build()))
                .doesNotContain("barrier")
                .endsWith("main \"$1\"\n");
    }
}
