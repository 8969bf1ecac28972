package dev.sro.testkit.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.testkit.controlplane.Binaries;
import dev.sro.testkit.controlplane.Component;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class AccelerationTest {
    private static final Rig RIG = new Rig(
            Path.of("/rig"),
            new Binaries(
                    Map.of(Component.ETCD, Path.of("/bin/etcd"), Component.API_SERVER, Path.of("/bin/kube-apiserver"))),
            List.of("6.12.1-amd64"));

    private final List<Acceleration> trials = new ArrayList<>();

    private Function<Acceleration, String> trial(String wrong) {
        return acceleration -> {
            trials.add(acceleration);
            return wrong;
        };
    }

    private Acceleration.Choice choose(String setting, boolean device, String wrong) {
        return Acceleration.choose(Map.of(Acceleration.SETTING, setting), device, trial(wrong));
    }

    @Test
    void whereAKernelRunsWithKvmThatIsTaken() {
        Acceleration.Choice choice = Acceleration.choose(Map.of(), true, trial(""));
        assertThat(choice.acceleration()).isEqualTo(Acceleration.KVM);
        assertThat(choice.reason()).startsWith("KVM: ");
        assertThat(trials).containsExactly(Acceleration.KVM);
    }

    @Test
    void whereAKernelDoesNotStartMachinesAreEmulatedForThatReason() {
        Acceleration.Choice choice = choose("auto", true, "a kernel did not start with KVM in 20 s");
        assertThat(choice.acceleration()).isEqualTo(Acceleration.EMULATION);
        assertThat(choice.reason()).isEqualTo("emulation: a kernel did not start with KVM in 20 s");
    }

    @Test
    void withoutADeviceNothingIsTried() {
        assertThat(choose("", false, "").acceleration()).isEqualTo(Acceleration.EMULATION);
        assertThat(choose("", false, "").reason()).contains("/dev/kvm");
        assertThat(trials).isEmpty();
    }

    @Test
    void emulationCanBeAskedFor() {
        assertThat(choose("tcg", true, "").acceleration()).isEqualTo(Acceleration.EMULATION);
        assertThat(trials).isEmpty();
    }

    @Test
    void kvmThatIsAskedForAndDoesNotWorkIsAnError() {
        assertThat(choose("kvm", true, "").acceleration()).isEqualTo(Acceleration.KVM);
        assertThatThrownBy(() -> choose("kvm", true, "QEMU ended: it said nothing"))
                .isInstanceOf(RealNodeException.class)
                .hasMessage("SRO_REAL_NODE_ACCEL is kvm, but QEMU ended: it said nothing");
        assertThatThrownBy(() -> choose("kvm", false, "")).hasMessageContaining("/dev/kvm is not there");
    }

    @Test
    void anUnknownSettingIsAnError() {
        assertThatThrownBy(() -> choose("hvf", true, "")).hasMessageContaining("auto, kvm or tcg, not hvf");
    }

    @Test
    void qemuIsToldWhatRunsTheMachine() {
        Path home = Path.of("/home");
        assertThat(new QemuCommand(RIG, Acceleration.KVM, 1, "10.0.2.15").of(home, "6.12.1-amd64"))
                .containsSequence("-accel", "kvm", "-cpu", "host")
                .contains("/rig/vmlinuz-6.12.1-amd64", "virtio-blk-pci,drive=d1");
        assertThat(new QemuCommand(RIG, Acceleration.EMULATION, 1, "10.0.2.15").of(home, "6.12.1-amd64"))
                .containsSequence("-accel", "tcg,thread=multi,tb-size=1024", "-cpu");
    }

    @Test
    void aTrialHasNoDiskAndEndsByItself() {
        assertThat(new QemuCommand(RIG, Acceleration.KVM, 0, "").ofTrial(Path.of("/home"), "6.12.1-amd64"))
                .contains("-no-reboot", "/rig/initrd-6.12.1-amd64")
                .anyMatch(argument -> argument.endsWith(" no_timer_check panic=-1 rig.probe"))
                .noneMatch(argument -> argument.contains("virtio"));
    }
}
