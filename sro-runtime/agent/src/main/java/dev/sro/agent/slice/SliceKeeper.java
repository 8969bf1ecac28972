package dev.sro.agent.slice;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.DevicePort;
import dev.sro.agent.device.DriverProfile;
import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Gives slices to claims and takes them back. Thread-safe: claims on different GPUs go side by side, one GPU is changed by one thread
 * at a time.
 *
 * <p>Everything is idempotent, because kubelet asks again after its own restart, after ours and after a failure. Instances that were
 * not made here are never touched.
 */
public final class SliceKeeper {
    private final Checkpoint checkpoint;
    private final ClaimFiles files;
    private final GpuHands hands;
    private final KnownGpus gpus;
    private final Locks<String> claimLocks = new Locks<>();
    private final Locks<PciAddress> gpuLocks = new Locks<>();
    private final SliceRemoval removal;
    private volatile boolean dynamic;

    /** Nothing is read or changed yet: {@link #reconcile} does that, and comes first. */
    public SliceKeeper(DevicePort devices, Checkpoint checkpoint, ClaimFiles files) {
        this.checkpoint = checkpoint;
        this.files = files;
        hands = new GpuHands(devices, checkpoint);
        removal = new SliceRemoval(checkpoint, hands, gpuLocks);
        gpus = new KnownGpus(devices);
    }

    /**
     * Makes what a claim was allocated, and the specification by which its containers get it. If it fails, nothing that this call made
     * stays.
     *
     * @return the slices, in the order of {@code wanted}
     */
    public List<Holding> prepare(ClaimRef claim, List<WantedSlice> wanted) throws SliceException {
        try {
            return prepare(claim, () -> wanted);
        } catch (IOException e) {
            throw storage(claim, e);
        }
    }

    /** What a claim was allocated. */
    @FunctionalInterface
    public interface Allocated {
        /** Asks for it; throws what is to be answered if it cannot be said, or if nobody waits for the answer any more. */
        List<WantedSlice> slices() throws IOException;
    }

    /**
     * As the other one, where what the claim was allocated is asked for when nobody else works on the claim any more: a call that waited for another
     * one must not act on what was true when it came.
     */
    public List<Holding> prepare(ClaimRef claim, Allocated allocated) throws SliceException, IOException {
        ReentrantLock lock = claimLocks.lock(claim.uid());
        lock.lock();
        try {
            List<WantedSlice> wanted = allocated.slices();
            List<Place> places = new ArrayList<>();
            for (WantedSlice slice : wanted) {
                places.add(gpus.place(slice));
            }
            dropOthers(claim, wanted, places);
            List<Holding> made = new ArrayList<>();
            List<Holding> result = new ArrayList<>();
            try {
                for (int i = 0; i < wanted.size(); i++) {
                    result.add(hold(Holding.begin(claim, wanted.get(i).device(), places.get(i)), made));
                }
                files.write(claim, result);
                return result;
            } catch (SliceException e) {
                removal.undo(made);
                throw e;
            } catch (IOException e) {
                removal.undo(made);
                throw storage(claim, e);
            }
        } finally {
            lock.unlock();
        }
    }

    /** As the other one, by who waits until it is done. */
    public void unprepare(String uid) throws SliceException {
        unprepare(uid, () -> true);
    }

