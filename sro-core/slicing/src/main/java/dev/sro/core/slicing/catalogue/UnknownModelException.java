package dev.sro.core.slicing.catalogue;

import java.util.List;

/** No device model of the catalogue has this key, product name or PCI id. */
public final class UnknownModelException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final List<String> close;

    UnknownModelException(String name, List<String> close, String message) {
        super(message);
        this.name = name;
        this.close = List.copyOf(close);
    }

    /** The name that was asked for. */
    public String name() {
        return name;
    }

    /** Keys or product names that may have been meant, nearest first; perhaps none. */
    public List<String> close() {
        return close;
    }
}
