package dev.sro.agent.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.file.Effects;
import dev.sro.agent.file.FakeDisk;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * What goes on around the agent in a {@link ConcurrentHistory}, and the judge of it, who knows what kubelet was told and what the hardware
 * has. Touched by whoever has the turn.
 */
final class ConcurrentWorld {
    private final SplittableRandom random;
    private final Effects effects;
    private final FakeDisk disk;
    private final FakeHardware hardware;
    private final TurnDevices devices;
    private final ConcurrentClaims claims;
    private final Consumer<String> log;
    private final Set<Place> lostToOthers = new HashSet<>();
    private final Set<Place> lostBefore = new HashSet<>();
    private final int calm;
    private final int lingering;
    /** Some of them: where everything goes wrong, little gets far. */
    private final Set<Fault> faults = EnumSet.noneOf(Fault.class);

    private long judged = -1;

    ConcurrentWorld(
            SplittableRandom random,
            Effects effects,
            FakeDisk disk,
            FakeHardware hardware,
            TurnDevices devices,
            ConcurrentClaims claims,
            Consumer<String> log) {
        this.random = random;
        this.effects = effects;
        this.disk = disk;
        this.hardware = hardware;
        this.devices = devices;
        this.claims = claims;
        this.log = log;
        calm = 8 + random.nextInt(40);
        lingering = 1 + random.nextInt(3);
        int often = random.nextInt(4);
        for (Fault fault : Fault.values()) {
            if (random.nextInt(5) < often) {
                faults.add(fault);
            }
        }
    }

    /** What may go wrong. */
    private enum Fault {
        FOREIGN,
        OPEN,
        DRIVER,
        DISK,
        LOST,
        RESET,
        DESTROYED,
        KILL
    }

    /** Whether something happened. */
    boolean goesOn() {
        if (random.nextInt(calm) > 0) {
            return false;
        }
        judged = -1;
        int what = random.nextInt(10);
        if (what < 3) {
            claims.allocate(random.nextInt(16) == 0);
        } else if (what < 6) {
            claims.any().ifPresent(claims::deallocate);
        } else if (what < 7) {
            open(false);
        } else {
            Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
            if (faults.contains(fault)) {
                happen(fault);
            }
        }
        return true;
    }

    private void happen(Fault fault) {
        switch (fault) {
            case FOREIGN -> foreign();
            case OPEN -> open(true);
            case DRIVER -> {
                log.accept("the driver will fail");
                hardware.failAfter(random.nextInt(8));
            }
            case DISK -> {
                log.accept("the disk will fail");
                disk.failNext(1 + random.nextInt(3));
            }
            case LOST -> {
                if (random.nextBoolean()) {
                    devices.find();
                } else {
                    Gpu gpu = History.GPUS.get(random.nextInt(History.GPUS.size()));
                    log.accept("lost: " + gpu.address());
                    devices.lose(gpu.address(), random.nextBoolean());
                }
            }
            case RESET -> reset();
            case DESTROYED -> destroyByOthers();
            case KILL -> effects.killAfter(random.nextInt(20));
        }
    }

    void foreign() {
        List<FakeHardware.Instance> others =
                hardware.all().stream().filter(one -> one.foreign).toList();
        if (!others.isEmpty() && random.nextInt(5) < 4) {
            FakeHardware.Instance one = others.get(random.nextInt(others.size()));
            log.accept("leaves: " + one);
            hardware.foreignLeaves(one);
            return;
        }
        Gpu gpu = History.GPUS.get(random.nextInt(History.GPUS.size()));
        DriverProfile profile = gpu.profiles().get(random.nextInt(gpu.profiles().size()));
        int start = profile.starts().get(random.nextInt(profile.starts().size()));
        // What others took and somebody makes again just so, before the agent looks, nobody can tell apart.
        if (!lostToOthers.contains(Place.of(gpu.address(), profile, start))) {
            hardware.foreign(gpu.address(), profile, start).ifPresent(one -> log.accept("comes: " + one));
        }
    }

    /** Somebody like DCGM opens or closes instances. */
    private void open(boolean opens) {
        for (FakeHardware.Instance one : hardware.all()) {
            one.open = opens && random.nextBoolean();
        }
    }

    /** The pods of all that these GPUs had are dead, and who waits for something of them will not have it. */
    private void lose(List<PciAddress> gpus) {
        for (PciAddress gpu : gpus) {
            claims.disturb(gpu);
            for (ConcurrentClaims.Claim claim : claims.all()) {
                if (claim.given.stream().anyMatch(slice -> slice.place().gpu().equals(gpu))) {
                    take(claim);
                }
            }
            hardware.all().stream()
                    .filter(one -> !one.foreign && one.gpu.equals(gpu))
                    .forEach(one -> {
                        lostToOthers.add(place(one));
                        lostBefore.remove(place(one));
                    });
        }
    }

    private static Place place(FakeHardware.Instance one) {
        return Place.of(one.gpu, one.profile, one.start);
    }

    private void reset() {
        PciAddress gpu = History.GPUS.get(random.nextInt(History.GPUS.size())).address();
        log.accept("reset of " + gpu);
        lose(List.of(gpu));
        hardware.reset(Set.of(gpu));
    }

