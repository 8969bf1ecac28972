package dev.sro.core.module;

import dev.sro.api.KernelVersion;
import dev.sro.api.OsRelease;
import dev.sro.api.Pool;
import dev.sro.api.resource.ModuleVersionStatus;
import dev.sro.core.image.ToolkitRelease;
import dev.sro.core.pool.Pools;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A version of OpenShift that is built for. Immutable.
 *
 * @param value what the watched objects say
 * @param version {@code 4.12.3}
 * @param releaseImage its payload
 * @param toolkit its driver toolkit's image
 * @param kernels of the toolkit
 */
record ModuleVersion(String value, String version, String releaseImage, String toolkit, ToolkitRelease kernels) {

    /** As it was found once, so that it need not be found again. */
    static ModuleVersion of(String toolkit, ModuleVersionStatus status) {
        return new ModuleVersion(
                status.getValue(),
                status.getOpenShiftVersion(),
                status.getReleaseImage(),
                toolkit,
                new ToolkitRelease(
                        status.getKernelVersion(), status.getRealTimeKernelVersion(), status.getOsVersion()));
    }

    static boolean isWhole(ModuleVersionStatus status) {
        return !status.getValue().isEmpty() && !status.getKernelVersion().isEmpty();
    }

    /** The pool that stands for it. */
    Pool pool(String architecture) {
        return Pools.create(
                new KernelVersion(kernels.kernel()), new OsRelease("rhcos", kernels.osVersion()), architecture);
    }

    /** What the chart sees of it. */
    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("operatingSystem", "rhel" + kernels.osVersion());
        values.put("kernelFullVersion", kernels.kernel());
        values.put("rtKernelFullVersion", kernels.realTimeKernel());
        values.put("driverToolkitImage", toolkit);
        values.put("openShiftVersion", version);
        values.put("osImageURL", releaseImage);
        return values;
    }

    ModuleVersionStatus status() {
        ModuleVersionStatus status = new ModuleVersionStatus();
        status.setValue(value);
        status.setOpenShiftVersion(version);
        status.setReleaseImage(releaseImage);
        status.setKernelVersion(kernels.kernel());
        status.setRealTimeKernelVersion(kernels.realTimeKernel().isEmpty() ? null : kernels.realTimeKernel());
        status.setOsVersion(kernels.osVersion());
        return status;
    }
}
