package dev.sro.agent.nvml;

import dev.sro.agent.device.DeviceException;
import java.util.Map;

/** What NVML's return codes mean; numbers and names are those of {@code nvml.h}. Stateless. */
final class NvmlCodes {
    static final int SUCCESS = 0;
    static final int UNINITIALIZED = 1;
    static final int INVALID_ARGUMENT = 2;
    static final int NOT_SUPPORTED = 3;
    static final int NOT_FOUND = 6;
    static final int TIMEOUT = 10;
    static final int FUNCTION_NOT_FOUND = 13;
    static final int RESET_REQUIRED = 16;
    static final int ARGUMENT_VERSION_MISMATCH = 25;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(UNINITIALIZED, "UNINITIALIZED"),
            Map.entry(INVALID_ARGUMENT, "INVALID_ARGUMENT"),
            Map.entry(NOT_SUPPORTED, "NOT_SUPPORTED"),
            Map.entry(4, "NO_PERMISSION"),
            Map.entry(5, "ALREADY_INITIALIZED"),
            Map.entry(NOT_FOUND, "NOT_FOUND"),
            Map.entry(7, "INSUFFICIENT_SIZE"),
            Map.entry(8, "INSUFFICIENT_POWER"),
            Map.entry(9, "DRIVER_NOT_LOADED"),
            Map.entry(TIMEOUT, "TIMEOUT"),
            Map.entry(11, "IRQ_ISSUE"),
            Map.entry(12, "LIBRARY_NOT_FOUND"),
            Map.entry(FUNCTION_NOT_FOUND, "FUNCTION_NOT_FOUND"),
            Map.entry(14, "CORRUPTED_INFOROM"),
            Map.entry(15, "GPU_IS_LOST"),
            Map.entry(RESET_REQUIRED, "RESET_REQUIRED"),
            Map.entry(17, "OPERATING_SYSTEM"),
            Map.entry(18, "LIB_RM_VERSION_MISMATCH"),
            Map.entry(19, "IN_USE"),
            Map.entry(20, "MEMORY"),
            Map.entry(21, "NO_DATA"),
            Map.entry(22, "VGPU_ECC_NOT_SUPPORTED"),
            Map.entry(23, "INSUFFICIENT_RESOURCES"),
            Map.entry(24, "FREQ_NOT_SUPPORTED"),
            Map.entry(ARGUMENT_VERSION_MISMATCH, "ARGUMENT_VERSION_MISMATCH"),
            Map.entry(26, "DEPRECATED"),
            Map.entry(27, "NOT_READY"),
            Map.entry(28, "GPU_NOT_FOUND"),
            Map.entry(29, "INVALID_STATE"),
            Map.entry(30, "RESET_TYPE_NOT_SUPPORTED"),
            Map.entry(999, "UNKNOWN"));

    private NvmlCodes() {}

    static String name(int code) {
        return NAMES.getOrDefault(code, "code " + code);
    }

    static DeviceException.Kind kind(int code) {
        return switch (code) {
            case UNINITIALIZED, 9, 12, 18 -> DeviceException.Kind.NO_DRIVER;
            case INVALID_ARGUMENT, 7, ARGUMENT_VERSION_MISMATCH -> DeviceException.Kind.INVALID;
            case NOT_SUPPORTED, FUNCTION_NOT_FOUND, 26, 30 -> DeviceException.Kind.NOT_SUPPORTED;
            case 4, 17 -> DeviceException.Kind.NO_PERMISSION;
            case NOT_FOUND, 28 -> DeviceException.Kind.NOT_FOUND;
            case TIMEOUT, 27 -> DeviceException.Kind.TIMEOUT;
            case 15 -> DeviceException.Kind.GPU_IS_LOST;
            case RESET_REQUIRED -> DeviceException.Kind.RESET_REQUIRED;
            case 19 -> DeviceException.Kind.IN_USE;
            case 23 -> DeviceException.Kind.INSUFFICIENT_RESOURCES;
            default -> DeviceException.Kind.OTHER;
        };
    }

    static DeviceException exception(String function, int code) {
        String hint = code == 18 ? " (the driver was changed while this process ran; start it again)" : "";
        return new DeviceException(kind(code), function + ": " + name(code) + hint);
    }
}
