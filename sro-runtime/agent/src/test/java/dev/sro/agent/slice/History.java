package dev.sro.agent.slice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.DriverVersion;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.emulated.EmulatedDevices;
import dev.sro.agent.emulated.EmulatedGpus;
import dev.sro.agent.emulated.EmulatedNode;
import dev.sro.agent.file.Effects;
import dev.sro.agent.file.FakeDisk;
import dev.sro.core.slicing.catalogue.Catalogue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * One life of a node: claims come and go, kubelet asks again, the agent is killed between any two effects, the power goes, others make
 * instances, the driver and the disk fail. What kubelet was told must hold until it says otherwise.
 */
final class History {
    static final List<Gpu> GPUS = new EmulatedDevices(
                    "node",
                    new EmulatedNode(
                            new DriverVersion("580", "13.0"),
                            Duration.ZERO,
                            Duration.ZERO,
                            List.of(
                                    new EmulatedGpus(Catalogue.builtin().model("A100-40GB"), 1, GpuMode.SLICES),
                                    new EmulatedGpus(Catalogue.builtin().model("A30-24GB"), 1, GpuMode.SLICES),
                                    new EmulatedGpus(Catalogue.builtin().model("H100-80GB"), 1, GpuMode.WHOLE)),
                            List.of()),
                    pause -> {})
            .gpus();

    private static final Path CHECKPOINT = Path.of("/var/lib/sro/checkpoint");
    private static final Path CDI = Path.of("/var/run/cdi");

    private final SplittableRandom random;
    private final Effects effects = new Effects();
    private final FakeDisk disk;
    private final FakeHardware hardware;
    private final StringBuilder log = new StringBuilder();
    private final HistoryClaims claims;
    private final Set<Place> lostByReset = new HashSet<>();
    private int boot;
    private SliceKeeper keeper;
    int kills;
    int powerLosses;
    int foreign;
    int prepared;
    int refused;
    int wholes;
    int switches;

    History(long seed) {
        random = new SplittableRandom(seed);
        claims = new HistoryClaims(random, this::log);
        disk = new FakeDisk(effects, random);
        hardware = new FakeHardware(effects, random, GPUS);
        keeper = open();
    }

    private SliceKeeper open() {
        try {
            Checkpoint checkpoint = Checkpoint.open(disk, CHECKPOINT, "boot-" + boot);
            assertThat(checkpoint.notes().toString()).as(log::toString).doesNotContain("damaged");
            log("opened: " + checkpoint.all() + checkpoint.notes());
            SliceKeeper made = new SliceKeeper(hardware, checkpoint, new DiskFiles(disk, CDI));
            made.dynamic(true);
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
            assertThat(hardware.violations()).as(log::toString).isEmpty();
        }
        end();
        assertThat(hardware.violations()).as(log::toString).isEmpty();
    }

    long effects() {
        return effects.count();
    }

    private void step() {
        int what = random.nextInt(100);
        if (what < 16) {
            claims.allocate(false);
        } else if (what < 18) {
            claims.allocate(true);
        } else if (what < 44) {
            claims.any().ifPresent(claim -> possiblyKilled(() -> prepare(claim)));
        } else if (what < 62) {
            claims.any().ifPresent(claim -> possiblyKilled(() -> unprepare(claim)));
        } else if (what < 72) {
            foreign();
        } else if (what < 82) {
            possiblyKilled(this::reconcile);
        } else if (what < 86) {
            log("the driver will fail");
            hardware.failAfter(random.nextInt(8));
        } else if (what < 88) {
            log("the disk will fail");
            disk.failNext(1 + random.nextInt(3));
        } else if (what < 92) {
            open(random.nextInt(3) == 0);
        } else if (what < 95) {
            claims.any().ifPresent(this::deallocate);
        } else if (what < 96) {
            possiblyKilled(this::switchMode);
        } else if (what < 98) {
            losePower();
        } else if (what < 99) {
            reset();
        } else {
            restart();
        }
    }

    private void log(String what) {
        log.append(what).append('\n');
    }

