package dev.sro.agent.slice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.file.Effects;
import dev.sro.agent.file.FakeDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * One life of a node in which everything happens at once: several threads of kubelet's calls, one that reconciles and one that switches
 * modes, stopped at every call of devices and disk and at every lock, while the {@link ConcurrentWorld} goes on.
 */
final class ConcurrentHistory {
    private static final Path CHECKPOINT = Path.of("/var/lib/sro/checkpoint");
    static final Path CDI = Path.of("/var/run/cdi");
    private static final int KUBELETS = 3;
    private static final PciAddress SWITCHABLE =
            History.GPUS.get(History.GPUS.size() - 1).address();

    private final SplittableRandom random;
    private final Effects effects = new Effects();
    private final FakeDisk disk;
    private final FakeHardware hardware;
    private final TurnDevices devices;
    private final Turns turns;
    private final StringBuilder log = new StringBuilder();
    private final ConcurrentClaims claims;
    private final ConcurrentWorld world;
    private SliceKeeper keeper;
    private int left;
    private int boot;
    int kills;
    int prepared;
    int refused;
    int switches;

    /**
     * Not begun.
     *
     * @param calls how many kubelet makes
     * @param late whether claims may be allocated anew while a call runs that kubelet has given up, and that looked the claim up before
     */
    ConcurrentHistory(long seed, int calls, boolean late) {
        random = new SplittableRandom(seed);
        left = calls;
        disk = new FakeDisk(effects, random);
        hardware = new FakeHardware(effects, random, History.GPUS);
        turns = new Turns(random, this::between);
        claims = new ConcurrentClaims(random, late, this::log);
        devices = new TurnDevices(hardware, turns);
        world = new ConcurrentWorld(random, effects, disk, hardware, devices, claims, this::log);
        keeper = open();
    }

