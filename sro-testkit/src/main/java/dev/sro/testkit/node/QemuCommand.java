package dev.sro.testkit.node;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * How QEMU starts a machine: emulated, because not every machine that tests run on may use virtualisation.
 *
 * @param rig kernels
 * @param kubeletPort of the loopback interface, for the machine's kubelet
 * @param address the machine's, in a network of its own
 */
record QemuCommand(Rig rig, int kubeletPort, String address) {
    /** Timers are late on a busy host, which kernels take for broken hardware; the interface keeps its name; the machine gets an id. */
    private static final String KERNEL =
            "console=ttyS0 root=/dev/vda rw quiet mitigations=off nokaslr tsc=reliable nowatchdog"
                    + " no_timer_check net.ifnames=0 systemd.machine_id=";

    private static final int MEMORY_MIB = 3_072;
    private static final int KUBELET = 10_250;

    List<String> of(Path home, String kernel) {
        return List.of(
                "qemu-system-x86_64",
                "-accel",
                "tcg,thread=multi,tb-size=1024",
                // Wide vectors and five levels of page tables cost more than they save where each is emulated.
                "-cpu",
                "max,la57=off,avx=off,avx2=off",
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
                rig.file("initrd-" + kernel).toString(),
                "-append",
                KERNEL
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
                "unix:" + home.resolve("monitor") + ",server=on,wait=off");
    }
}