    private void prepare(HistoryClaims.Claim claim) {
        if (!claim.allocated) {
            return;
        }
        log("prepare " + claim.ref.uid());
        claim.asked = true;
        try {
            List<Holding> given = keeper.prepare(claim.ref, claim.wanted);
            prepared++;
            check(claim, given);
            claim.given = given;
            given.forEach(slice -> hardware.use(slice.uuid()));
        } catch (SliceException e) {
            refused++;
            log("  " + e.getMessage());
        }
    }

    private void check(HistoryClaims.Claim claim, List<Holding> given) {
        assertThat(given).hasSameSizeAs(claim.wanted);
        for (int i = 0; i < given.size(); i++) {
            Place place = HistoryClaims.placeOf(claim.wanted.get(i));
            String uuid = given.get(i).uuid();
            if (place.isWhole()) {
                assertThat(hardware.whole(place.gpu())).as(log::toString).isTrue();
                wholes++;
            }
            assertThat(
                            place.isWhole()
                                    ? Stream.of(place)
                                    : hardware.all().stream()
                                            .filter(one -> one.uuid().equals(uuid) && one.compute && !one.foreign)
                                            .map(one -> Place.of(one.gpu, one.profile, one.start)))
                    .as(log::toString)
                    .containsExactly(place);
            for (HistoryClaims.Claim other : claims.all()) {
                if (other != claim) {
                    assertThat(other.given.stream().map(Holding::place).noneMatch(place::overlaps))
                            .as(() -> place + " is given twice\n" + log)
                            .isTrue();
                }
            }
        }
        assertThat(disk.read(CDI.resolve(claim.ref.uid() + ".json")))
                .as(log::toString)
                .hasValueSatisfying(bytes ->
                        assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(DiskFiles.text(given)));
    }

    private void unprepare(HistoryClaims.Claim claim) {
        log("unprepare " + claim.ref.uid());
        notInPod(claim);
        try {
            keeper.unprepare(claim.ref.uid());
            claim.asked = false;
        } catch (SliceException e) {
            log("  " + e.getMessage());
        }
    }

    private void notInPod(HistoryClaims.Claim claim) {
        claim.given.forEach(slice -> hardware.unuse(slice.uuid()));
        claim.given = List.of();
    }

    /** Only claims that no pod has can lose their devices. */
    private void deallocate(HistoryClaims.Claim claim) {
        if (claim.given.isEmpty()) {
            log("deallocate " + claim.ref.uid());
            claim.allocated = false;
            if (!claim.asked) {
                claims.remove(claim);
            }
        }
    }

    private void foreign() {
        List<FakeHardware.Instance> others =
                hardware.all().stream().filter(one -> one.foreign).toList();
        if (!others.isEmpty() && random.nextInt(5) < 3) {
            FakeHardware.Instance one = others.get(random.nextInt(others.size()));
            log("leaves: " + one);
            hardware.foreignLeaves(one);
            return;
        }
        Gpu gpu = GPUS.get(random.nextInt(GPUS.size()));
        DriverProfile profile = gpu.profiles().get(random.nextInt(gpu.profiles().size()));
        int start = profile.starts().get(random.nextInt(profile.starts().size()));
        // What a reset took and somebody makes again just so, before the agent looks, nobody can tell apart.
        if (!lostByReset.contains(Place.of(gpu.address(), profile, start))) {
            hardware.foreign(gpu.address(), profile, start).ifPresent(one -> {
                foreign++;
                log("comes: " + one);
            });
        }
    }

    /** Somebody like DCGM opens or closes instances. */
    private void open(boolean opens) {
        for (FakeHardware.Instance one : hardware.all()) {
            one.open = opens && random.nextBoolean();
        }
    }

    private void reconcile() {
        log("reconcile");
        RepairReport report = keeper.reconcile(claims::standing);
        if (report.left().isEmpty()) {
            lostByReset.clear();
        }
        log("  " + report);
    }

    private void possiblyKilled(Runnable what) {
        if (random.nextInt(3) == 0) {
            effects.killAfter(random.nextInt(14));
        }
        try {
            what.run();
            effects.spare();
        } catch (Effects.Killed e) {
            kills++;
            log("  killed");
            effects.spare();
            while (random.nextBoolean()) {
                foreign();
            }
            restart();
        }
    }

