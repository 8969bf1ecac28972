package dev.sro.agent.nvml;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.PointerByReference;
import dev.sro.agent.device.DeviceException;
import dev.sro.agent.file.ForeignRoot;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * {@code libnvidia-ml.so.1} and its functions by name; a driver that does not have one is no error until it is called. Thread-safe, as
 * the library is.
 */
final class NvmlLibrary {
    private static final String NAME = "libnvidia-ml.so.1";

    /** Where distributions and NVIDIA's driver containers have it, below the driver's root. */
    private static final List<String> DIRECTORIES = List.of(
            "usr/lib/x86_64-linux-gnu",
            "usr/lib/aarch64-linux-gnu",
            "usr/lib64",
            "usr/lib",
            "lib64",
            "lib/x86_64-linux-gnu",
            "lib/aarch64-linux-gnu",
            "");

    private final NativeLibrary library;
    private final Map<String, Optional<Function>> functions = new ConcurrentHashMap<>();

    private NvmlLibrary(NativeLibrary library) {
        this.library = library;
    }

    /** Loads it from the first place below {@code root} that has it; never from outside of it. */
    static NvmlLibrary load(Path root) throws DeviceException {
        // Debian's is a link to its alternatives, which are the host's and not this container's.
        ForeignRoot driver = new ForeignRoot(root);
        for (String directory : DIRECTORIES) {
            Optional<Path> real = driver.realFile(directory + "/" + NAME);
            if (real.isPresent()) {
                Path file = driver.here(real.get());
                try {
                    return new NvmlLibrary(NativeLibrary.getInstance(file.toString()));
                } catch (UnsatisfiedLinkError e) {
                    throw new DeviceException(
                            DeviceException.Kind.NO_DRIVER, file + " cannot be loaded: " + e.getMessage());
                }
            }
        }
        throw new DeviceException(
                DeviceException.Kind.NO_DRIVER,
                "no " + NAME + " below " + root + " (in " + String.join(", ", DIRECTORIES.subList(0, 4))
                        + ", ...); is the driver installed, and this its root?");
    }

    boolean has(String function) {
        return function(function).isPresent();
    }

    private Optional<Function> function(String name) {
        return functions.computeIfAbsent(name, missing -> {
            try {
                return Optional.of(library.getFunction(name));
            } catch (UnsatisfiedLinkError e) {
                return Optional.empty();
            }
        });
    }

    /** Calls it; {@link NvmlCodes#FUNCTION_NOT_FOUND} if the driver does not have it. */
    int code(String name, Object... arguments) {
        return function(name).map(function -> function.invokeInt(arguments)).orElse(NvmlCodes.FUNCTION_NOT_FOUND);
    }

    /** Calls it, and throws unless it succeeds. */
    void call(String name, Object... arguments) throws DeviceException {
        int code = code(name, arguments);
        if (code != NvmlCodes.SUCCESS) {
            throw NvmlCodes.exception(name, code);
        }
    }

    /** Calls a function whose last argument is where it puts a number. */
    int number(String name, Object... arguments) throws DeviceException {
        IntByReference result = new IntByReference();
        call(name, with(arguments, result));
        return result.getValue();
    }

    /** Calls a function whose last argument is where it puts a handle. */
    Pointer handle(String name, Object... arguments) throws DeviceException {
        PointerByReference result = new PointerByReference();
        call(name, with(arguments, result));
        return result.getValue();
    }

    /** Calls a function whose last arguments are a buffer for text and its length. */
    String text(String name, int length, Object... arguments) throws DeviceException {
        Memory buffer = zeroed(length);
        call(name, with(with(arguments, buffer), length));
        return buffer.getString(0, "UTF-8");
    }

    static Memory zeroed(long size) {
        Memory memory = new Memory(size);
        memory.clear();
        return memory;
    }

    static Object[] with(Object[] arguments, Object last) {
        Object[] all = Arrays.copyOf(arguments, arguments.length + 1, Object[].class);
        all[arguments.length] = last;
        return all;
    }
}
