package dev.sro.core.slicing.catalogue;

/** Origins of the starts and sizes of a device model, surest first. */
public enum PlacementOrigin {
    /** Reported by the driver of the very device. */
    DISCOVERED("discovered"),
    /** Printed by the vendor's tool on such a device, as {@code nvidia-smi mig -lgipp} does. */
    DEVICE_OUTPUT("device-output"),
    /** Written in the vendor's documentation or driver source. */
    DOCUMENTED("documented"),
    /** Not seen, but documented fractions and counts are those of a family of devices of which one was seen. */
    SAME_FAMILY("same-family"),
    /** A guess from fractions: let the driver report placements before slicing such a device. */
    ASSUMED("assumed");

    private final String text;

    PlacementOrigin(String text) {
        this.text = text;
    }

    /** The spelling in catalogue files. */
    public String text() {
        return text;
    }
}
