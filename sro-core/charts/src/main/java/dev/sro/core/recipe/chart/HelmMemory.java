package dev.sro.core.recipe.chart;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much memory the process with Helm may have beside this one, so that both together stay within their container: Kubernetes ends
 * all processes of a container that has too little. Stateless.
 */
final class HelmMemory {

    /** More than any chart that was tried needs. */
    static final int MOST = 768;

    /** Less is of no use: the process itself has some 100 MiB. */
    static final int LEAST = 128;

    /** What this process has beside its heap: classes, code, threads, buffers. */
    static final int BESIDE_HEAP = 192;

    private static final long MIB = 1L << 20;

    private HelmMemory() {}

    /** In MiB, for this process in its container. */
    static int here() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine
                ? fitting(machine.getTotalMemorySize(), Runtime.getRuntime().maxMemory())
                : MOST;
    }

    /**
     * In MiB.
     *
     * @param container bytes that there are for all processes
     * @param heap bytes that this one's heap may grow to
     */
    static int fitting(long container, long heap) {
        long left = (container - heap) / MIB - BESIDE_HEAP;
        return (int) Math.max(LEAST, Math.min(MOST, left));
    }
}
