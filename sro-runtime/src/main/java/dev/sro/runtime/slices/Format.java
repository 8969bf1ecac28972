package dev.sro.runtime.slices;

import java.util.Locale;

/** How an answer is printed. */
enum Format {
    /** For a person. */
    TEXT,
    /** For a program. */
    JSON,
    /** A picture. */
    SVG,
    /** A fleet file: what the other commands read. */
    FLEET,
    /** A mig-parted configuration. */
    MIG;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