    private SliceKeeper open() {
        try {
            TurnDisk slow = new TurnDisk(disk, turns);
            Checkpoint checkpoint = Checkpoint.open(slow, CHECKPOINT, "boot-" + boot);
            assertThat(checkpoint.notes().toString()).doesNotContain("damaged");
            log("opened: " + checkpoint.all());
            SliceKeeper made = new SliceKeeper(devices, checkpoint, new DiskFiles(slow, CDI));
            assertThat(TurnLock.control(made, turns))
                    .as("locks of claims, of GPUs, and of the checkpoint")
                    .isGreaterThanOrEqualTo(3);
            made.dynamic(true);
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void log(String what) {
        log.append(turns.name()).append(": ").append(what).append('\n');
    }

    String story() {
        return log.toString();
    }

    long points() {
        return turns.points();
    }

    long effects() {
        return effects.count();
    }

    void run() {
        start();
        while (left > 0) {
            Map<String, Runnable> work = new LinkedHashMap<>();
            for (int i = 1; i <= KUBELETS; i++) {
                work.put("kubelet-" + i, this::kubelet);
            }
            work.put("reconciler", this::reconciler);
            work.put("modes", this::modes);
            if (died(turns.run(work))) {
                start();
            }
        }
        end();
    }

    private boolean died(Optional<Throwable> why) {
        if (why.isEmpty()) {
            return false;
        }
        if (!(why.get() instanceof Effects.Killed)) {
            throw new AssertionError(why.get().getMessage(), why.get());
        }
        kills++;
        log("killed");
        effects.spare();
        devices.forget();
        for (ConcurrentClaims.Claim claim : claims.all()) {
            claim.prepares.clear();
            claim.leaving = 0;
        }
        if (random.nextInt(4) == 0) {
            boot++;
            world.losePower();
        }
        while (random.nextBoolean()) {
            world.foreign();
        }
        judge();
        return true;
    }

    /** The agent comes up and looks at everything before it serves; it may be killed while it does. */
    private void start() {
        for (boolean up = false; !up; ) {
            keeper = open();
            up = !died(turns.run(Map.of("start", () -> {
                world.looks();
                RepairReport report = keeper.reconcile(this::standing);
                world.looked(report);
                log("  " + report);
            })));
        }
    }

    private ClaimSource.Standing standing(ClaimRef ref) {
        turns.point("claim");
        boolean answers = random.nextInt(8) > 0;
        ClaimSource.Standing standing = answers ? claims.standing(ref) : ClaimSource.Standing.UNKNOWN;
        turns.point("claim, answered");
        return standing;
    }

    private void kubelet() {
        while (left > 0) {
            turns.rest(30);
            claims.any().ifPresent(claim -> {
                left--;
                turns.begin();
                // Kubelet asks again for what it has, and takes back what it may not have.
                if (claim.allocated && random.nextInt(4) < (claim.given.isEmpty() ? 3 : 1)) {
                    prepare(claim);
                } else {
                    unprepare(claim);
                }
            });
        }
    }

    private void prepare(ConcurrentClaims.Claim claim) {
        ConcurrentClaims.Call call = new ConcurrentClaims.Call(claim);
        claim.prepares.add(call);
        claim.asked = true;
        log("prepare " + claim.ref.uid() + " " + ConcurrentClaims.devices(call.wanted));
        try {
            List<Holding> given = keeper.prepare(claim.ref, () -> {
                turns.point("claim that is read");
                if (call.abandoned || !claim.allocated) {
                    throw new IOException("nobody waits for the answer, or it is not allocated");
                }
                List<WantedSlice> wanted = claim.wanted;
                turns.point("claim that was read");
                return wanted;
            });
            boolean heard = !call.vain && claim.leaving == 0;
            log("prepared " + claim.ref.uid() + (heard ? "" : ", and nobody listens"));
            if (heard) {
                prepared++;
                world.give(claim, given);
                judge();
            }
        } catch (SliceException | IOException e) {
            refused++;
            log("  not prepared: " + e.getMessage());
        }
        claim.prepares.remove(call);
    }

    private void unprepare(ConcurrentClaims.Claim claim) {
        log("unprepare " + claim.ref.uid());
        claim.forget();
        claim.leaving++;
        int call = claim.calls;
        world.leave(claim);
        try {
            boolean done = keeper.unprepare(claim.ref.uid(), () -> claim.calls == call);
            claim.asked = !done || !claim.prepares.isEmpty();
            log((done ? "unprepared " : "asked again since, not unprepared ") + claim.ref.uid());
        } catch (SliceException e) {
            log("  not unprepared: " + e.getMessage());
        }
        claim.leaving--;
        if (random.nextBoolean()) {
            // As where the next pod waits for the place already.
            claims.deallocate(claim);
            claims.allocate(false);
        }
    }

    private void reconciler() {
        while (left > 0) {
            turns.rest(800);
            log("reconcile");
            turns.begin();
            log("  " + keeper.reconcile(this::standing));
        }
    }

    /** As the Node asks for it. */
    private void modes() {
        while (left > 0) {
            turns.rest(400);
            if (random.nextInt(3) == 0) {
                keeper.dynamic(random.nextInt(4) > 0);
            } else if (claims.mayWant(SWITCHABLE)) {
                boolean slices = random.nextBoolean();
                turns.begin();
                log("switch " + SWITCHABLE + " to " + (slices ? "slices" : "whole"));
                try {
                    keeper.whileIdle(SWITCHABLE, false, () -> devices.setSlices(SWITCHABLE, slices));
                    switches++;
                } catch (SliceException | DeviceException e) {
                    log("  not switched: " + e.getMessage());
                }
            }
        }
    }

    private void between() {
        judge();
        if (world.goesOn()) {
            judge();
        }
    }

    private void judge() {
        turns.watch(() -> world.judge(keeper.holdings()));
    }

    /** All is well again: nothing is lost, and everything goes, with or without a restart. */
    private void end() {
        log("end");
        world.end();
        if (random.nextBoolean()) {
            keeper = open();
        }
        log("  " + keeper.reconcile(ref -> ClaimSource.Standing.UNKNOWN));
        judge();
        world.assertGivenIsHeld(keeper.holdings());
        for (ConcurrentClaims.Claim claim : List.copyOf(claims.all())) {
            unprepare(claim);
        }
        world.end();
        log("  " + keeper.reconcile(ref -> ClaimSource.Standing.GONE));
        world.assertNothingIsLeft(keeper);
        for (ConcurrentClaims.Claim claim : claims.all()) {
            world.assertFreeIsGiven(keeper, claim);
        }
        world.assertNothingIsLeft(keeper);
    }
}