    private void destroyByOthers() {
        List<FakeHardware.Instance> ours =
                hardware.all().stream().filter(one -> !one.foreign).toList();
        if (!ours.isEmpty()) {
            FakeHardware.Instance one = ours.get(random.nextInt(ours.size()));
            log.accept("destroyed by others: " + one);
            lose(List.of(one.gpu));
            hardware.foreignLeaves(one);
        }
    }

    void losePower() {
        log.accept("power loss");
        judged = -1;
        List<PciAddress> all = History.GPUS.stream().map(Gpu::address).toList();
        lose(all);
        lostToOthers.clear();
        disk.losePower();
        hardware.reset(Set.copyOf(all));
        hardware.boot();
    }

    /** The agent begins to look at everything. */
    void looks() {
        lostBefore.clear();
        lostBefore.addAll(lostToOthers);
    }

    /** It has, while nothing else ran in it: what was lost before is known now. */
    void looked(RepairReport report) {
        if (report.left().isEmpty()) {
            lostToOthers.removeAll(lostBefore);
        }
    }

    void give(ConcurrentClaims.Claim claim, List<Holding> given) {
        assertThat(given.stream().map(Holding::place))
                .containsExactlyElementsOf(
                        claim.wanted.stream().map(HistoryClaims::placeOf).toList());
        claim.given = given;
        given.forEach(slice -> hardware.use(slice.uuid()));
        judged = -1;
    }

    /** The pod has ended, and the agent may take what it had; some of its processes linger. */
    void leave(ConcurrentClaims.Claim claim) {
        for (FakeHardware.Instance one : hardware.all()) {
            one.open |= random.nextInt(lingering) == 0
                    && claim.given.stream().anyMatch(slice -> slice.uuid().equals(one.uuid()));
        }
        take(claim);
    }

    private void take(ConcurrentClaims.Claim claim) {
        claim.given.forEach(slice -> hardware.unuse(slice.uuid()));
        claim.given = List.of();
    }

    void judge(List<Holding> holdings) {
        if (effects.count() == judged) {
            return;
        }
        judged = effects.count();
        assertThat(hardware.violations()).isEmpty();
        for (ConcurrentClaims.Claim claim : claims.all()) {
            for (Holding slice : claim.given) {
                judge(claim, slice);
            }
            if (!claim.given.isEmpty()) {
                judgeFile(claim);
            }
        }
        for (FakeHardware.Instance one : hardware.all()) {
            if (!one.foreign
                    && holdings.stream()
                            .noneMatch(holding -> holding.stage() != Stage.NONE
                                    && holding.place().equals(place(one)))) {
                fail(one + " is there and not written down; written down is " + holdings);
            }
        }
    }

    private void judge(ConcurrentClaims.Claim claim, Holding slice) {
        Place place = slice.place();
        boolean there = place.isWhole()
                ? hardware.whole(place.gpu())
                : hardware.all().stream()
                        .anyMatch(one -> one.compute
                                && !one.foreign
                                && one.uuid().equals(slice.uuid())
                                && place(one).equals(place));
        if (!there) {
            fail(place + ", which a pod has by claim " + claim.ref.uid() + ", is gone");
        }
        for (ConcurrentClaims.Claim other : claims.all()) {
            if (other != claim
                    && other.given.stream().anyMatch(one -> one.place().overlaps(place))) {
                fail(place + " is given twice, to " + claim.ref.uid() + " and to " + other.ref.uid());
            }
        }
    }

    private void judgeFile(ConcurrentClaims.Claim claim) {
        byte[] file = disk.read(ConcurrentHistory.CDI.resolve(claim.ref.uid() + ".json"))
                .orElseThrow(() -> new AssertionError("the specification of " + claim.ref.uid() + " is gone"));
        String text = new String(file, StandardCharsets.UTF_8);
        if (!text.equals(DiskFiles.text(claim.given))) {
            fail("the specification of " + claim.ref.uid() + " is " + text);
        }
    }

    /** Nothing fails any more. */
    void end() {
        judged = -1;
        effects.spare();
        hardware.failAfter(Integer.MAX_VALUE);
        disk.failNext(0);
        devices.find();
        open(false);
    }

    void assertGivenIsHeld(List<Holding> holdings) {
        for (ConcurrentClaims.Claim claim : claims.all()) {
            assertThat(holdings).containsAll(claim.given);
        }
    }

    void assertNothingIsLeft(SliceKeeper keeper) {
        assertThat(hardware.violations()).isEmpty();
        assertThat(hardware.all().stream().filter(one -> !one.foreign)).isEmpty();
        assertThat(keeper.holdings()).isEmpty();
        assertThat(keeper.quarantined()).isEmpty();
        assertThat(disk.list(ConcurrentHistory.CDI).stream()
                        .filter(file -> file.toString().endsWith(".json")))
                .isEmpty();
    }

    /** Whatever happened before, what the hardware has free can be had, also where the mode has to be switched for it. */
    void assertFreeIsGiven(SliceKeeper keeper, ConcurrentClaims.Claim claim) {
        WantedSlice slice = claim.wanted.get(0);
        if (hardware.all().stream().anyMatch(one -> one.gpu.equals(slice.gpu()))) {
            return;
        }
        keeper.dynamic(true);
        try {
            keeper.prepare(claim.ref, List.of(slice));
            keeper.unprepare(claim.ref.uid());
        } catch (SliceException e) {
            throw new AssertionError(slice.device() + " is free and cannot be had: " + e.getMessage(), e);
        }
    }
}
