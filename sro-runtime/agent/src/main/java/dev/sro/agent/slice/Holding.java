package dev.sro.agent.slice;

/**
 * That a claim holds a place, as it is in the checkpoint. Immutable.
 *
 * @param claim whose it is
 * @param device name in the ResourceSlice
 * @param place where
 * @param stage what of the hardware belongs to it
 * @param keep whether it is to be there: made again if it is lost. Otherwise it is on its way out, and what is there of it goes
 * @param gpuInstance the driver's id of the GPU instance; -1 before {@link Stage#OWNED}
 * @param computeInstance the driver's id of the compute instance; -1 before {@link Stage#READY}
 * @param uuid of the compute instance; empty before {@link Stage#READY}
 */
public record Holding(
        ClaimRef claim,
        String device,
        Place place,
        Stage stage,
        boolean keep,
        int gpuInstance,
        int computeInstance,
        String uuid) {
    static final int UNKNOWN = -1;

    static Holding begin(ClaimRef claim, String device, Place place) {
        return new Holding(claim, device, place, Stage.NONE, false, UNKNOWN, UNKNOWN, "");
    }

    Holding bare() {
        return new Holding(claim, device, place, Stage.BARE, keep, UNKNOWN, UNKNOWN, "");
    }

    Holding none() {
        return new Holding(claim, device, place, Stage.NONE, keep, UNKNOWN, UNKNOWN, "");
    }

    Holding owned(int instance) {
        return new Holding(claim, device, place, Stage.OWNED, keep, instance, UNKNOWN, uuid);
    }

    Holding ready(int compute, String newUuid) {
        return new Holding(claim, device, place, Stage.READY, true, gpuInstance, compute, newUuid);
    }

    Holding leaving() {
        return new Holding(claim, device, place, stage, false, gpuInstance, computeInstance, uuid);
    }

    /** Unique: a claim has a device once. */
    String key() {
        return claim.uid() + " " + device;
    }
}
