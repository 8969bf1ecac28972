package dev.sro.agent.nvml;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A library of our own in the place of the driver's, compiled here, and its controls. */
record StubDriver(Path root, NativeLibrary library) {
    /** Compiles it into a root of its own: libraries of one path are loaded once. */
    static StubDriver compile(Path root, String... defines) throws IOException, InterruptedException {
        Optional<String> compiler = Optional.ofNullable(System.getenv("SRO_CC")).or(StubDriver::found);
        assumeTrue(compiler.isPresent(), "no C compiler here");
        Path source = root.resolve("stub.c");
        Path target = root.resolve("usr/lib64/libnvidia-ml.so.1");
        Files.createDirectories(requireNonNull(target.getParent()));
        try (InputStream in = requireNonNull(StubDriver.class.getResourceAsStream("stub.c"))) {
            Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
        }
        List<String> command = new ArrayList<>(List.of(
                compiler.orElseThrow(), "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"));
        Stream.of(defines).map(define -> "-D" + define).forEach(command::add);
        command.addAll(List.of("-o", target.toString(), source.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(said);
        }
        return new StubDriver(root, NativeLibrary.getInstance(target.toString()));
    }

    private static Optional<String> found() {
        return Stream.of(requireNonNull(System.getenv("PATH")).split(":"))
                .flatMap(directory -> Stream.of("cc", "gcc").map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    void reset() {
        library.getFunction("stub_reset").invokeVoid(new Object[0]);
    }

    /** The call of this function after so many others returns this code, and does nothing. */
    void fail(String function, int code, int after) {
        library.getFunction("stub_fail").invokeVoid(new Object[] {function, code, after});
    }

    void mode(int gpu, int current, int pending) {
        library.getFunction("stub_mode").invokeVoid(new Object[] {gpu, current, pending});
    }

    /** A control of the library with numbers as arguments. */
    int control(String name, Object... numbers) {
        return library.getFunction("stub_" + name).invokeInt(numbers);
    }

    void virtualization(int what) {
        library.getFunction("stub_virtualization").invokeVoid(new Object[] {what});
    }
}
