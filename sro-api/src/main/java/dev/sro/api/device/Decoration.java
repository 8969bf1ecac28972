package dev.sro.api.device;

import dev.sro.api.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.immutables.value.Value;

/**
 * The parts of a node that a container needs to use a device, as the configuration files of OCI decorators list it: devices, programs,
 * libraries, directories and other files, each with one path inside and outside. Immutable.
 *
 * <p>SRO makes a specification of the Container Device Interface of it, and where {@link #hookPath()} is given also the files
 * of a hook that decorates containers in which the {@link #activationFlag()} is set.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class Decoration {

    private static final String FLAG = "[A-Za-z_][A-Za-z0-9_]*(=.*)?";

    Decoration() {}

    /** Kind of the device of the Container Device Interface: {@code vendor.example/class}. */
    public abstract String kind();

    /** Name of the device: {@code vendor.example/class=name} is what is asked for. */
    @Value.Default
    public String device() {
        return "all";
    }

    /**
     * Environment variable by which a hook knows the containers: {@code NAME} if it has to be there, {@code NAME=value} if it has to
     * have this value. It means nothing to the Container Device Interface, where a container gets what it asks for by name.
     */
    public abstract Optional<String> activationFlag();

    /** Device nodes, absolute paths. */
    public abstract List<String> devices();

    /** Programs, absolute paths. */
    public abstract List<String> binaries();

    /** Libraries, absolute paths. */
    public abstract List<String> libraries();

    /** Directories with all that is in them, absolute paths. */
    public abstract List<String> directories();

    /** Other files, absolute paths. */
    public abstract List<String> miscellaneous();

    /** Environment variables that a container gets with the device. */
    public abstract Map<String, String> environment();

    /**
     * Program of the host that renews the cache of the dynamic linker of a container that gets libraries; none is run without it.
     * A container finds libraries in the standard directories of its linker without it.
     */
    public abstract Optional<String> ldconfig();

    /** The hook that decorates, on the host; files for it are written only if it is given, and need an activation flag. */
    public abstract Optional<String> hookPath();

    @Value.Check
    void check() {
        CdiSpec.checkKind("Decoration.kind", kind());
        CdiSpec.checkDevice("Decoration.device", device());
        activationFlag()
                .ifPresent(flag -> Checks.require(
                        flag.matches(FLAG),
                        "Decoration.activationFlag",
                        "\"" + flag + "\" must be the name of an environment variable, or NAME=value"));
        paths("devices", devices());
        paths("binaries", binaries());
        paths("libraries", libraries());
        paths("directories", directories());
        paths("miscellaneous", miscellaneous());
        devices()
                .forEach(path -> Checks.require(
                        path.startsWith("/dev/") && path.length() > "/dev/".length(),
                        "Decoration.devices",
                        "\"" + path + "\" must be a path under /dev"));
        List<String> all = new ArrayList<>(files());
        all.addAll(directories());
        Checks.noDuplicates("Decoration", all);
        Checks.require(
                !devices().isEmpty() || !all.isEmpty() || !environment().isEmpty(),
                "Decoration",
                "name at least one device, file, directory or environment variable");
        ldconfig().ifPresent(path -> Checks.absolutePath("Decoration.ldconfig", path));
        hookPath().ifPresent(path -> Checks.absolutePath("Decoration.hookPath", path));
        Checks.require(
                hookPath().isEmpty() || activationFlag().isPresent(),
                "Decoration.activationFlag",
                "a hook decorates the containers with the flag; set it, or leave hookPath out");
    }

    private static void paths(String field, List<String> paths) {
        paths.forEach(path -> Checks.absolutePath("Decoration." + field, path));
        Checks.noDuplicates("Decoration." + field, paths);
    }

    /** Programs, libraries and other files. */
    public final List<String> files() {
        return Stream.of(binaries(), libraries(), miscellaneous())
                .flatMap(List::stream)
                .toList();
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link Decoration}. Not thread-safe. */
    public static final class Builder extends ImmutableDecoration.Builder {
        Builder() {}
    }
}
