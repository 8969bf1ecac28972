package dev.sro.core.claim;

import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceToleration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which taints of devices keep a request from them, as {@code resource.k8s.io/v1} has it: {@code NoSchedule} and {@code NoExecute} do, {@code None}
 * and effects that are not known do not. A toleration of {@code NoExecute} for some seconds is one: the device is given, and the pod evicted later.
 * Stateless.
 */
public final class DeviceTaints {
    private static final Set<String> EFFECTS = Set.of("NoSchedule", "NoExecute");

    private DeviceTaints() {}

    /**
     * The first taint that keeps a request from a device; empty if none does.
     *
     * @param but key of a taint that does not count; empty for none
     */
    public static Optional<DeviceTaint> against(Device device, List<DeviceToleration> tolerations, String but) {
        return device.getTaints().stream()
                .filter(taint -> EFFECTS.contains(text(taint.getEffect()))
                        && !text(taint.getKey()).equals(but))
                .filter(taint -> tolerations.stream().noneMatch(toleration -> tolerates(toleration, taint)))
                .findFirst();
    }

    private static boolean tolerates(DeviceToleration toleration, DeviceTaint taint) {
        String operator = text(toleration.getOperator());
        boolean exists = operator.equals("Exists");
        String key = text(toleration.getKey());
        String effect = text(toleration.getEffect());
        boolean value = exists
                || ((operator.isEmpty() || operator.equals("Equal"))
                        && text(toleration.getValue()).equals(text(taint.getValue())));
        return (key.isEmpty() ? exists : key.equals(text(taint.getKey())))
                && value
                && (effect.isEmpty() || effect.equals(text(taint.getEffect())));
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** A taint as {@code key=value:effect}, or {@code key:effect} where it has no value. */
    public static String text(DeviceTaint taint) {
        String value = text(taint.getValue());
        return taint.getKey() + (value.isEmpty() ? "" : "=" + value) + ":" + taint.getEffect();
    }
}