    /** The agent comes back, looks at everything, and may be killed while it does. */
    private void restart() {
        log("restart");
        for (boolean up = false; !up; ) {
            effects.spare();
            keeper = open();
            if (random.nextInt(4) == 0) {
                effects.killAfter(random.nextInt(10));
            }
            try {
                reconcile();
                up = true;
            } catch (Effects.Killed e) {
                kills++;
                log("  killed again");
                effects.spare();
                while (random.nextBoolean()) {
                    foreign();
                }
            }
        }
        effects.spare();
    }

    private void losePower() {
        log("power loss");
        powerLosses++;
        claims.any().ifPresent(claim -> {
            effects.killAfter(random.nextInt(14));
            try {
                prepare(claim);
            } catch (Effects.Killed e) {
                log("  in the middle");
            }
            effects.spare();
        });
        disk.losePower();
        boot++;
        claims.all().forEach(this::notInPod);
        Set<PciAddress> all = new HashSet<>();
        GPUS.forEach(gpu -> all.add(gpu.address()));
        hardware.reset(all);
        hardware.boot();
        restart();
    }

    /** As the Node asks for it. */
    private void switchMode() {
        Gpu gpu = GPUS.get(GPUS.size() - 1);
        boolean slices = random.nextBoolean();
        log("switch " + gpu.address() + " to " + (slices ? "slices" : "whole"));
        try {
            keeper.whileIdle(gpu.address(), false, () -> hardware.setSlices(gpu.address(), slices));
            switches++;
        } catch (SliceException | DeviceException e) {
            log("  " + e.getMessage());
        }
    }

    /** Somebody resets a GPU; its pods die. */
    private void reset() {
        PciAddress gpu = GPUS.get(random.nextInt(GPUS.size())).address();
        log("reset of " + gpu);
        for (HistoryClaims.Claim claim : claims.all()) {
            if (claim.given.stream().anyMatch(slice -> slice.place().gpu().equals(gpu))) {
                notInPod(claim);
            }
        }
        hardware.all().stream()
                .filter(one -> !one.foreign && one.gpu.equals(gpu))
                .forEach(one -> lostByReset.add(Place.of(one.gpu, one.profile, one.start)));
        hardware.reset(Set.of(gpu));
    }

    /** All is well again: nothing is lost, and everything goes. */
    private void end() {
        log("end");
        hardware.failAfter(Integer.MAX_VALUE);
        disk.failNext(0);
        open(false);
        restart();
        hardware.failAfter(Integer.MAX_VALUE);
        keeper.reconcile(ref -> ClaimSource.Standing.UNKNOWN);
        assertEveryInstanceIsHeld();
        for (HistoryClaims.Claim claim : claims.all()) {
            unprepare(claim);
            claim.allocated = false;
        }
        keeper.reconcile(ref -> ClaimSource.Standing.GONE);
        assertThat(hardware.all().stream().filter(one -> !one.foreign))
                .as(() -> "lost\n" + log)
                .isEmpty();
        assertThat(keeper.holdings()).as(log::toString).isEmpty();
        assertThat(keeper.quarantined()).as(log::toString).isEmpty();
        assertThat(disk.list(CDI).stream().filter(file -> file.toString().endsWith(".json")))
                .as(log::toString)
                .isEmpty();
    }

    private void assertEveryInstanceIsHeld() {
        List<Place> held = keeper.holdings().stream()
                .filter(holding -> holding.stage() == Stage.READY)
                .map(Holding::place)
                .toList();
        List<Place> slices = held.stream().filter(place -> !place.isWhole()).toList();
        held.stream()
                .filter(Place::isWhole)
                .forEach(place -> assertThat(hardware.whole(place.gpu()))
                        .as(log::toString)
                        .isTrue());
        assertThat(hardware.all().stream()
                        .filter(one -> !one.foreign)
                        .map(one -> Place.of(one.gpu, one.profile, one.start)))
                .as(log::toString)
                .containsExactlyInAnyOrderElementsOf(slices);
        for (HistoryClaims.Claim claim : claims.all()) {
            for (Holding slice : claim.given) {
                assertThat(held).as(() -> "lost of " + claim.ref + "\n" + log).contains(slice.place());
            }
        }
    }
}
