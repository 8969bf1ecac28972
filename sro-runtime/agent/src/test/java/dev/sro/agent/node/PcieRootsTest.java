package dev.sro.agent.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.agent.device.PciAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PcieRootsTest {
    private static final PciAddress GPU = PciAddress.of("0000:3b:00.0");

    @TempDir
    private Path sys;

    @Test
    void theRootIsThatOfTheKernelsTree() throws IOException {
        Path device = Files.createDirectories(sys.resolve("devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0"));
        Path list = Files.createDirectories(sys.resolve("bus/pci/devices"));
        Files.createSymbolicLink(list.resolve("0000:3b:00.0"), list.relativize(device));
        assertThat(PcieRoots.below(sys).of(GPU)).contains("pci0000:3a");
    }

    @Test
    void whatIsNoPciDeviceOrNotThereHasNone() throws IOException {
        assertThat(PcieRoots.none().of(GPU)).isEmpty();
        assertThat(PcieRoots.below(sys).of(GPU)).isEmpty();
        Files.createDirectories(sys.resolve("devices/platform/0000:3b:00.0"));
        Path list = Files.createDirectories(sys.resolve("bus/pci/devices"));
        Files.createSymbolicLink(list.resolve("0000:3b:00.0"), sys.resolve("devices/platform/0000:3b:00.0"));
        assertThat(PcieRoots.below(sys).of(GPU)).isEmpty();
    }
}
