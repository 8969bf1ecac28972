package dev.sro.testkit.node;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * How QEMU starts a machine.
 *
 * @param rig kernels
 * @param acceleration what runs its instructions
 * @param kubeletPort of the loopback interface, for the machine's kubelet
 * @param address the machine's, in a network of its own
 */
record QemuCommand(Rig rig, Acceleration acceleration, int kubeletPort, String address) {
    /** Timers are late on a busy host, which kernels take for broken hardware. */
    private static final String KERNEL =
            "console=ttyS0 quiet mitigations=off nokaslr tsc=reliable nowatchdog no_timer_check";

    /** The interface keeps its name; the machine gets an id. */
    private static final String NODE = " root=/dev/vda rw net.ifnames=0 systemd.machine_id=";

    private static final int MEMORY_MIB = 3_072;
    private static final int KUBELET = 10_250;

    /** A machine with its disks, its network and its lines. */
    List<String> of(Path home, String kernel) {
        List<String> command = base(kernel);
        command.addAll(List.of(
                "-append",
                KERNEL
                        + NODE
                        + UUID.nameUUIDFromBytes(address.getBytes(StandardCharsets.US_ASCII))
                                .toString()
                                .replace("-", ""),
                "-drive",
                "file=" + home.resolve("disk.img") + ",if=none,id=d0,format=raw,cache=unsafe,aio=threads",
                "-device",
                "virtio-blk-pci,drive=d0",
                "-drive",
                "file=" + home.resolve("node.tar") + ",if=none,id=d1,format=raw,readonly=on",
                "-device",
                "virtio-blk-pci,drive=d1",
                "-netdev",
                "user,id=n0,hostfwd=tcp:127.0.0.1:" + kubeletPort + "-" + address + ":" + KUBELET,
                "-device",
                "virtio-net-pci,netdev=n0",
                "-device",
                "virtio-rng-pci",
                "-chardev",
                "file,id=c0,append=on,path=" + home.resolve("console"),
                "-serial",
                "chardev:c0",
                "-chardev",
                "socket,id=c1,server=on,wait=off,path=" + home.resolve("serial"),
                "-serial",
                "chardev:c1",
                "-monitor",
                "unix:" + home.resolve("monitor") + ",server=on,wait=off"));
        return command;
    }

    /** A machine that has nothing but a line to say that the kernel runs, and ends then. */
    List<String> ofTrial(Path home, String kernel) {
        List<String> command = base(kernel);
        command.addAll(
                List.of("-append", KERNEL + " panic=-1 rig.probe", "-serial", "file:" + home.resolve("console")));
        return command;
    }

    private List<String> base(String kernel) {
        List<String> command = new ArrayList<>(List.of("qemu-system-x86_64"));
        command.addAll(acceleration.arguments());
        command.addAll(List.of(
                "-smp",
                "2",
                "-m",
                String.valueOf(MEMORY_MIB),
                "-display",
                "none",
                "-nodefaults",
                "-no-reboot",
                "-kernel",
                rig.file("vmlinuz-" + kernel).toString(),
                "-initrd",
                rig.file("initrd-" + kernel).toString()));
        return command;
    }
}