    /**
     * Takes back all that a claim has. A slice that somebody holds open is out of the claim's hands all the same; it is tried again by
     * {@link #reconcile} and by whoever wants its place.
     *
     * @param asked whether that is still asked for when nobody else works on the claim any more: whoever gave the call up has asked again since,
     *     and the claim may have something else by now
     * @return whether it was done
     * @throws SliceException if that could not be written down; ask again
     */
    public boolean unprepare(String uid, BooleanSupplier asked) throws SliceException {
        ReentrantLock lock = claimLocks.lock(uid);
        lock.lock();
        try {
            if (!asked.getAsBoolean()) {
                return false;
            }
            for (Holding holding : checkpoint.of(uid)) {
                removal.leave(holding);
            }
            files.remove(uid);
            for (Holding holding : checkpoint.of(uid)) {
                removal.release(holding);
            }
            return true;
        } catch (IOException e) {
            throw new SliceException(
                    SliceException.Reason.STORAGE, "claim " + uid + " is not released: " + e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Destroys an instance that somebody else made, once nobody uses it: what is left of another maker of slices. One that is held open is tried again as
     * any of our own.
     *
     * @return whether nothing is there any more
     * @throws SliceException if a claim has the place, or the GPU does not answer
     */
    public boolean destroyForeign(ClaimRef claim, WantedSlice slice) throws SliceException {
        Place place = gpus.place(slice);
        ReentrantLock lock = gpuLocks.lock(place.gpu());
        lock.lock();
        try {
            Holding wanted = Holding.begin(claim, slice.device(), place);
            removal.makeWay(wanted);
            Optional<Holding> found = hands.claimForeign(wanted);
            found.ifPresent(removal::tryDismantle);
            return checkpoint.find(wanted.key()).isEmpty();
        } catch (DeviceException e) {
            throw new SliceException(
                    SliceException.Reason.DEVICE, "device " + slice.device() + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw storage(claim, e);
        } finally {
            lock.unlock();
        }
    }

    /** Holds hardware, checkpoint and specifications to each other and to what the API server says of claims. */
    public RepairReport reconcile(ClaimSource claims) {
        return new Reconciliation(this, claims).run();
    }

    /** All that is held, oldest first. */
    public List<Holding> holdings() {
        return checkpoint.all();
    }

    /** What is in nobody's hands and could not be destroyed yet, with the reason. */
    public Map<Place, String> quarantined() {
        return removal.quarantined();
    }

    /**
     * Reads the GPUs again.
     *
     * @return why they cannot be read; empty if they were
     */
    public Optional<String> readGpus() {
        return gpus.read();
    }

    /** The GPUs, as they were when they were last read. */
    public List<Gpu> gpus() {
        return gpus.all();
    }

    /** Whether a claim may have a GPU switched between slices and whole, where that needs no reset. */
    public void dynamic(boolean allowed) {
        dynamic = allowed;
    }

    /** What is done to a GPU of which nobody has anything. */
    @FunctionalInterface
    public interface IdleWork {
        /** Changes it. */
        void run() throws DeviceException;
    }

    /**
     * Does something to a whole GPU, if no claim and nobody else has anything of it; meanwhile no claim gets anything.
     *
     * @param clears whether the work takes all instances away, as a reset does: then those that are on their way out and could not be destroyed do
     *     not keep it from that
     * @throws SliceException if somebody has
     */
    public void whileIdle(PciAddress address, boolean clears, IdleWork work) throws DeviceException, SliceException {
        ReentrantLock lock = gpuLocks.lock(address);
        lock.lock();
        try {
            new IdleGpu(address, checkpoint, hands, removal::tryDismantle).perform(clears, work);
            gpus.read();
        } finally {
            lock.unlock();
        }
    }

    private static SliceException storage(ClaimRef claim, IOException e) {
        return new SliceException(
                SliceException.Reason.STORAGE, "claim " + claim + ": cannot be written down: " + e.getMessage(), e);
    }

    /** What the claim had before it was allocated anew. */
    private void dropOthers(ClaimRef claim, List<WantedSlice> wanted, List<Place> places) throws SliceException {
        for (Holding holding : checkpoint.of(claim.uid())) {
            boolean same = false;
            for (int i = 0; i < places.size(); i++) {
                same |= wanted.get(i).device().equals(holding.device())
                        && places.get(i).equals(holding.place());
            }
            if (!same) {
                try {
                    removal.release(removal.leave(holding));
                } catch (IOException e) {
                    throw storage(claim, e);
                }
            }
        }
    }

    /** Has it in {@link Stage#READY}. What did not exist before is added to {@code made}. */
    private Holding hold(Holding wanted, List<Holding> made) throws SliceException {
        ReentrantLock lock = gpuLocks.lock(wanted.place().gpu());
        lock.lock();
        try {
            Optional<Holding> mine = checkpoint.find(wanted.key());
            if (mine.isPresent() && mine.get().keep() && hands.intact(mine.get())) {
                // A write that failed before may have come to the disk all the same, and would be read after a restart.
                checkpoint.settle();
                removal.settled(wanted);
                return mine.get();
            }
            if (mine.isPresent()) {
                hands.dismantle(mine.get());
            }
            removal.makeWay(wanted);
            return build(checkpoint.find(wanted.key()).orElse(wanted), made);
        } catch (DeviceException e) {
            throw new SliceException(
                    SliceException.Reason.DEVICE, "device " + wanted.device() + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw storage(wanted.claim(), e);
        } finally {
            lock.unlock();
        }
    }

    private Holding build(Holding wanted, List<Holding> made) throws DeviceException, IOException, SliceException {
        try {
            Holding ready = wanted.place().isWhole() ? whole(wanted) : slice(wanted);
            if (!wanted.keep()) {
                made.add(ready);
            }
            removal.settled(wanted);
            return ready;
        } catch (DeviceException | IOException e) {
            checkpoint.find(wanted.key()).ifPresent(removal::tryDismantle);
            throw e;
        }
    }

    /** In a mode in which it can give that; what is known of GPUs is read again, as it may have been switched. */
    private Gpu ready(Place place) throws DeviceException {
        Gpu gpu = hands.ready(place, dynamic);
        gpus.read();
        return gpu;
    }

    private Holding whole(Holding wanted) throws DeviceException, IOException, SliceException {
        hands.checkForeign(wanted.place(), List.of());
        return hands.whole(wanted, ready(wanted.place()));
    }

    private Holding slice(Holding wanted) throws DeviceException, IOException, SliceException {
        Optional<Gpu> known = gpus.find(wanted.place().gpu()).filter(gpu -> gpu.mode() == GpuMode.SLICES);
        Gpu gpu = known.isPresent() ? known.get() : ready(wanted.place());
        DriverProfile profile = gpu.profile(wanted.place().profileId())
                .orElseThrow(() -> new DeviceException(
                        DeviceException.Kind.NOT_FOUND, wanted.place() + ": the GPU or its profile is gone"));
        return hands.build(wanted, profile);
    }

    /** Makes a kept slice again whose hardware is gone. Empty if it is as it should be. */
    Optional<String> restore(Holding holding) throws SliceException {
        ReentrantLock lock = gpuLocks.lock(holding.place().gpu());
        lock.lock();
        try {
            if (hands.intact(holding)) {
                return Optional.empty();
            }
        } catch (DeviceException e) {
            throw new SliceException(SliceException.Reason.DEVICE, String.valueOf(e.getMessage()), e);
        } finally {
            lock.unlock();
        }
        hold(holding, new ArrayList<>());
        return Optional.of(holding.place() + " of claim " + holding.claim() + " was gone and was made again");
    }

    /** Takes it apart under the lock of its GPU; what fails is kept for later. */
    void release(Holding holding) {
        removal.release(holding);
    }

    Checkpoint checkpoint() {
        return checkpoint;
    }

    ClaimFiles files() {
        return files;
    }

    Locks<String> claimLocks() {
        return claimLocks;
    }

    Optional<String> trouble(Holding holding) {
        return removal.trouble(holding);
    }
}
