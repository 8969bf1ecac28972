package dev.sro.agent.cdi;

import java.nio.file.Path;
import java.util.List;

/**
 * A library of the driver. Immutable.
 *
 * @param directory where the driver has it, without its root: {@code /usr/lib64}
 * @param name of the file there: {@code libcuda.so.580.65.06}
 * @param real where it really is, relative to the root
 * @param links other names by which programs load it, the one that is linked to first: {@code libcuda.so.1}, {@code libcuda.so}
 * @param graphics whether it is of no use without graphics
 */
record DriverLibrary(String directory, String name, Path real, List<String> links, boolean graphics) {
    DriverLibrary {
        links = List.copyOf(links);
    }
}
