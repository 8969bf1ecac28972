package dev.sro.testkit.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;

/** What runs the instructions of machines. */
enum Acceleration {
    /** The processor of the host. */
    KVM("kvm", "host"),
    /**
     * QEMU, in software. Wide vectors and five levels of page tables cost more than they save where each is emulated.
     */
    EMULATION("tcg,thread=multi,tb-size=1024", "max,la57=off,avx=off,avx2=off");

    static final String SETTING = "SRO_REAL_NODE_ACCEL";

    /** A kernel says its word in two seconds where KVM is what it seems; the host may be busy. */
    private static final Duration TRIAL = Duration.ofSeconds(20);

    private static final Path DEVICE = Path.of("/dev/kvm");
    private static final String ALIVE = "RIG: runs";

    private final String accelerator;
    private final String processor;

    Acceleration(String accelerator, String processor) {
        this.accelerator = accelerator;
        this.processor = processor;
    }

    /** The arguments of QEMU for it. */
    List<String> arguments() {
        return List.of("-accel", accelerator, "-cpu", processor);
    }

    /**
     * What was chosen, and why.
     *
     * @param reason one line for who reads the log
     */
    record Choice(Acceleration acceleration, String reason) {}

    /** KVM where a kernel of the rig runs with it, emulation elsewhere, or what {@code SRO_REAL_NODE_ACCEL} says. */
    static Choice ofThisMachine(Rig rig) {
        return choose(
                System.getenv(),
                Files.isReadable(DEVICE) && Files.isWritable(DEVICE),
                acceleration -> trial(rig, acceleration));
    }

    /**
     * Chooses.
     *
     * @param device whether there is a device of KVM that may be used
     * @param trial starts a kernel; what was wrong, or nothing if it ran
     * @throws RealNodeException if the setting is unknown, or asks for what does not work
     */
    static Choice choose(Map<String, String> environment, boolean device, Function<Acceleration, String> trial) {
        String setting = environment.getOrDefault(SETTING, "").trim();
        if (!List.of("", "auto", "kvm", "tcg").contains(setting)) {
            throw new RealNodeException(SETTING + " is auto, kvm or tcg, not " + setting);
        }
        if (setting.equals("tcg")) {
            return new Choice(EMULATION, "emulation, as " + SETTING + " says");
        }
        String wrong = device ? trial.apply(KVM) : DEVICE + " is not there, or may not be used";
        if (wrong.isEmpty()) {
            return new Choice(KVM, "KVM: a kernel of the rig ran with it");
        }
        if (setting.equals("kvm")) {
            throw new RealNodeException(SETTING + " is kvm, but " + wrong);
        }
        return new Choice(EMULATION, "emulation: " + wrong);
    }

    /**
     * Starts the oldest kernel until its first program says that it runs. Nothing less tells: there are devices of KVM which execute a few
     * instructions in real mode and then stay in a kernel's own decompression, because they are made for kernels that know them.
     */
    private static String trial(Rig rig, Acceleration acceleration) {
        Path home;
        try {
            home = Files.createTempDirectory("sro-node-trial");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try (RigProcess qemu = RigProcess.start(
                new QemuCommand(rig, acceleration, 0, "")
                        .ofTrial(home, rig.kernels().get(0)),
                home,
                "qemu-system-x86_64")) {
            long end = System.nanoTime() + TRIAL.toNanos();
            while (System.nanoTime() < end) {
                boolean alive = qemu.isAlive();
                if (console(home).contains(ALIVE)) {
                    return "";
                }
                if (!alive) {
                    return "QEMU ended: " + qemu.tail().lines().findFirst().orElse("it said nothing");
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
            return "a kernel did not start with KVM in " + TRIAL.toSeconds() + " s";
        } finally {
            remove(home);
        }
    }

    private static String console(Path home) {
        try {
            return Files.readString(home.resolve("console"), StandardCharsets.ISO_8859_1);
        } catch (IOException notYet) {
            return "";
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
