package dev.sro.agent.slice;

import dev.sro.agent.device.DeviceException;
import dev.sro.agent.device.PciAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A GPU that is worked on as a whole. Whoever makes it holds the lock of the GPU.
 *
 * @param dismantle takes a holding apart as far as that can be done now
 */
record IdleGpu(PciAddress address, Checkpoint checkpoint, GpuHands hands, Consumer<Holding> dismantle) {

    /** Does the work, if nobody has anything of it that the work would not take away. */
    void perform(boolean clears, SliceKeeper.IdleWork work) throws DeviceException, SliceException {
        List<Holding> leaving = leaving();
        if (!leaving.isEmpty() && !clears) {
            throw held(leaving.get(0));
        }
        hands.checkForeign(Place.whole(address), leaving);
        work.run();
        leaving.forEach(dismantle);
    }

    /** What claims gave back of it and could not be destroyed, not now either. */
    private List<Holding> leaving() throws SliceException {
        List<Holding> leaving = new ArrayList<>();
        for (Holding holding : checkpoint.all()) {
            if (holding.place().gpu().equals(address)) {
                if (holding.keep()) {
                    throw held(holding);
                }
                dismantle.accept(holding);
                checkpoint.find(holding.key()).ifPresent(leaving::add);
            }
        }
        return leaving;
    }

    private static SliceException held(Holding holding) {
        return new SliceException(SliceException.Reason.HELD, holding.place() + " is held by claim " + holding.claim());
    }
}
