package dev.sro.agent.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.agent.device.DeviceEvent;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Resets by the driver's own program, of GPUs of a library of our own with the functions and structures of NVIDIA's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NvidiaResetTest {
    private static final PciAddress FIRST = PciAddress.of("0000:3b:00.0");

    private final StubDriver driver;
    private final List<String> log = new CopyOnWriteArrayList<>();

    /** Once: compiling takes longer than all else here. */
    NvidiaResetTest(@TempDir Path root) throws Exception {
        driver = StubDriver.compile(root);
    }

    @BeforeEach
    void reset() {
        driver.reset();
        log.clear();
    }

    private NvmlDevices open() throws DeviceException {
        return NvmlDevices.open(driver.root(), log::add);
    }

    /** The program of the driver, with the words of NVIDIA's, and a shell that the image does not have. */
    private void nvidiaSmi(String script) throws Exception {
        Path program = driver.root().resolve("usr/bin/nvidia-smi");
        Files.createDirectories(driver.root().resolve("usr/bin"));
        Files.writeString(program, "#!/bin/sh\n" + script + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void beforeHopperTheModeWaitsForAResetByTheDriversProgram() throws Exception {
        NvmlDevices devices = open();
        assertThat(devices.gpus().get(0).resetToSwitch()).isTrue();
        devices.setSlices(FIRST, false);
        assertThat(devices.gpus().get(0).mode()).isEqualTo(GpuMode.PENDING);
        Path asked = driver.root().resolve("asked");
        Files.deleteIfExists(asked);
        nvidiaSmi("echo \"$@\" >> " + asked);
        devices.reset(FIRST);
        driver.control("reset_gpu", 0);
        assertThat(asked).content().endsWith("-i 0000:3b:00.0 --gpu-reset\n").doesNotContain("-pm");
        assertThat(devices.gpus().get(0).mode()).isEqualTo(GpuMode.WHOLE);
    }

    /** NVIDIA's program resets nothing that anybody has a session on, the agent among them. */
    @Test
    void theAgentLetsGoOfItsGpusForAReset() throws Exception {
        NvmlDevices devices = open();
        assertThat(devices.nextEvent(Duration.ZERO)).isEmpty();
        Path held = driver.root().resolve("held");
        driver.control("held", held.toString());
        assertThat(held).exists();
        nvidiaSmi("if [ -e " + held + " ]; then echo 'GPU 00000000:3B:00.0: In use by another client'; exit 255; fi");

        devices.reset(FIRST);
        assertThat(devices.gpus()).as("a new session").hasSize(3);
        assertThat(driver.control("sessions")).isEqualTo(1);
        driver.control("xid", 0, 31);
        assertThat(devices.nextEvent(Duration.ZERO)).contains(new DeviceEvent(FIRST, 31));

        nvidiaSmi("echo 'Unable to reset this GPU.'; exit 3");
        assertThatThrownBy(() -> devices.reset(FIRST)).isInstanceOf(DeviceException.class);
        assertThat(devices.gpus()).as("after one that failed, too").hasSize(3);
    }

    /** Persistence mode holds a GPU open that nobody uses. */
    @ParameterizedTest
    @CsvSource({"0, true", "3, false"})
    void persistenceModeIsOffForTheTimeOfAReset(int exit, boolean resets) throws Exception {
        NvmlDevices devices = open();
        Path asked = driver.root().resolve("asked");
        Files.deleteIfExists(asked);
        nvidiaSmi("shift 2; echo \"$1\" \"$2\" >> " + asked + "; case $1 in --query*) echo Enabled;; --gpu-reset) exit "
                + exit + ";; esac");
        if (resets) {
            devices.reset(FIRST);
        } else {
            assertThatThrownBy(() -> devices.reset(FIRST)).isInstanceOf(DeviceException.class);
        }
        assertThat(Files.readAllLines(asked))
                .containsExactly(
                        "--query-gpu=persistence_mode --format=csv,noheader", "-pm 0", "--gpu-reset ", "-pm 1");
    }

    /** The program looks for its daemon where this process is; the daemon is below the driver's root. */
    @Test
    void theDriversDaemonIsFoundForAReset(@TempDir Path here) throws Exception {
        Path own = here.resolve("run/nvidia-persistenced/socket");
        Path socket = driver.root().resolve("run/nvidia-persistenced/socket");
        Files.createDirectories(here.resolve("run/nvidia-persistenced"));
        Files.createDirectories(driver.root().resolve("run/nvidia-persistenced"));
        Files.deleteIfExists(socket);
        Files.createFile(socket);
        Files.createSymbolicLink(own, here.resolve("gone"));
        nvidiaSmi("true");

        new NvidiaReset(driver.root(), here, log::add).perform(FIRST);
        assertThat(Files.readSymbolicLink(own)).isEqualTo(socket);
        assertThat(log).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "GPU 00000000:3B:00.0 is currently in use by another process., IN_USE",
        "Resetting GPU 00000000:3B:00.0 is not supported., NOT_SUPPORTED",
        "Unable to reset this GPU., OTHER"
    })
    void aResetThatFailsIsToldInTheWordsOfTheDriver(String said, DeviceException.Kind kind) throws Exception {
        NvmlDevices devices = open();
        nvidiaSmi("echo '" + said + "'; exit 3");
        assertThatThrownBy(() -> devices.reset(FIRST))
                .hasMessageContaining("0000:3b:00.0: nvidia-smi --gpu-reset: " + said)
                .isInstanceOfSatisfying(
                        DeviceException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }
}
