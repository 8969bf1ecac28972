package dev.sro.runtime.slices;

import java.util.Locale;

/** How an answer is printed. */
enum Format {
    /** For a person. */
    TEXT,
    /** Another name of the text. */
    TABLE,
    /** For a program. */
    JSON,
    /** For a program and a person. */
    YAML,
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
