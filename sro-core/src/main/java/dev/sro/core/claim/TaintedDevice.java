package dev.sro.core.claim;

import dev.sro.core.dra.DraOptions;
import dev.sro.core.dra.PublishedFleet;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A device that would serve a request if it were not tainted. Immutable but for the taint, which nobody changes.
 *
 * @param gpu that it is of
 * @param place that it is
 * @param taint that the request does not tolerate
 * @param request in words
 */
record TaintedDevice(PublishedFleet.Gpu gpu, PublishedFleet.Place place, DeviceTaint taint, String request) {
    /** Adds a line for each GPU, taint and request: the devices, the taint, and what mends it; so many, and how many more there are. */
    static void tell(List<TaintedDevice> devices, int most, List<String> lines) {
        List<String> texts = texts(devices);
        texts.stream().limit(most).forEach(lines::add);
        if (texts.size() > most) {
            lines.add("and " + (texts.size() - most) + " more of these");
        }
    }

    private static List<String> texts(List<TaintedDevice> devices) {
        Map<List<String>, List<TaintedDevice>> groups = new LinkedHashMap<>();
        devices.forEach(one -> groups.computeIfAbsent(
                        List.of(one.gpu.id(), DeviceTaints.text(one.taint), one.request), key -> new ArrayList<>())
                .add(one));
        return groups.values().stream()
                .map(group -> {
                    TaintedDevice first = group.get(0);
                    int others = group.size() - 1;
                    return "device " + first.place.device().getName()
                            + (others == 0 ? "" : others == 1 ? " and 1 other" : " and " + others + " others")
                            + " of GPU " + first.gpu.id() + (others == 0 ? " has" : " have") + " the taint "
                            + DeviceTaints.text(first.taint) + ", which " + first.request + " does not tolerate: "
                            + first.remedy();
                })
                .toList();
    }

    /** The first device and its taint, and how many GPUs have tainted ones besides. */
    static String shortText(List<TaintedDevice> devices) {
        TaintedDevice first = devices.get(0);
        long others = devices.stream().map(one -> one.gpu.id()).distinct().count() - 1;
        return "device " + first.place.device().getName() + " of GPU " + first.gpu.id() + " has the taint "
                + DeviceTaints.text(first.taint)
                + (others == 0
                        ? ""
                        : others == 1 ? ", and so has 1 other GPU" : ", and so have " + others + " other GPUs");
    }

    /** What an administrator does. */
    private String remedy() {
        String key = taint.getKey() == null ? "" : taint.getKey();
        if (key.equals(DraOptions.allocatorTaint(gpu.driver()))) {
            return "sro slices allocator gives these devices, and to claims alone: ask by a ResourceClaim";
        }
        String mended = key.startsWith(gpu.driver() + "/")
                ? "the driver says that the GPU is ill: reset it or restart its node, and the taint goes"
                : "find out who set it and why, and have it taken away";
        return mended + "; or let the request tolerate it, where the pod can do with such a device";
    }
}
